//! Signals for programs that tests start.

use std::{os::unix::process::CommandExt, process::Command};

/// Lets a program receive signals that the tests themselves ignore, as they do when a script runs them in the background.
pub fn receive_signals(command: &mut Command) {
    // SAFETY: between fork and exec, `signal` may be called, and nothing else happens.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
}
