//! `houserule lsp`: what an editor asks of the rules, over standard input and
//! output, beside a language server for Luau.
//!
//! What it refuses to know: types of Luau, which the other server knows. What
//! is not saved is read for the word under the cursor, and for nothing else.
//!
//! Read [`messages`] for what goes in and out, [`server`] for who answers, then
//! [`answers`] and [`findings`].

mod answers;
mod findings;
mod messages;
mod server;
mod survey;
mod texts;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  houserule lsp                  an editor starts it in the folder above the mods

It goes to the rule, clause, table or kind under the cursor, shows what they say,
completes clauses, and underlines what `houserule check FILE` finds in what is
saved. docs/modding/editor.md shows how editors start it.";

/// Serves an editor: the Language Server Protocol over standard input and output.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct LspArgs {
    /// What editors say to servers of every sort; there is no other way
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Runs the command.
///
/// # Errors
/// When nobody reads what it writes, or it was ended without a word.
pub fn run(folders: &[PathBuf]) -> Result<(), Failure> {
    if io::stdin().is_terminal() {
        // An editor never sees it, and one who typed the command would else see nothing.
        let note = "note: an editor speaks to this over standard input and output, and none does here; Ctrl-C ends it";
        let _ = writeln!(io::stderr(), "{note}");
    }
    let incoming = messages::incoming();
    let mut server = server::LanguageServer::new(folders);
    for one in incoming {
        if server.take(one)? {
            break;
        }
    }
    if server.ended_well() {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}
