//! Decks of cards.

use kernel::deck::{DeckId, End, Pile};
use kernel::error::Fault;
use kernel::game::{CardPick, Onto};
use kernel::value::Name;

use super::function::{Call, Entry, Function, spec};
use super::places::Paid;
use super::types::{AudienceSpec, CardCount, DeckRef, Drawing};
use crate::limits::cost;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[
    &SIZE,
    &CARDS,
    &DISCARD_SIZE,
    &DISCARDED,
    &DRAW,
    &SEARCH,
    &SHUFFLE,
    &PUT,
    &DISCARD,
    &GATHER,
];

/// What working with all of a deck costs.
const EACH: &str = "1 for each card of the deck";

impl Call<'_> {
    fn deck(&self, deck: &DeckRef) -> Result<DeckId, Fault> {
        let of = deck.of.as_deref().map(|side| self.side(side)).transpose()?;
        Ok(DeckId {
            deck: deck.id.clone(),
            of,
        })
    }

    /// A deck whose every card is looked at; that is paid first.
    fn opened(&self, deck: &DeckRef) -> Result<DeckId, Fault> {
        let deck = self.deck(deck)?;
        self.spend(cost::items(
            self.game.deck(&deck)?.made_of().total() as usize
        ))?;
        Ok(deck)
    }

    fn put_cards(&mut self, deck: &DeckRef, cards: &Paid<Name>, onto: Onto) -> Result<(), Fault> {
        let deck = self.opened(deck)?;
        self.game.put_cards(&deck, cards.all(), onto)
    }
}

/// `deck:size`.
pub const SIZE: Function<(DeckRef,), u32> = Function {
    spec: spec(
        "deck:size",
        "game.deck-size",
        &["deck"],
        "How many cards are left in the stock: ask before you draw.",
    ),
    run: |call, (deck,)| call.game.deck_size(&call.deck(&deck)?, Pile::Stock),
};

/// `deck:cards`.
pub const CARDS: Function<(DeckRef,), Vec<Name>> = Function {
    spec: spec(
        "deck:cards",
        "game.deck-cards",
        &["deck"],
        "The cards of the stock, the uppermost first.",
    )
    .costs(EACH),
    run: |call, (deck,)| {
        let deck = call.opened(&deck)?;
        call.game.deck_cards(&deck, Pile::Stock)
    },
};

/// `deck:discard_size`.
pub const DISCARD_SIZE: Function<(DeckRef,), u32> = Function {
    spec: spec(
        "deck:discard_size",
        "game.deck-discard-size",
        &["deck"],
        "How many lie on the discard pile.",
    ),
    run: |call, (deck,)| call.game.deck_size(&call.deck(&deck)?, Pile::Discard),
};

/// `deck:discarded`.
pub const DISCARDED: Function<(DeckRef,), Vec<Name>> = Function {
    spec: spec(
        "deck:discarded",
        "game.deck-discarded",
        &["deck"],
        "The cards on the discard pile, the uppermost first.",
    )
    .costs(EACH),
    run: |call, (deck,)| {
        let deck = call.opened(&deck)?;
        call.game.deck_cards(&deck, Pile::Discard)
    },
};

/// `deck:draw`.
pub const DRAW: Function<(DeckRef, CardCount, Option<Drawing>), Vec<Name>> = Function {
    spec: spec(
        "deck:draw",
        "game.draw-cards",
        &["deck", "count", "how"],
        "Takes cards out of the stock. F038 if it holds fewer.",
    )
    .draws("draws cards")
    .costs(EACH),
    run: |call, (deck, CardCount(count), how)| {
        let cause = call.cause();
        let deck = call.opened(&deck)?;
        let how = how.unwrap_or_default();
        let audience = call.audience(Some(how.audience))?;
        let from = how.from.unwrap_or(End::Top);
        call.game
            .take_cards(&deck, CardPick::Drawn(count, from), &audience, cause)
    },
};

/// `deck:search`.
pub const SEARCH: Function<(DeckRef, Name, Option<AudienceSpec>), ()> = Function {
    spec: spec(
        "deck:search",
        "game.search-deck",
        &["deck", "card", "how"],
        "Takes the uppermost card of that name out of the stock. F038 if none is there.",
    )
    .draws("draws cards")
    .costs(EACH),
    run: |call, (deck, card, how)| {
        let cause = call.cause();
        let deck = call.opened(&deck)?;
        let audience = call.audience(how)?;
        call.game
            .take_cards(&deck, CardPick::Found(&card), &audience, cause)
            .map(|_| ())
    },
};

/// `deck:shuffle`.
pub const SHUFFLE: Function<(DeckRef,), ()> = Function {
    spec: spec(
        "deck:shuffle",
        "game.shuffle-deck",
        &["deck"],
        "Puts the stock in an order that chance makes: whoever knew the order before knows nothing.",
    )
    .draws("shuffles a deck")
    .costs(EACH),
    run: |call, (deck,)| {
        let cause = call.cause();
        let deck = call.opened(&deck)?;
        call.game.shuffle_deck(&deck, cause)
    },
};

/// `deck:put`.
pub const PUT: Function<(DeckRef, Paid<Name>, Option<End>), ()> = Function {
    spec: spec(
        "deck:put",
        "game.put-cards",
        &["deck", "cards", "onto"],
        "Puts cards that are out back, on top where no end is given; the first of them comes to lie uppermost. F038 if they are not out.",
    )
    .draws("puts cards back")
    .costs(EACH),
    run: |call, (deck, cards, onto)| {
        call.put_cards(&deck, &cards, Onto::Stock(onto.unwrap_or(End::Top)))
    },
};

/// `deck:discard`.
pub const DISCARD: Function<(DeckRef, Paid<Name>), ()> = Function {
    spec: spec(
        "deck:discard",
        "game.discard-cards",
        &["deck", "cards"],
        "Lays cards that are out on the discard pile; the first of them comes to lie uppermost.",
    )
    .draws("puts cards back")
    .costs(EACH),
    run: |call, (deck, cards)| call.put_cards(&deck, &cards, Onto::Discard),
};

/// `deck:gather`.
pub const GATHER: Function<(DeckRef,), ()> = Function {
    spec: spec(
        "deck:gather",
        "game.gather-cards",
        &["deck"],
        "Puts the discard pile under the stock, as it lies.",
    )
    .draws("gathers a discard pile")
    .costs(EACH),
    run: |call, (deck,)| {
        let deck = call.opened(&deck)?;
        call.game.gather_cards(&deck)
    },
};
