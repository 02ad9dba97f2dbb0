//! Bringing a game under other rules between two inputs, or in the middle of
//! an open question: what a reload does.
//!
//! Nothing of a game lives in a rule, so the state is all there is to bring
//! over. A step that waits for an answer goes back to its start and runs
//! again by the new rules, with the answers given so far: as far as it comes
//! to the same questions, they stand.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::book::{Book, Order, PhaseBody};
use crate::chits::Pot;
use crate::deck::{Deck, DeckId};
use crate::engine::Play;
use crate::error::{Fault, FaultCode};
use crate::game::{Game, deck_ids};
use crate::rules::Rules;
use crate::sequence::Frame;
use crate::value::{Name, Type, Value};
use crate::world::Viewer;

impl Play {
    /// Brings the game under other rules.
    ///
    /// # Errors
    /// When something on the agenda, on the table or in a pot has no place
    /// under them, or they break in a step that waits. The game is of no use
    /// then: try it on a clone.
    pub fn adopt(&mut self, rules: &dyn Rules, book: &Arc<Book>) -> Result<(), Fault> {
        self.game_mut().adopt(rules, book)?;
        self.action_start.adopt(rules, book)?;
        self.action_start.happened.clear();
        Ok(())
    }
}

impl Play {
    /// Brings the game under rules that declare the same kinds, phases, windows,
    /// events, pots, decks and steps as those before, and no fewer steps: nothing of
    /// the state has to change. A step that waits runs again when it is
    /// answered.
    pub fn rebind(&mut self, book: &Arc<Book>) {
        self.reader.hand_over(&mut self.game);
        for game in [&mut self.game, &mut self.action_start] {
            game.rebind(book);
        }
    }
}

impl Game {
    /// Puts another book that declares the same in place of this one. What the
    /// state is stays so, and with it all stamps: other rules note their reads in
    /// a graph of their own.
    pub fn rebind(&mut self, book: &Arc<Book>) {
        self.forget_answers();
        self.book = book.clone();
    }

    fn adopt(&mut self, rules: &dyn Rules, book: &Arc<Book>) -> Result<(), Fault> {
        self.begin_era();
        let waits = self.running.start.take();
        if let Some(start) = &waits {
            self.rewind(start);
        }
        self.adopt_agenda(book)?;
        self.adopt_pots(book)?;
        self.adopt_decks(book)?;
        let migrations = self.world.adopt(&book.schema)?;
        self.book = book.clone();
        for migration in migrations {
            let new = self.migrated(rules, migration.entity, migration.attribute, migration.old)?;
            self.world.set(migration.entity, migration.attribute, new)?;
        }
        self.adopt_pasts(rules, book)?;
        self.begin_era();
        match waits {
            Some(_) => self.run_again(rules),
            None => Ok(()),
        }
    }

    /// Brings the states that lie on pads under the rules: what is taken back
    /// to must be as what there is.
    fn adopt_pasts(&mut self, rules: &dyn Rules, book: &Arc<Book>) -> Result<(), Fault> {
        let mut doubtful = Vec::new();
        for (place, past) in self.flow.pasts().enumerate() {
            let migrations = past.world.adopt_past(&book.schema, &self.world)?;
            doubtful.extend(migrations.into_iter().map(|migration| (place, migration)));
        }
        for (place, migration) in doubtful {
            // What its side has since taken back is gone; on other pads it does not count.
            if self.world.row(migration.entity).is_err() {
                continue;
            }
            let new = self.migrated(rules, migration.entity, migration.attribute, migration.old)?;
            if let Some(past) = self.flow.pasts().nth(place) {
                past.world.set(migration.entity, migration.attribute, new)?;
            }
        }
        Ok(())
    }

    /// Runs the step that waits from its start, with the answers so far.
    fn run_again(&mut self, rules: &dyn Rules) -> Result<(), Fault> {
        let open = self.running.asking.take();
        self.running.start = Some(Box::new(self.step_start()));
        self.advance(rules)?;
        if let (Some((before, given)), Some((now, slots))) = (open, &mut self.running.asking)
            && before == *now
        {
            *slots = given;
        }
        Ok(())
    }

