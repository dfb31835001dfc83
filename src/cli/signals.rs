//! Signals: requests to end the run, and requests to report its progress.

use std::{
    path::PathBuf,
    sync::{
        LazyLock,
        atomic::{AtomicBool, AtomicU8, Ordering::Relaxed},
    },
};

use anyhow::{Context, Result};

use super::{constants::SIGNALLED, files::lock_path, output::print_message};
use crate::{io::abandon_temporaries, rearrange::Interrupt};

/// The signal that requested the end of the run; 0 before.
static ENDING: AtomicU8 = AtomicU8::new(0);
/// The request that ends the run.
static INTERRUPT: LazyLock<Interrupt> = LazyLock::new(Interrupt::default);
/// Whether a report is requested.
static REPORT: AtomicBool = AtomicBool::new(false);

/// Returns the exit code after the signal that requested the end of the run; `None` before.
pub fn ending() -> Option<u8> {
    let signal = ENDING.load(Relaxed);
    (signal != 0).then_some(SIGNALLED + signal)
}

/// Returns the request of the signals to end the run.
pub fn interrupt() -> Interrupt {
    INTERRUPT.clone()
}

/// Returns whether a report was requested since the last call.
pub fn take_report() -> bool {
    REPORT.load(Relaxed) && REPORT.swap(false, Relaxed)
}

/// Notes a request to end the run. A second request ends the program at once, after it has removed the temporary files beside
/// the files that are `written`, and the lock of the checkpoint.
fn request_end(signal: u8, written: &[PathBuf]) {
    if ENDING.swap(signal, Relaxed) != 0 {
        for path in written {
            abandon_temporaries(path);
            let _ = std::fs::remove_file(lock_path(path));
        }
        std::process::exit((SIGNALLED + signal).into());
    }
    INTERRUPT.request();
}

/// Starts to handle signals for a run whose files are `written` at the end. SIGINT, SIGTERM and SIGHUP request the end of the
/// run, SIGUSR1 requests a report. A signal that the parent process ignores, as `nohup` does, remains ignored. The sentence `farewell`
/// is printed at SIGTERM: a process that waits for a killed one does not come to the end of the run.
#[cfg(unix)]
pub fn watch(written: Vec<PathBuf>, farewell: Option<String>) -> Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1},
        iterator::Signals,
    };

    let watched = [SIGINT, SIGTERM, SIGHUP, SIGUSR1].into_iter();
    let mut signals = Signals::new(watched.filter(|&signal| !is_ignored(signal)))
        .context("cannot handle signals")?;
    let handle = move || {
        for signal in signals.forever() {
            match signal {
                SIGUSR1 => REPORT.store(true, Relaxed),
                signal => {
                    if let Some(farewell) = farewell.as_ref().filter(|_| signal == SIGTERM) {
                        print_message(farewell);
                    }
                    request_end(signal as u8, &written);
                }
            }
        }
    };
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(handle)
        .context("cannot handle signals")?;
    Ok(())
}

/// Lets writing fail with an error when a file reaches the limit of the size of files. The signal would end the program otherwise,
/// and temporary files would remain.
pub fn survive_file_limit() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal runs no code in its handler.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Returns whether this process ignores a signal.
#[cfg(unix)]
fn is_ignored(signal: libc::c_int) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action, `sigaction` only writes the present one, and it is read only if the call succeeds.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// Starts to handle Ctrl-C, which requests the end of a run whose files are `written` at the end.
#[cfg(not(unix))]
pub fn watch(written: Vec<PathBuf>, _farewell: Option<String>) -> Result<()> {
    // The number of SIGINT.
    ctrlc::set_handler(move || request_end(2, &written)).context("cannot handle Ctrl-C")
}
