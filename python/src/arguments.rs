//! The arguments of a request. Each is named in the error if it is malformed.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::types::iter::BoundTupleIterator;
use pythonize::{Depythonizer, depythonize};
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};

use crate::errors;

/// A value that a method takes.
pub trait Argument: Sized {
    /// Reads the value of an argument. An empty name stands for an object whose members are the arguments.
    fn read(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self>;
}

/// A record, or another value with the form of JSON.
impl<T: DeserializeOwned> Argument for T {
    fn read(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        // The path of an error costs time, so that only malformed values are read with it.
        depythonize(value).or_else(|_| {
            let mut reader = Depythonizer::from_object(value);
            serde_path_to_error::deserialize(&mut reader).map_err(|error| {
                let name = member_of(name, error.path());
                let advice = match name.ends_with("_pct") {
                    true => " Pass a whole number of percent, such as 80 for 80 %.",
                    false => "",
                };
                errors::malformed(&name, format!("is malformed: {}.{advice}", error.into_inner()))
            })
        })
    }
}

/// The arguments of a method, in order.
pub struct Arguments<'py>(BoundTupleIterator<'py>);

impl<'py> Arguments<'py> {
    /// Takes the arguments of a method.
    pub fn of(arguments: &Bound<'py, PyTuple>) -> Self {
        Arguments(arguments.iter())
    }

    /// Reads the next argument, whose name is for errors.
    pub fn next<T: Argument>(&mut self, name: &str) -> PyResult<T> {
        match self.0.next() {
            Some(value) => T::read(name, &value),
            None => Err(errors::malformed(name, "is missing.")),
        }
    }

    /// Returns the next argument unchanged, such as a function, unless it is None.
    pub fn object(&mut self) -> Option<Bound<'py, PyAny>> {
        self.0.next().filter(|value| !value.is_none())
    }
}

/// Returns the name of a member of an argument, as Python spells it: `policy.overrides[0].tools`.
fn member_of(argument: &str, path: &Path) -> String {
    let mut name = argument.to_owned();
    for segment in path.iter() {
        match segment {
            Segment::Seq { index } => name += &format!("[{index}]"),
            Segment::Map { key } if name.is_empty() => name += key,
            Segment::Map { key } => name += &format!(".{key}"),
            // The records of Python are the variants themselves.
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    name
}
