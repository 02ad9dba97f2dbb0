//! Decks of cards: an order that chance makes once, and that stays until it is shuffled again.
//!
//! What a deck is made of is data, a [`DeckKind`]; what the cards mean is up to the rules. A card lies in the
//! stock, lies on the discard pile, or is out: on somebody's hand, on the table, wherever the rules keep it.
//! Cards never appear or vanish: of each class, those in the three places add up to the composition.
//!
//! Absent on purpose: hands. What a side holds is an attribute of an entity that its owner alone may see.

use std::sync::Arc;

use thiserror::Error;

use crate::chance::{ChanceError, Draws};
use crate::chits::{ChitError, Composition};
use crate::digest::StateHasher;
use crate::value::{Name, Side};
use crate::world::{FirstViewers, Viewers};

/// More cards than this are not one deck.
pub const MOST_CARDS: u32 = 10_000;

/// A deck as its mod declares it: what it is made of, whose it is, and who sees what of it.
///
/// ```
/// use kernel::chits::Composition;
/// use kernel::deck::{DeckError, DeckKind};
///
/// let cards = Composition::new([("ace", 4), ("king", 4)])?;
/// let kind = DeckKind::new(cards)?;
/// assert_eq!(kind.cards().total(), 8);
/// assert!(DeckKind::new(Composition::new([("ace", 1_000_000)])?).is_err());
/// # Ok::<(), DeckError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckKind {
    cards: Composition,
    /// Whether each side has one of its own; else there is one, for the table.
    pub is_each: bool,
    /// Who sees the cards in the stock, and so their order.
    pub stock: FirstViewers,
    /// Who sees the cards on the discard pile.
    pub discard: FirstViewers,
    /// Who sees how many cards lie in the stock and on the discard pile.
    pub size: FirstViewers,
}

impl DeckKind {
    /// A deck for the table: nobody sees its stock, everybody its discard pile and how many cards there are.
    ///
    /// # Errors
    /// If there are more than [`MOST_CARDS`].
    pub fn new(cards: Composition) -> Result<DeckKind, DeckError> {
        let found = cards.total();
        if found > MOST_CARDS {
            return Err(DeckError::TooMany { found });
        }
        let (stock, discard, size) = (FirstViewers::Nobody, FirstViewers::All, FirstViewers::All);
        Ok(DeckKind {
            cards,
            is_each: false,
            stock,
            discard,
            size,
        })
    }

    /// What it is made of.
    pub fn cards(&self) -> &Composition {
        &self.cards
    }

    /// Who sees the cards of a pile of the deck of that side.
    pub fn viewers(&self, pile: Pile, of: Option<Side>) -> Viewers {
        match pile {
            Pile::Stock => first(self.stock, of),
            Pile::Discard => first(self.discard, of),
        }
    }

    /// Who sees how many cards lie there.
    pub fn counters(&self, of: Option<Side>) -> Viewers {
        first(self.size, of)
    }
}

fn first(viewers: FirstViewers, of: Option<Side>) -> Viewers {
    match viewers {
        FirstViewers::All => Viewers::ALL,
        FirstViewers::Owner => of.map_or(Viewers::NONE, Viewers::side),
        FirstViewers::Nobody => Viewers::NONE,
    }
}

/// One deck of a game: the table's, or a side's own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeckId {
    /// As its mod declares it.
    pub deck: Name,
    /// The side, if each has its own.
    pub of: Option<Side>,
}

/// Where the cards of a deck lie that are not out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pile {
    /// Those to be drawn.
    Stock,
    /// Those laid aside.
    Discard,
}

/// An end of the stock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum End {
    /// Where cards are drawn.
    #[default]
    Top,
    /// Below all others.
    Bottom,
}

/// A deck in play. Cloning is cheap: decks share their cards until one of them changes.
///
/// ```
/// use kernel::chance::{Chance, Draws, DrawPosition};
/// use kernel::chits::Composition;
/// use kernel::deck::{Deck, DeckError, DeckKind, End, Pile};
///
/// let kind = DeckKind::new(Composition::new([("ace", 2), ("king", 2)])?)?;
/// let mut deck = Deck::full(&kind);
/// assert!(deck.cards(Pile::Stock).map(|card| &**card).eq(["ace", "ace", "king", "king"]));
///
/// let mut chance = Chance::seeded(2026);
/// deck.shuffle(&mut Draws::new(&mut chance, DrawPosition::default()))?;
/// let hand = deck.draw(3, End::Top)?;
/// assert_eq!((deck.size(Pile::Stock), deck.out()), (1, 3));
/// deck.discard(&hand)?;
/// assert_eq!((deck.size(Pile::Discard), deck.out()), (3, 0));
/// # Ok::<(), DeckError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deck {
    made_of: Composition,
    /// Classes by their place in the composition, the uppermost card first.
    stock: Arc<Vec<u32>>,
    discard: Arc<Vec<u32>>,
}

