//! How a value moves between wit-bindgen's types and those of the contract: the macros that
//! [`records`](super::records) consists of.

/// Converts every element, by moving it.
pub(super) fn all<A, B: From<A>>(items: Vec<A>) -> Vec<B> {
    items.into_iter().map(B::from).collect()
}

/// Converts a record to one with the same fields.
macro_rules! record {
    ($from:path => $to:path { $($field:ident $(: $how:ident)?),* }) => {
        impl From<$from> for $to {
            fn from(from: $from) -> Self {
                Self { $($field: moved!(from.$field $(, $how)?)),* }
            }
        }
    };
}

/// Converts a variant or an enum to one with the same cases.
macro_rules! cases {
    ($from:path => $to:path { $($case:ident $(($how:ident))?),* }) => {
        impl From<$from> for $to {
            fn from(from: $from) -> Self {
                type Given = $from;
                match from {
                    $(cases!(Given::$case, value $(, $how)?) => cases!(Self::$case, value $(, $how)?),)*
                }
            }
        }
    };
    (Given::$case:ident, $value:ident) => { Given::$case };
    (Given::$case:ident, $value:ident, $how:ident) => { Given::$case($value) };
    (Self::$case:ident, $value:ident) => { Self::$case };
    (Self::$case:ident, $value:ident, $how:ident) => { Self::$case(moved!($value, $how)) };
}

/// Moves a value: as it `is`, or `into` another type, or `all` elements of a list, or `each` value
/// of an option.
macro_rules! moved {
    ($value:expr) => {
        $value
    };
    ($value:expr, is) => {
        $value
    };
    ($value:expr, into) => {
        $value.into()
    };
    ($value:expr, all) => {
        all($value)
    };
    ($value:expr, each) => {
        $value.map(Into::into)
    };
}

pub(super) use {cases, moved, record};
