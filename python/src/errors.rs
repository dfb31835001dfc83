//! Errors of the library as Python exceptions, with the same sentences.

use std::io::{self, ErrorKind};

use jostle::{
    distribution::SizeSpecError,
    io::{CheckpointError, FormatError, ReadError, WriteError},
    rearrange::PackError,
};
use pyo3::{
    create_exception,
    exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
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
    "A file that cannot be read or written. The attribute errno holds the number of the system's error, if there is one."
);
create_exception!(
    jostle,
    PackingError,
    PyRuntimeError,
    "A request that was not met, with strict=True. The attribute packing holds the packing, or None if the run was not started."
);

/// Numbers of errors, which are the same on all systems: no such file, no permission, and a file that exists.
const NO_ENTRY: i32 = 2;
const NO_PERMISSION: i32 = 13;
const EXISTS: i32 = 17;

/// Returns the exception for input that is not accepted.
pub fn input(error: impl ToString) -> PyErr {
    InputError::new_err(error.to_string())
}

/// Returns the exception for work that needs more memory than there is.
pub fn memory(sentence: String) -> PyErr {
    PyMemoryError::new_err(sentence)
}

/// Returns the exception for a file, with the number of the system's error.
fn file(error: &impl ToString, number: Option<i32>) -> PyErr {
    let error = FileError::new_err(error.to_string());
    if let Some(number) = number {
        // A sentence that already says everything remains the text of the exception: strerror is not set.
        let _ = Python::attach(|py| error.value(py).setattr("errno", number));
    }
    error
}

/// Returns the number of an error of the system. Errors of the library's own have the number that the system gives in such a case.
fn number(error: &io::Error) -> Option<i32> {
    error.raw_os_error().or(match error.kind() {
        ErrorKind::NotFound => Some(NO_ENTRY),
        ErrorKind::PermissionDenied => Some(NO_PERMISSION),
        _ => None,
    })
}

/// Returns the exception for a size distribution that cannot be loaded.
pub fn sizes(error: &SizeSpecError) -> PyErr {
    match error {
        SizeSpecError::Read { error: source, .. } => file(error, number(source)),
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
        ReadError::Io { source, .. } => file(error, number(source)),
        ReadError::NoContainer { .. } => {
            input(format!("{error} with box and boundary, or with container"))
        }
        ReadError::Format(unknown) => by_extension(unknown),
        ReadError::NoColumns { .. } => input(format!(
            "{error} with columns, such as columns='id,type,x,y,z,r'"
        )),
        ReadError::NoSizes { .. } => input(format!("{error} with diameter, such as diameter=6")),
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
        WriteError::Io { source, .. } => file(error, number(source)),
        WriteError::NoDirectory { .. } => file(error, Some(NO_ENTRY)),
        WriteError::Occupied { .. } => file(error, Some(EXISTS)),
        _ => file(error, None),
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
        CheckpointError::Io { source, .. } => file(error, number(source)),
        _ => input(error),
    }
}
