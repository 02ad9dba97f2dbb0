//! What can be said on the command line.

use clap::{Parser, Subcommand};

use crate::commands::{
    bisect, book, check, compare, conflicts, design, eval, fmt, health, impact, lsp, odds, play,
    record, replay, rpc, rules, run, scenarios, serve, simulate, test, types, why,
};
use crate::globals::Globals;

const EXAMPLES: &str = "\
Examples:
  houserule scenarios                             what there is to play
  houserule run border-raid                       a whole game between two bots
  houserule run border-raid --with iceburg:rfac   the same with a house rule
  houserule play border-raid --bot red=greedy     the same at the keyboard
  houserule watch border-raid                     see what a saved rule changes
  houserule check                                 every problem of every mod
  houserule test dsii                             cases and goldens of one mod
  houserule rules dsii.fire.hit                   one rule, and who changes it

Exit codes:
  0  fine    1  something failed    2  wrong usage";

/// Play, test, check and explain rules of tabletop wargames.
#[derive(Parser)]
#[command(name = "houserule", version, max_term_width = 100, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What holds for every command.
    #[command(flatten)]
    pub globals: Globals,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Play a scenario with bots, and print the battle report
    Run(run::RunArgs),
    /// Play a scenario at a terminal, with people or bots
    Play(play::PlayArgs),
    /// Take rules over as they are saved, and show what they change
    Watch(play::WatchArgs),
    /// List what there is to play
    Scenarios(scenarios::ScenariosArgs),
    /// Report every problem of every mod
    Check(check::CheckArgs),
    /// Print the composed rulebook, or one rule, table or clause of it
    Rules(rules::RulesArgs),
    /// Print the rulebook of exactly the rules in force, or a play sheet
    Book(book::BookArgs),
    /// Make the component of a mod in a compiled language
    #[cfg(feature = "wasm")]
    Build(crate::commands::build::BuildArgs),
    /// Make a mod with one clause that works
    New(crate::commands::new::NewArgs),
    /// Lay out the Luau files of mods
    Fmt(fmt::FmtArgs),
    /// Run the cases and goldens of mods
    Test(test::TestArgs),
    /// Show what is behind an event of a recorded game
    Why(why::WhyArgs),
    /// Keep a moment of a recorded game as a test, shrunk to what matters
    Record(record::RecordArgs),
    /// Serve a front-end: JSON-RPC 2.0 over standard input and output
    Rpc(rpc::RpcArgs),
    /// Serve a table to play at in a browser, with a link for each seat
    Serve(serve::ServeArgs),
    /// Play a journal again
    Replay(replay::ReplayArgs),
    /// Call one rule and print what it gives
    Eval(eval::EvalArgs),
    /// Count what an action or a rule comes to, and how often
    Odds(odds::OddsArgs),
    /// Play the same decisions by two sets of rules, and show where they part
    Compare(compare::CompareArgs),
    /// Find house rules that undo each other, or that depend on their order
    Conflicts(conflicts::ConflictsArgs),
    /// Play many games on all cores, and count what came of them
    Simulate(simulate::SimulateArgs),
    /// Hold a scenario to what it says of itself, over many games
    Health(health::HealthArgs),
    /// Play with and without house rules, and tell what they do
    Impact(impact::ImpactArgs),
    /// Find the clause or option that makes the difference
    Bisect(bisect::BisectArgs),
    /// Write types of kinds and rules into this folder, for an editor
    Types(types::TypesArgs),
    /// Serve an editor: definitions, what rules say, clauses, and what is wrong
    Lsp(lsp::LspArgs),
    /// Print the record card of a design
    Design(design::DesignArgs),
}
