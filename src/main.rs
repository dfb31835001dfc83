//! The program `jostle`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
