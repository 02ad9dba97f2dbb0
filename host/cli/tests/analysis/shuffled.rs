//! Moments of games in which a deck is shuffled, kept as tests.

use std::path::Path;

use super::common::{Scratch, copy};

/// A deck that is shuffled before the first decision has no line in a script, and neither have the dice that are
/// thrown beside it: the game keeps its seed.
#[test]
fn a_game_whose_deck_is_shuffled_as_it_begins_is_kept_with_its_seed() {
    let scratch = Scratch::new();
    let hearts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/hearts");
    copy(&hearts, &scratch.0.join("cards/hearts"));
    scratch.edit(
        "cards/hearts/rules/deal.luau",
        "    local first = sides",
        "    game:roll(6, \"the dealer\")\n    local first = sides",
    );
    scratch.ok("--mods cards run hearts/table --journal table.journal --quiet");
    let kept = scratch
        .ok("--mods cards record table.journal --at 25 --as hit --golden --format json")
        .document();
    assert_eq!(kept["scripted"], false, "{kept}");
    let text = kept["text"].as_str().unwrap();
    assert!(!text.contains("dice:"), "{text}");
    let said = scratch.ok("--mods cards record table.journal --at 25 --as hit --whole");
    said.says(&["a deck is shuffled, so it keeps its seed, and all of the game"]);
}
