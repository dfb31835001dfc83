//! The program `jostle`.

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: jostle::cli::Allocator = jostle::cli::Allocator;

fn main() -> std::process::ExitCode {
    jostle::cli::run(std::env::args_os()).into()
}
