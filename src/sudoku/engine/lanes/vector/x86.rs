//! Macros for the parts that the vector types of x86 have in common. Each type names its CPU features and intrinsics.

/// Makes intrinsics a safe expression in methods that have a value of the vector type.
macro_rules! proven {
    ($($body:tt)*) => {{
        // SAFETY: a value of the type exists, so the CPU has the instructions; pointers come from slices whose length
        // was checked just before.
        unsafe { $($body)* }
    }};
}

/// Defines a vector type around a register, with its operators. A value proves that the CPU has all the features.
macro_rules! define_vector {
    (
        $(#[$doc:meta])*
        $name:ident($register:ty);
        features: [$($feature:tt)+];
        zero: $zero:ident;
        and: $and:ident;
        or: $or:ident;
        xor: $xor:ident;
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name($register);

        impl $name {
            /// The zero vector, if this CPU has all features of the type.
            pub(crate) fn detect() -> Option<$name> {
                let available = $(is_x86_feature_detected!($feature))&&+;
                // SAFETY: the CPU was just found to have all of them.
                available.then(|| unsafe { $name::assume_available() })
            }

            /// The zero vector.
            ///
            /// # Safety
            ///
            /// The CPU has all features of the type.
            unsafe fn assume_available() -> $name {
                // SAFETY: the caller promises that the CPU has the features.
                $name(unsafe { $zero() })
            }

            /// Runs a task, compiled for the features of the type.
            $(#[target_feature(enable = $feature)])+
            fn run_compiled<T: Task>(task: T) -> T::Output {
                task.run()
            }
        }

        operators! {
            $name:
            BitAnd bitand(self, other) => $name(proven! { $and(self.0, other.0) });
            BitOr bitor(self, other) => $name(proven! { $or(self.0, other.0) });
            BitXor bitxor(self, other) => $name(proven! { $xor(self.0, other.0) });
            Not not(self) => self ^ self.splat(u32::MAX);
        }
    };
}

/// The methods of [`Vector`](super::Vector) that every type of x86 has in the same form, most of them one intrinsic.
macro_rules! vector_methods {
    (
        splat: $splat:ident;
        load: $load:ident;
        store: $store:ident;
        $($binary:ident: $intrinsic:ident;)+
    ) => {
        #[inline(never)]
        fn call<T: Task>(self, task: T) -> T::Output {
            proven! { Self::run_compiled(task) }
        }

        #[inline(always)]
        fn splat(self, word: u32) -> Self {
            Self(proven! { $splat(word.cast_signed()) })
        }

        #[inline(always)]
        fn load(self, words: &[u32]) -> Self {
            let words = &words[..Self::LANES];
            Self(proven! { $load(words.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, words: &mut [u32]) {
            let words = &mut words[..Self::LANES];
            proven! { $store(words.as_mut_ptr().cast(), self.0) }
        }

        $(
            #[inline(always)]
            fn $binary(self, other: Self) -> Self {
                Self(proven! { $intrinsic(self.0, other.0) })
            }
        )+

        #[inline(always)]
        fn lane(&self, lane: usize) -> u32 {
            assert!(lane < Self::LANES);
            // SAFETY: a vector is that many words in memory, in the order of the lanes.
            unsafe { *(&raw const *self).cast::<u32>().add(lane) }
        }

        #[inline(always)]
        fn set_lane(&mut self, lane: usize, word: u32) {
            assert!(lane < Self::LANES);
            // SAFETY: a vector is that many words in memory, in the order of the lanes, and any word is valid.
            unsafe { *(&raw mut *self).cast::<u32>().add(lane) = word }
        }
    };
}
