//! What the engine promises of speed and memory, measured: one table, every
//! figure beside its target. Where a target is a ratio, both sides of it run
//! in turns in the same process.

#![expect(clippy::disallowed_types, reason = "a benchmark needs a clock")]
#![expect(clippy::print_stdout, reason = "the table is what it is for")]
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark stops at the first thing that is wrong"
)]

mod calls;
mod clock;
#[cfg(feature = "wasm")]
mod components;
mod games;
mod live;
mod odds;
mod play;
#[cfg(feature = "wasm")]
mod rebuilt;
mod tiny;

use clock::Table;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--raid") {
        return games::raid_alone();
    }
    if let [flag, count, ..] = &args[..]
        && ["--calls", "--bare-calls"].contains(&&**flag)
    {
        return calls::alone(flag == "--calls", count.parse().unwrap());
    }
    #[cfg(feature = "wasm")]
    if let [flag, folder, ..] = &args[..]
        && flag == "--load"
    {
        return components::load_alone(folder.as_ref());
    }
    #[cfg(feature = "wasm")]
    if let [flag, id, kept, built, ..] = &args[..]
        && flag == "--check"
    {
        return rebuilt::check_built(id, kept.as_ref(), built.as_ref());
    }
    let wanted = args.iter().find(|arg| !arg.starts_with("--")).cloned();
    let mut table = Table::new(wanted);
    calls::measure(&mut table);
    play::measure(&mut table);
    games::measure(&mut table);
    live::measure(&mut table);
    odds::measure(&mut table);
    // It says where code is kept, which holds for what is loaded afterwards.
    #[cfg(feature = "wasm")]
    rebuilt::measure(&mut table);
    #[cfg(feature = "wasm")]
    components::measure(&mut table);
    table.print();
}
