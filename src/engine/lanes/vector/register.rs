//! Macros for what all vector types around a register of a CPU have in common.

/// Makes intrinsics a safe expression in methods that have a value of the vector type.
macro_rules! proven {
    ($($body:tt)*) => {{
        // SAFETY: a value of the type exists, so the CPU has the instructions; pointers come from slices whose length
        // was checked just before.
        unsafe { $($body)* }
    }};
}

/// Implements the operators of a vector type around a register.
macro_rules! operators {
    ($name:ident; and: $and:ident; or: $or:ident; xor: $xor:ident;) => {
        impl BitAnd for $name {
            type Output = $name;
            #[inline(always)]
            fn bitand(self, other: $name) -> $name {
                $name(proven! { $and(self.0, other.0) })
            }
        }

        impl BitOr for $name {
            type Output = $name;
            #[inline(always)]
            fn bitor(self, other: $name) -> $name {
                $name(proven! { $or(self.0, other.0) })
            }
        }

        impl BitXor for $name {
            type Output = $name;
            #[inline(always)]
            fn bitxor(self, other: $name) -> $name {
                $name(proven! { $xor(self.0, other.0) })
            }
        }

        impl Not for $name {
            type Output = $name;
            #[inline(always)]
            fn not(self) -> $name {
                self ^ self.splat(u32::MAX)
            }
        }
    };
}

/// The methods of [`Vector`](super::Vector) for one lane.
macro_rules! lane_methods {
    () => {
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
