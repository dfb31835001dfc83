//! Files of MPI-IO.

use std::{
    ffi::{CStr, CString, c_char, c_int},
    io,
    mem::MaybeUninit,
    path::Path,
    ptr,
};

use mpi::ffi;

use super::communicator::WriteAt;

/// Most bytes of one call, whose lengths are 32-bit numbers.
const PIECE: usize = 1 << 30;

/// A file that this rank writes. Each rank opens the file for itself, so that no rank waits for one that fails.
pub(super) struct MpiFile(ffi::MPI_File);

impl MpiFile {
    /// Opens an existing file for writing.
    pub fn open(path: &Path) -> io::Result<Self> {
        let name = CString::new(path.as_os_str().as_encoded_bytes())?;
        let mut file = MaybeUninit::uninit();
        // SAFETY: MPI is running, and all pointers are valid during the call. The handles are constants of the library.
        check(unsafe {
            ffi::MPI_File_open(
                ffi::RSMPI_COMM_SELF,
                name.as_ptr(),
                ffi::MPI_MODE_WRONLY as c_int,
                ffi::RSMPI_INFO_NULL,
                file.as_mut_ptr(),
            )
        })?;
        // SAFETY: a successful call has set the handle.
        Ok(Self(unsafe { file.assume_init() }))
    }

    /// Waits until everything is on the disk, and closes the file.
    pub fn finish(self) -> io::Result<()> {
        // SAFETY: the handle is that of an open file.
        check(unsafe { ffi::MPI_File_sync(self.0) })
    }
}

impl Drop for MpiFile {
    fn drop(&mut self) {
        // SAFETY: the handle is that of an open file, which nothing uses later.
        unsafe { ffi::MPI_File_close(ptr::from_mut(&mut self.0)) };
    }
}

impl WriteAt for MpiFile {
    fn write_at(&mut self, mut offset: u64, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(PIECE) {
            let mut status = MaybeUninit::uninit();
            let mut count = 0;
            // SAFETY: the buffer has the given length, and the file is open.
            check(unsafe {
                ffi::MPI_File_write_at(
                    self.0,
                    offset as ffi::MPI_Offset,
                    piece.as_ptr().cast(),
                    piece.len() as c_int,
                    ffi::RSMPI_UINT8_T,
                    status.as_mut_ptr(),
                )
            })?;
            // SAFETY: a successful call has set the status.
            check(unsafe {
                ffi::MPI_Get_count(status.as_ptr(), ffi::RSMPI_UINT8_T, &raw mut count)
            })?;
            // A full disk may write less without an error.
            if count as usize != piece.len() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            offset += piece.len() as u64;
        }
        Ok(())
    }
}

/// Turns an error code into an error with the text of the library.
fn check(code: c_int) -> io::Result<()> {
    if code == ffi::MPI_SUCCESS as c_int {
        return Ok(());
    }
    let mut text = vec![0 as c_char; ffi::MPI_MAX_ERROR_STRING as usize + 1];
    let mut len = 0;
    // SAFETY: the buffer has the length that the library demands, and a zero behind it.
    unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr(), &raw mut len) };
    // SAFETY: the text ends with a zero inside of the buffer.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) };
    Err(io::Error::other(text.to_string_lossy().into_owned()))
}
