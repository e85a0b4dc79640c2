//! Methods and traits that many types have in the same form.

/// Defines a setter for each field of a type: `name(argument: Type) => field = value`. A setter takes the type by value
/// and returns it.
macro_rules! setters {
    ($type:ident $(<$parameter:ident>)? {
        $($(#[$attribute:meta])* $name:ident($($argument:ident: $value_type:ty),+) =>
            $($($field:ident).+ = $value:expr),+;)+
    }) => {
        impl $(<$parameter>)? $type $(<$parameter>)? {
            $(
                $(#[$attribute])*
                #[must_use]
                pub fn $name(mut self, $($argument: $value_type),+) -> Self {
                    $(self.$($field).+ = $value;)+
                    self
                }
            )+
        }
    };
}

/// Serializes a type as its displayed text, and deserializes it from that text.
macro_rules! as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text: std::borrow::Cow<'_, str> = serde::Deserialize::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
