//! `jostle completions` and `jostle man`: the command line as other programs read it.

use std::{io::ErrorKind, path::PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use super::{
    files::Output,
    output::{print, write_stdout},
};

/// Print the completions of a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  jostle completions bash > ~/.local/share/bash-completion/completions/jostle
  jostle completions zsh > ~/.zfunc/_jostle
  jostle completions fish > ~/.config/fish/completions/jostle.fish")]
pub struct Completions {
    /// Shell
    shell: Shell,
}

impl Completions {
    /// Prints the completions of a program. A reader that stops reading is no error.
    pub fn run(self, mut program: Command) -> Result<()> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut program, "jostle", &mut text);
        write_stdout(
            |out| match out.write_all(&text).and_then(|()| out.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                written => written,
            },
        )
    }
}

/// Write the manual pages, one for each subcommand
#[derive(Args)]
#[command(after_help = "\
Example:
  jostle man ~/.local/share/man/man1")]
pub struct Man {
    /// Directory to write the pages to, which is made if it does not exist
    directory: PathBuf,
}

impl Man {
    /// Writes the pages of a program.
    pub fn run(self, program: Command) -> Result<()> {
        let directory = &self.directory;
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot create '{}'", directory.display()))?;
        let mut program = program.disable_help_subcommand(true);
        program.build();
        let mut pages = vec![program];
        while let Some(command) = pages.pop() {
            let page = Page::new(command.clone());
            let mut text = Vec::new();
            page.render(&mut text)?;
            let file = directory.join(page.get_filename());
            let output = Output::new(Some(&file), "");
            output.check()?;
            output.write(&text)?;
            print(&file.display().to_string())?;
            pages.extend(
                command
                    .get_subcommands()
                    .filter(|it| !it.is_hide_set())
                    .cloned(),
            );
        }
        Ok(())
    }
}