    /// What the rules make of a value whose attribute has another type now:
    /// the mod that declares it has a rule `mod.migrate.kind_attribute`.
    fn migrated(
        &mut self,
        rules: &dyn Rules,
        entity: crate::value::EntityId,
        attribute: u16,
        old: Value,
    ) -> Result<Value, Fault> {
        let kind = self.world.kind(entity)?;
        let declared = &kind.attributes[attribute as usize];
        let word = kind.id.rsplit('.').next().unwrap_or(&kind.id);
        let rule: Name = Arc::from(format!(
            "{}.migrate.{word}_{}",
            declared.module, declared.name
        ));
        let (what, ty) = (
            format!("{}.{}", kind.id, declared.name),
            declared.ty.clone(),
        );
        match self.reads(
            rules,
            Viewer::Referee,
            &rule,
            &[Value::Entity(entity), old.clone()],
        ) {
            Ok(new) => {
                let fits = ty.check(&new, &*self.world);
                fits.map_err(|mismatch| {
                    Fault::mismatch(&format!("`{rule}`"), &mismatch).in_rule(&rule)
                })?;
                Ok(new)
            }
            Err(fault)
                if fault.code == FaultCode::UnknownRule && fault.rule.as_ref() == Some(&rule) =>
            {
                let name = self.world.name(entity);
                let message = format!(
                    "expected values of `{what}` to be {ty}, as it is now, found {} in `{name}`",
                    old.type_word()
                );
                let hint = format!(
                    "define `{rule}`, which takes the entity and the old value and gives the new one; or start anew"
                );
                Err(Fault::new(FaultCode::WrongType, message).hint(hint))
            }
            Err(fault) => Err(fault),
        }
    }

    // ---- the agenda --------------------------------------------------------

    fn adopt_agenda(&mut self, book: &Arc<Book>) -> Result<(), Fault> {
        let old = self.book.clone();
        let mut agenda = std::mem::take(&mut self.flow.agenda);
        for place in 0..agenda.len() {
            let (lower, upper) = agenda.split_at_mut(place + 1);
            if let Some(frame) = lower.last_mut() {
                self.adopt_frame(frame, upper.first(), &old, book)?;
            }
        }
        self.flow.agenda = agenda;
        self.flow
            .standing
            .retain(|(_, window)| book.windows.contains_key(window));
        Ok(())
    }

    fn adopt_frame(
        &self,
        frame: &mut Frame,
        above: Option<&Frame>,
        old: &Book,
        book: &Book,
    ) -> Result<(), Fault> {
        match frame {
            Frame::Phase(phase) => {
                let (before, after) = (old.phase(&phase.id)?, open_phase(book, &phase.id)?);
                if !phase.has_begun {
                    return Ok(());
                }
                match (&before.body, &after.body) {
                    (PhaseBody::Sequence(before), PhaseBody::Sequence(after))
                    | (
                        PhaseBody::Loop { phases: before, .. },
                        PhaseBody::Loop { phases: after, .. },
                    ) => {
                        phase.next = next_in(before, after, phase.next, &phase.id, above)?;
                        Ok(())
                    }
                    (PhaseBody::Acts(before), PhaseBody::Acts(after))
                        if (before.order == Order::Secret) == (after.order == Order::Secret) =>
                    {
                        Ok(())
                    }
                    (PhaseBody::Automatic { .. }, PhaseBody::Automatic { .. }) => Ok(()),
                    _ => Err(under_way("phase", &phase.id, "made of something else")),
                }
            }
            Frame::Window(window) => {
                let declared = book
                    .windows
                    .get(&window.id)
                    .ok_or_else(|| under_way("window", &window.id, "declared no more"))?;
                // What it carries fitted when it was opened; since then an entity of it may be gone.
                if old
                    .windows
                    .get(&window.id)
                    .is_some_and(|before| before.carries == declared.carries)
                {
                    return Ok(());
                }
                let fits = Type::Record(declared.carries.clone()).check(&window.data, &*self.world);
                fits.map_err(|mismatch| {
                    Fault::mismatch(&format!("window `{}`", window.id), &mismatch)
                })
            }
            Frame::Step { rule, .. } if is_step(book, rule) => Ok(()),
            Frame::Step { rule, .. } => Err(under_way("step", rule, "defined no more")),
            Frame::Leave { .. } => Ok(()),
        }
    }

