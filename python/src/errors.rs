//! Errors of the library as Python exceptions, with the same sentences.

use std::io::ErrorKind;

use jostle::{CheckpointError, FormatError, PackError, ReadError, SizeSpecError, WriteError};
use pyo3::{
    PyErr, create_exception,
    exceptions::{PyOSError, PyValueError},
};

create_exception!(
    jostle,
    InputError,
    PyValueError,
    "An argument, or the content of a file, that is not accepted."
);
create_exception!(
    jostle,
    FileError,
    PyOSError,
    "A file that cannot be read or written."
);

/// Returns the exception for input that is not accepted.
pub fn input(error: impl ToString) -> PyErr {
    InputError::new_err(error.to_string())
}

/// Returns the exception for a size distribution that cannot be loaded.
pub fn sizes(error: &SizeSpecError) -> PyErr {
    match error {
        SizeSpecError::Read { .. } => FileError::new_err(error.to_string()),
        _ => input(error),
    }
}

/// Returns the exception for a request that cannot be packed.
pub fn request(error: &PackError) -> PyErr {
    match error {
        PackError::Fixed(fixed) if fixed.is_overlap() => {
            input(format!("{error}; fixed_may_overlap allows it"))
        }
        _ => input(error),
    }
}

/// Returns the exception for a packing that cannot be read.
pub fn read(error: &ReadError) -> PyErr {
    match error {
        ReadError::Io { .. } => FileError::new_err(error.to_string()),
        ReadError::NoContainer { .. } => {
            input(format!("{error} with box and boundary, or with container"))
        }
        ReadError::Format(unknown) => by_extension(unknown),
        ReadError::NoColumns { .. } => input(format!(
            "{error} with columns, such as columns='id,type,x,y,z,r'"
        )),
        ReadError::NoBoundary { .. } => input(format!(
            "{error} with boundary, such as ppp for a periodic container"
        )),
        _ => input(error),
    }
}

/// Returns the exception for a packing that cannot be written.
pub fn write(error: &WriteError) -> PyErr {
    match error {
        WriteError::Format(unknown) => by_extension(unknown),
        // An option that does not fit the packing or the format.
        WriteError::Io { source, .. } if source.kind() == ErrorKind::InvalidInput => input(error),
        _ => FileError::new_err(error.to_string()),
    }
}

/// Returns the exception for an extension that does not name one format.
fn by_extension(error: &FormatError) -> PyErr {
    if error.candidates().is_empty() {
        input(error)
    } else {
        input(format!("{error}; choose it with format"))
    }
}

/// Returns the exception for a checkpoint that cannot be read.
pub fn checkpoint(error: &CheckpointError) -> PyErr {
    match error {
        CheckpointError::Io { .. } => FileError::new_err(error.to_string()),
        _ => input(error),
    }
}