impl Deck {
    /// A deck with all its cards in the stock, by name: it is for the rules to shuffle it.
    pub fn full(kind: &DeckKind) -> Deck {
        let classes = (0u32..).zip(kind.cards.entries());
        let stock =
            classes.flat_map(|(class, (_, count))| std::iter::repeat_n(class, count as usize));
        Deck {
            made_of: kind.cards.clone(),
            stock: Arc::new(stock.collect()),
            discard: Arc::default(),
        }
    }

    /// A deck as it lies: its stock and its discard pile, the uppermost card first; all else is out.
    ///
    /// # Errors
    /// If a card lies there oftener than the deck is made of it.
    pub fn lying<'c>(
        kind: &DeckKind,
        stock: impl IntoIterator<Item = &'c str>,
        discard: impl IntoIterator<Item = &'c str>,
    ) -> Result<Deck, DeckError> {
        let mut deck = Deck {
            made_of: kind.cards.clone(),
            stock: Arc::default(),
            discard: Arc::default(),
        };
        deck.stock = Arc::new(deck.taken_from_outside(stock)?);
        deck.discard = Arc::new(deck.taken_from_outside(discard)?);
        Ok(deck)
    }

    /// Puts the stock in an order that chance makes, each equally likely. The order before is forgotten whole.
    /// Takes one draw fewer than there are cards.
    ///
    /// # Errors
    /// If the script or the enumeration does not fit. The deck is then as it was.
    pub fn shuffle(&mut self, draws: &mut Draws<'_>) -> Result<(), DeckError> {
        let (mut stock, place) = (self.stock.to_vec(), draws.shuffle_place());
        draws.shuffle(&mut stock, |card| self.made_of.place_of(card))?;
        let name = |class: &u32| self.made_of.name_at(*class).cloned();
        draws.tell_order(place, || stock.iter().filter_map(name).collect());
        self.stock = Arc::new(stock);
        Ok(())
    }

    /// Takes `n` cards out from an end of the stock: the list begins with the one at that end.
    ///
    /// # Errors
    /// If the stock holds fewer. The deck is then as it was.
    pub fn draw(&mut self, n: u32, from: End) -> Result<Vec<Name>, DeckError> {
        let found = self.size(Pile::Stock);
        if n > found {
            return Err(DeckError::TooFew { wanted: n, found });
        }
        let stock = Arc::make_mut(&mut self.stock);
        let drawn: Vec<u32> = match from {
            End::Top => stock.drain(..n as usize).collect(),
            End::Bottom => stock.drain((found - n) as usize..).rev().collect(),
        };
        Ok(drawn
            .into_iter()
            .filter_map(|class| self.made_of.name_at(class).cloned())
            .collect())
    }

    /// Takes the uppermost card of that name out of the stock.
    ///
    /// # Errors
    /// If the deck has no such card, or none of them is in the stock.
    pub fn search(&mut self, card: &str) -> Result<(), DeckError> {
        let class = self.class_of(card)?;
        let place = self.stock.iter().position(|other| *other == class);
        let place = place.ok_or_else(|| DeckError::NotThere { card: card.into() })?;
        Arc::make_mut(&mut self.stock).remove(place);
        Ok(())
    }

    /// Puts cards that are out back into the stock; the first of them comes to lie uppermost.
    ///
    /// # Errors
    /// If the deck has no such card, or fewer of it are out. The deck is then as it was.
    pub fn put<C: AsRef<str>>(&mut self, cards: &[C], onto: End) -> Result<(), DeckError> {
        let classes = self.taken_from_outside(cards.iter().map(AsRef::as_ref))?;
        let stock = Arc::make_mut(&mut self.stock);
        let at = if onto == End::Top { 0 } else { stock.len() };
        stock.splice(at..at, classes);
        Ok(())
    }

    /// Lays cards that are out on the discard pile; the first of them comes to lie uppermost.
    ///
    /// # Errors
    /// As for [`Deck::put`].
    pub fn discard<C: AsRef<str>>(&mut self, cards: &[C]) -> Result<(), DeckError> {
        let classes = self.taken_from_outside(cards.iter().map(AsRef::as_ref))?;
        Arc::make_mut(&mut self.discard).splice(0..0, classes);
        Ok(())
    }

    /// Puts the discard pile under the stock, as it lies.
    pub fn gather(&mut self) {
        let discard = std::mem::take(&mut self.discard);
        Arc::make_mut(&mut self.stock).extend(discard.iter());
    }

    /// The cards of a pile, the uppermost first.
    pub fn cards(&self, pile: Pile) -> impl Iterator<Item = &Name> {
        self.classes(pile)
            .iter()
            .filter_map(|class| self.made_of.name_at(*class))
    }

    /// How many cards lie there.
    pub fn size(&self, pile: Pile) -> u32 {
        // No more than `MOST_CARDS`.
        self.classes(pile).len() as u32
    }

    /// How many cards are out.
    pub fn out(&self) -> u32 {
        self.made_of.total() - self.size(Pile::Stock) - self.size(Pile::Discard)
    }

    /// Each class with its cards in the stock, on the discard pile and out, sorted by name.
    pub fn entries(&self) -> impl Iterator<Item = (&str, u32, u32, u32)> {
        let counts = [Pile::Stock, Pile::Discard].map(|pile| self.counts(pile));
        self.made_of
            .entries()
            .enumerate()
            .map(move |(class, (name, all))| {
                let [stock, discard] = [counts[0][class], counts[1][class]];
                (name, stock, discard, all - stock - discard)
            })
    }

    /// The same deck made of other cards. Those that are out stay out; what it has no more is taken from the
    /// bottom of the stock, then from that of the discard pile; what is new comes to lie under the stock.
    ///
    /// # Errors
    /// The first card of which more are out than it would have.
    pub fn remade(&self, kind: &DeckKind) -> Result<Deck, Name> {
        let made_of = kind.cards.clone();
        let mut left: Vec<u32> = made_of.entries().map(|(_, count)| count).collect();
        for (card, _, _, out) in self.entries().filter(|(.., out)| *out > 0) {
            match made_of
                .place_of(card)
                .map(|class| &mut left[class as usize])
            {
                Some(count) if *count >= out => *count -= out,
                _ => return Err(Arc::from(card)),
            }
        }
        let mut keep = |pile: Pile| -> Vec<u32> {
            let mut stays = |card: &Name| {
                let class = made_of.place_of(card)?;
                let count = &mut left[class as usize];
                *count = count.checked_sub(1)?;
                Some(class)
            };
            self.cards(pile).filter_map(&mut stays).collect()
        };
        // The discard pile is what all have seen: it is kept first.
        let discard = keep(Pile::Discard);
        let mut stock = keep(Pile::Stock);
        let new = (0u32..).zip(&left);
        stock.extend(new.flat_map(|(class, count)| std::iter::repeat_n(class, *count as usize)));
        Ok(Deck {
            made_of,
            stock: Arc::new(stock),
            discard: Arc::new(discard),
        })
    }

    /// What it is made of.
    pub fn made_of(&self) -> &Composition {
        &self.made_of
    }

    /// Writes where each card lies; how it came there leaves no trace.
    pub(crate) fn write(&self, writer: &mut StateHasher) {
        for pile in [Pile::Stock, Pile::Discard] {
            writer.number(u64::from(self.size(pile)));
            self.cards(pile).for_each(|card| writer.text(card));
        }
        for (card, _, _, out) in self.entries().filter(|(.., out)| *out > 0) {
            writer.text(card);
            writer.number(u64::from(out));
        }
    }

    fn classes(&self, pile: Pile) -> &[u32] {
        match pile {
            Pile::Stock => &self.stock,
            Pile::Discard => &self.discard,
        }
    }

    fn counts(&self, pile: Pile) -> Vec<u32> {
        let mut counts = vec![0; self.made_of.entries().count()];
        self.classes(pile)
            .iter()
            .for_each(|class| counts[*class as usize] += 1);
        counts
    }

    fn class_of(&self, card: &str) -> Result<u32, DeckError> {
        self.made_of
            .place_of(card)
            .ok_or_else(|| DeckError::Unknown { card: card.into() })
    }

    /// The classes of cards, all of which must be out.
    fn taken_from_outside<'c>(
        &self,
        cards: impl IntoIterator<Item = &'c str>,
    ) -> Result<Vec<u32>, DeckError> {
        let mut out: Vec<u32> = self.entries().map(|(_, _, _, out)| out).collect();
        let mut take = |card: &str| {
            let class = self.class_of(card)?;
            let left = &mut out[class as usize];
            *left = left
                .checked_sub(1)
                .ok_or_else(|| DeckError::NotOut { card: card.into() })?;
            Ok(class)
        };
        cards.into_iter().map(&mut take).collect()
    }
}

