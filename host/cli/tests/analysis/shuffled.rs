//! Moments of games in which a deck is shuffled, kept as tests.

use std::path::Path;

use super::common::{Scratch, copy};

/// A deck that is shuffled before the first decision, and dice that are thrown beside it, stand in the first line of
/// the script: the game is shrunk like any other, and of the order as much is said as the event hangs on.
#[test]
fn a_game_whose_deck_is_shuffled_as_it_begins_is_shrunk() {
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
        .ok("--mods cards record table.journal --at 60 --as hit --golden --format json")
        .document();
    assert_eq!(kept["scripted"], true, "{kept}");
    let (few, all) = (&kept["decisions"]["kept"], &kept["decisions"]["of"]);
    assert!(few.as_u64() < all.as_u64(), "{kept}");
    let text = kept["text"].as_str().unwrap();
    assert!(text.contains("// shuffled: hearts.deal.pack"), "{text}");
    assert!(text.contains("dice: [\"d6="), "{text}");
    // Whole it has the whole order of the pack, and is played by it alone: its seed may be any.
    let whole = scratch
        .ok("--mods cards record table.journal --at 60 --as all --whole --format json")
        .document();
    let cards = |text: &str| {
        let (_, order) = text.split_once("shuffles: [[").unwrap();
        order.split_once("]]").unwrap().0.split(", ").count()
    };
    let all = whole["text"].as_str().unwrap();
    assert!(cards(text) < cards(all), "{text}");
    assert_eq!(cards(all), 24, "{all}");
    let seeded = all.replacen("seed: ", "seed: 7", 1);
    assert_ne!(seeded, all, "another seed");
    scratch.write("cards/hearts/scenarios/all.ron", &seeded);
    scratch.ok("--mods cards test hearts --accept --filter scenarios/all.ron");
    let golden = scratch.read("cards/hearts/golden/all.snap");
    let (_, shows) = whole["shows"].as_str().unwrap().split_once(": ").unwrap();
    assert!(golden.contains(shows), "{golden}");
}

/// Decks of one card are shuffled without a draw, so that all these shuffles begin at the same one: each order is kept
/// all the same, and the test needs no seed.
#[test]
fn shuffles_of_single_cards_are_kept_beside_others() {
    let scratch = Scratch::new();
    let hearts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/hearts");
    copy(&hearts, &scratch.0.join("cards/hearts"));
    scratch.edit(
        "cards/hearts/data/hearts.ron",
        "    Deck(id: \"hearts.deal.pack\"",
        "    Deck(id: \"hearts.deal.token\", title: \"A token\", cites: [\"hearts.deal.hands\"], of: Table, \
         stock: Nobody, discard: All, cards: [\"token\"]),\n    Deck(id: \"hearts.deal.pack\"",
    );
    let token = "    game:deck(\"hearts.deal.token\"):shuffle()\n";
    scratch.edit(
        "cards/hearts/rules/deal.luau",
        "    pack:shuffle()\n",
        &format!("{token}{token}    pack:shuffle()\n"),
    );
    scratch.ok("--mods cards run hearts/table --journal table.journal --quiet");
    let kept = scratch
        .ok("--mods cards record table.journal --at 60 --as hit --golden --format json")
        .document();
    assert_eq!(kept["scripted"], true, "{kept}");
}