    fn adopt_pots(&mut self, book: &Book) -> Result<(), Fault> {
        let mut pots = BTreeMap::new();
        for (id, made_of) in &book.pots {
            let pot = match self.pots.get(id) {
                Some(pot) if pot.composition() == made_of => pot.clone(),
                Some(pot) => pot.remade(made_of.clone()).map_err(|chit| {
                    let message = format!(
                        "expected the pot `{id}` to hold at least as many `{chit}` as are out of it, found fewer"
                    );
                    Fault::new(FaultCode::BadPot, message).hint("put the chits back first, or start anew")
                })?,
                None => Pot::full(made_of.clone()),
            };
            pots.insert(id.clone(), pot);
        }
        self.pots = Arc::new(pots);
        Ok(())
    }

    fn adopt_decks(&mut self, book: &Book) -> Result<(), Fault> {
        let mut decks = BTreeMap::new();
        for (id, kind) in deck_ids(&book.decks, self.world.sides().len()) {
            let deck = match self.decks.get(&id) {
                Some(deck) if deck.made_of() == kind.cards() => deck.clone(),
                Some(deck) => deck.remade(kind).map_err(|card| deck_fault(&format!(
                    "expected the deck `{}` to be made of at least as many `{card}` as are out of it, found fewer",
                    id.deck
                )))?,
                None => Deck::full(kind),
            };
            decks.insert(id, deck);
        }
        let lost = self.decks.iter().find(|(id, deck)| {
            deck.out() > 0 && !decks.contains_key(id) && book.decks.contains_key(&id.deck)
        });
        if let Some((id, _)) = lost {
            let message = format!(
                "expected the deck `{}`, of which cards are out, to be the table's or the sides' as before",
                id.deck
            );
            return Err(deck_fault(&message));
        }
        self.decks = Arc::new(decks);
        for past in self.flow.pasts() {
            let remade = |(id, deck): (&DeckId, &Deck)| {
                let kind = book
                    .decks
                    .get(&id.deck)
                    .filter(|_| self.decks.contains_key(id))?;
                deck.remade(kind).ok().map(|deck| (id.clone(), deck))
            };
            past.decks = Arc::new(past.decks.iter().filter_map(remade).collect());
        }
        Ok(())
    }
}

fn deck_fault(message: &str) -> Fault {
    Fault::new(FaultCode::BadPot, message).hint("put the cards back first, or start anew")
}

fn open_phase<'a>(book: &'a Book, id: &Name) -> Result<&'a crate::book::Phase, Fault> {
    book.phases
        .get(id)
        .ok_or_else(|| under_way("phase", id, "declared no more"))
}

fn under_way(sort: &str, id: &str, found: &str) -> Fault {
    let code = match sort {
        "phase" => FaultCode::UnknownPhase,
        "window" => FaultCode::UnknownWindow,
        _ => FaultCode::UnknownRule,
    };
    let message = format!("expected the {sort} `{id}`, which is under way, found it {found}");
    Fault::new(code, message).hint("take play back to before it, or start anew")
}

/// Whether an agenda may hold a step by that rule.
fn is_step(book: &Book, rule: &Name) -> bool {
    let is_automatic = |phase: &crate::book::Phase| matches!(&phase.body, PhaseBody::Automatic { rule: run } if run == rule);
    book.steps.contains_key(rule)
        || book
            .actions
            .values()
            .chain(book.reactions.values())
            .any(|action| action.perform == *rule)
        || book.phases.values().any(is_automatic)
}

/// Which phase of a list comes next, after the one that runs, if the list is
/// another now.
fn next_in(
    before: &[Name],
    after: &[Name],
    next: u32,
    outer: &Name,
    above: Option<&Frame>,
) -> Result<u32, Fault> {
    if before == after || next == 0 {
        return Ok(next);
    }
    let running = match above {
        Some(Frame::Phase(inner)) => Some(&inner.id),
        _ => before.get(next as usize - 1),
    };
    match running.and_then(|id| after.iter().position(|other| other == id)) {
        Some(place) => Ok(place as u32 + 1),
        None => Err(under_way(
            "phase",
            running.unwrap_or(outer),
            "no longer part of its phase",
        )),
    }
}