/// Why a deck cannot be made, or cards not drawn, found or put back.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeckError {
    /// A deck of more cards than it may have.
    #[error("expected a deck of at most {MOST_CARDS} cards, found {found}")]
    TooMany {
        /// The cards in all.
        found: u32,
    },
    /// More cards are drawn than the stock holds. Ask first how many there are, or gather the discard pile.
    #[error("expected a deck with {wanted} or more cards to draw, found {found}")]
    TooFew {
        /// The cards to be drawn.
        wanted: u32,
        /// The cards in the stock.
        found: u32,
    },
    /// A card that the deck is not made of. It is misspelt, or from another deck.
    #[error("expected a card of this deck, found `{card}`")]
    Unknown {
        /// The card.
        card: Name,
    },
    /// A card is searched for of which none is in the stock.
    #[error("expected a card that is in the stock, found `{card}`, of which none is")]
    NotThere {
        /// The card.
        card: Name,
    },
    /// A card is put back of which no more are out. It was put back before, or never drawn.
    #[error("expected a card that is out of the deck, found `{card}`, of which no more are")]
    NotOut {
        /// The card.
        card: Name,
    },
    /// A composition that cannot be.
    #[error(transparent)]
    Composition(#[from] ChitError),
    /// A shuffle failed.
    #[error(transparent)]
    Chance(#[from] ChanceError),
}

#[cfg(test)]
mod tests;
