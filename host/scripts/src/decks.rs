//! Decks of cards for scripts. The prelude gives them the form of a handle,
//! `game:deck(id, side)`; each function here gets its id and side first.

use std::rc::Rc;

use kernel::audience::Audience;
use kernel::deck::{DeckId, End, Pile};
use kernel::error::{Fault, FaultCode};
use kernel::game::{Effects, Game, Onto, Taken};
use kernel::value::Name;
use mlua::{Lua, Table, Value as LuaValue};

use crate::api::{audience, method};
use crate::values::{describe, texts_to_lua, whole};
use crate::vm::Shared;
use rules::hosting::game::{cost_of, deck_named};
use rules::limits::cost;

fn wrong(expected: &str, found: &LuaValue) -> Fault {
    Fault::new(FaultCode::WrongType, format!("expected {expected}, found {}", describe(found)))
}

fn count(value: &LuaValue) -> Result<u32, Fault> {
    let count = whole(value).and_then(|n| u32::try_from(n).ok());
    count.ok_or_else(|| wrong("how many cards to draw", value))
}

fn end(value: &LuaValue) -> Result<End, Fault> {
    match value {
        LuaValue::Nil => Ok(End::Top),
        LuaValue::String(word) if word == "top" => Ok(End::Top),
        LuaValue::String(word) if word == "bottom" => Ok(End::Bottom),
        other => Err(wrong("`top` or `bottom`", other)),
    }
}

fn names(cards: &Table) -> Result<Vec<Name>, Fault> {
    let name = |card: mlua::Result<LuaValue>| match card {
        Ok(LuaValue::String(card)) => Ok(Name::from(card.to_string_lossy())),
        Ok(other) => Err(wrong("a list of cards", &other)),
        Err(_) => Err(wrong("a list of cards", &LuaValue::Nil)),
    };
    cards.sequence_values().map(name).collect()
}

/// From which end cards are drawn, and to whom that is told.
fn how(lua: &Lua, game: &Game, how: Option<Table>) -> Result<(End, Audience), Fault> {
    let Some(how) = how else { return Ok((End::Top, Audience::default())) };
    let script = |error: mlua::Error| Fault::new(FaultCode::Script, error.to_string());
    // The table is the script's: what is left of it is a copy.
    let rest = lua.create_table().map_err(script)?;
    let mut from = LuaValue::Nil;
    for pair in how.pairs::<LuaValue, LuaValue>() {
        let (key, value) = pair.map_err(script)?;
        match key.as_string() {
            Some(word) if word == "from" => from = value,
            _ => rest.raw_set(key, value).map_err(script)?,
        }
    }
    Ok((end(&from)?, audience(game, Some(&rest))?))
}

/// The functions of decks, for the prelude.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    looks(lua, host, shared)?;
    draws(lua, host, shared)?;
    puts(lua, host, shared)
}

type Deck = (String, Option<String>);

/// The deck that a script works with; what is done to it is paid first.
fn opened(lua: &Lua, shared: &Shared, (id, side): &Deck) -> mlua::Result<DeckId> {
    let (deck, cost) = shared.with(lua, |game| {
        let deck = deck_named(game, id, side.as_deref())?;
        let cost = cost_of(game, &deck)?;
        Ok((deck, cost))
    })?;
    shared.charge(lua, cost)?;
    Ok(deck)
}

fn looks(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    for (size, cards, pile) in
        [("deck_size", "deck_cards", Pile::Stock), ("discard_size", "discard_cards", Pile::Discard)]
    {
        method(lua, host, size, shared, move |lua, shared, (id, side): Deck| {
            shared.with(lua, |game| game.deck_size(&deck_named(game, &id, side.as_deref())?, pile))
        })?;
        method(lua, host, cards, shared, move |lua, shared, named: Deck| {
            let deck = opened(lua, shared, &named)?;
            let cards = shared.with(lua, |game| game.deck_cards(&deck, pile))?;
            texts_to_lua(lua, &cards)
        })?;
    }
    Ok(())
}

fn draws(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Draw = (String, Option<String>, LuaValue, Option<Table>);
    method(lua, host, "deck_draw", shared, |lua, shared, (id, side, number, spec): Draw| {
        let cause = shared.cause(lua, Effects::DRAWS, "draws cards")?;
        let deck = opened(lua, shared, &(id, side))?;
        let cards = shared.with(lua, |game| {
            let (from, audience) = how(lua, game, spec)?;
            game.take_cards(&deck, Taken::Drawn(count(&number)?, from), &audience, cause)
        })?;
        texts_to_lua(lua, &cards)
    })?;
    type Search = (String, Option<String>, String, Option<Table>);
    method(lua, host, "deck_search", shared, |lua, shared, (id, side, card, spec): Search| {
        let cause = shared.cause(lua, Effects::DRAWS, "draws cards")?;
        let deck = opened(lua, shared, &(id, side))?;
        shared.with(lua, |game| {
            let audience = audience(game, spec.as_ref())?;
            game.take_cards(&deck, Taken::Found(&card), &audience, cause).map(|_| ())
        })
    })?;
    method(lua, host, "deck_shuffle", shared, |lua, shared, named: Deck| {
        let cause = shared.cause(lua, Effects::DRAWS, "shuffles a deck")?;
        let deck = opened(lua, shared, &named)?;
        shared.with(lua, |game| game.shuffle_deck(&deck, cause))
    })
}

fn puts(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Put = (String, Option<String>, Table, LuaValue);
    method(lua, host, "deck_put", shared, |lua, shared, (id, side, cards, onto): Put| {
        shared.permit(lua, Effects::DRAWS, "puts cards back")?;
        let deck = opened(lua, shared, &(id, side))?;
        shared.charge(lua, cost::items(cards.raw_len()))?;
        shared.with(lua, |game| game.put_cards(&deck, &names(&cards)?, Onto::Stock(end(&onto)?)))
    })?;
    type Discard = (String, Option<String>, Table);
    method(lua, host, "deck_discard", shared, |lua, shared, (id, side, cards): Discard| {
        shared.permit(lua, Effects::DRAWS, "puts cards back")?;
        let deck = opened(lua, shared, &(id, side))?;
        shared.charge(lua, cost::items(cards.raw_len()))?;
        shared.with(lua, |game| game.put_cards(&deck, &names(&cards)?, Onto::Discard))
    })?;
    method(lua, host, "deck_gather", shared, |lua, shared, named: Deck| {
        shared.permit(lua, Effects::DRAWS, "gathers a discard pile")?;
        let deck = opened(lua, shared, &named)?;
        shared.with(lua, |game| game.gather_cards(&deck))
    })
}
