//! An answer that is said to be valid is what would be found now, and is told to
//! rest on what it would be told to rest on now, whatever was done to the game,
//! taken back, or done to a copy of it, and whatever answers were forgotten.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Answer, Graph};
use crate::audience::{Audience, Cell, Reads};
use crate::book::Book;
use crate::chance::Chance;
use crate::chits::Composition;
use crate::deck::{Deck, DeckId, DeckKind, End, Pile};
use crate::event::Cause;
use crate::game::{CardPick, Effects, Game, Guard, Onto};
use crate::geometry::Length;
use crate::value::{EntityId, Name, Side, Type, Value};
use crate::world::{Attribute, FirstViewers, Kind, Schema, Viewer, Viewers};

/// What is asked: a small rule, and in whose eyes.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// An attribute of an entity, if that is there.
    Held(u8, u16),
    /// Who holds a value.
    Holders(u16, i64),
    /// How many there are of a kind, and their names.
    Members(u16),
    /// The sum over those that hold a value of what another answer says.
    Sum(i64),
    /// Who has a name, if anybody.
    Called(u8),
    /// The cards of a pile, of the table or of a side.
    Cards(u8, bool),
    /// How many there are.
    Count(u8, bool),
    /// How many there are, by another answer.
    Hand(u8),
}

#[derive(Clone, Debug)]
enum Act {
    Set(u8, u16, i64),
    Own(u8, bool),
    Create(u16, i64),
    Remove(u8),
    Show(u8, Option<u16>, bool),
    Mark,
    Rewind,
    Copy,
    Swap,
    /// A card is dealt, and laid aside at once or not.
    Deal(u8, bool),
    Shuffle(u8),
    /// One of the answers that are kept is forgotten.
    Forget(u8),
    /// A question, in whose eyes, and what is told of what the answer rests on.
    Ask(Question, u8, ReadsWanted),
}

/// What somebody wants to know of what an answer rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReadsWanted {
    Nothing,
    /// Who may see all of it.
    Narrowest,
    /// Each cell that not everybody may see, too.
    Cells,
}

fn question() -> impl Strategy<Value = Question> {
    prop_oneof![
        (any::<u8>(), 0u16..3).prop_map(|(entity, slot)| Question::Held(entity, slot)),
        (1u16..3, 0i64..3).prop_map(|(slot, value)| Question::Holders(slot, value)),
        (0u16..2).prop_map(Question::Members),
        (0i64..3).prop_map(Question::Sum),
        (0u8..6).prop_map(Question::Called),
        (0u8..3, any::<bool>()).prop_map(|(deck, is_aside)| Question::Cards(deck, is_aside)),
        (0u8..3, any::<bool>()).prop_map(|(deck, is_aside)| Question::Count(deck, is_aside)),
        (0u8..3).prop_map(Question::Hand),
    ]
}

fn wanted() -> impl Strategy<Value = ReadsWanted> {
    prop_oneof![
        Just(ReadsWanted::Nothing),
        Just(ReadsWanted::Narrowest),
        Just(ReadsWanted::Cells),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (any::<u8>(), 1u16..3, 0i64..3).prop_map(|(entity, slot, value)| Act::Set(entity, slot, value)),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(entity, side)| Act::Own(entity, side)),
        1 => (0u16..2, 0i64..3).prop_map(|(kind, value)| Act::Create(kind, value)),
        1 => any::<u8>().prop_map(Act::Remove),
        1 => (any::<u8>(), proptest::option::of(1u16..3), any::<bool>())
            .prop_map(|(entity, slot, is_open)| Act::Show(entity, slot, is_open)),
        1 => Just(Act::Mark),
        1 => Just(Act::Rewind),
        1 => Just(Act::Copy),
        1 => Just(Act::Swap),
        1 => (0u8..3, any::<bool>()).prop_map(|(deck, is_aside)| Act::Deal(deck, is_aside)),
        1 => (0u8..3).prop_map(Act::Shuffle),
        1 => any::<u8>().prop_map(Act::Forget),
        8 => (question(), 0u8..3, wanted())
            .prop_map(|(question, viewer, wanted)| Act::Ask(question, viewer, wanted)),
    ]
}

/// The deck of the table, of which all see what is laid aside, or that of a side,
/// which nobody else sees.
fn deck(number: u8) -> DeckId {
    let (deck, of) = match number {
        0 => ("m.fate", None),
        number => ("m.hand", Some(Side(number - 1))),
    };
    DeckId {
        deck: Name::from(deck),
        of,
    }
}

fn deck_kinds() -> [(Name, DeckKind); 2] {
    let cards = || Composition::new([("ace", 2), ("king", 3)]).unwrap();
    let fate = DeckKind::new(cards()).unwrap();
    let mut hand = fate.clone();
    hand.is_each = true;
    (hand.stock, hand.discard) = (FirstViewers::Owner, FirstViewers::Owner);
    hand.size = FirstViewers::Nobody;
    [(Name::from("m.fate"), fate), (Name::from("m.hand"), hand)]
}

fn game() -> Game {
    let kind = |id: &str, naming| {
        let mut kind = Kind::new(id, "m");
        for name in ["a", "b"] {
            let attribute = Attribute {
                name: Arc::from(name),
                ty: Type::INT,
                default: Value::Int(0),
                viewers: FirstViewers::All,
                doc: Arc::from(""),
                is_bookkeeping: false,
                until: Arc::from([]),
                module: Arc::from("m"),
            };
            kind.extend(attribute).unwrap();
        }
        kind.naming = naming;
        kind
    };
    let kinds = vec![
        kind("m.open", FirstViewers::All),
        kind("m.masked", FirstViewers::Owner),
    ];
    let mut schema = Schema::default();
    kinds
        .into_iter()
        .for_each(|kind| schema.declare(kind).unwrap());
    let book = Book {
        schema: Arc::new(schema),
        decks: deck_kinds().into(),
        ..Book::default()
    };
    let sides: Arc<[Name]> = Arc::from([Name::from("red"), Name::from("blue")]);
    let table = (Length::inches(48), Length::inches(48));
    Game::new(Arc::new(book), sides, table, Chance::seeded(1))
}

fn viewer(number: u8) -> Viewer {
    match number {
        0 => Viewer::Referee,
        number => Viewer::Side(Side(number - 1)),
    }
}

/// What a question comes to, as text; faults are answers that nobody keeps.
fn answer(game: &mut Game, question: Question, asker: &mut Asker) -> Result<String, ()> {
    let names = |game: &Game, list: &[EntityId]| -> Vec<Option<Name>> {
        list.iter()
            .map(|entity| game.known_name(*entity).ok())
            .collect()
    };
    match question {
        Question::Held(place, slot) => {
            let entity = EntityId(u32::from(place) % 8);
            if game.world().row(entity).is_err() {
                game.note_presence(entity);
                return Ok("nothing".into());
            }
            game.get_slot(entity, slot)
                .map(|value| format!("{value:?}"))
                .map_err(drop)
        }
        Question::Holders(slot, value) => {
            let mut count = 0;
            let spend = |known| {
                count = known;
                Ok(())
            };
            let found = game
                .holders((0, slot), &Value::Int(value), spend)
                .map_err(drop)?;
            let found: Vec<EntityId> = found.iter().collect();
            Ok(format!("{found:?} of {count}"))
        }
        Question::Members(kind) => {
            let id = if kind == 0 { "m.open" } else { "m.masked" };
            let found = game.entities(id).map_err(drop)?;
            Ok(format!("{found:?} {:?}", names(game, &found)))
        }
        Question::Called(number) => {
            let name = format!("open-{number}");
            let found = game.world().find(&name);
            game.note_named(&name, found);
            Ok(format!("{found:?}"))
        }
        Question::Cards(..) | Question::Count(..) | Question::Hand(_) => {
            answer_of_deck(game, question, asker)
        }
        Question::Sum(value) => {
            let found = game
                .holders((0, 1), &Value::Int(value), |_| Ok(()))
                .map_err(drop)?;
            let mut text = String::new();
            for entity in found.iter() {
                text += &asker.ask(game, Question::Held(entity.0 as u8, 2))?;
            }
            Ok(text)
        }
    }
}

/// The same of a question about a deck.
fn answer_of_deck(game: &mut Game, question: Question, asker: &mut Asker) -> Result<String, ()> {
    match question {
        Question::Cards(number, is_aside) => {
            let cards = game.deck_cards(&deck(number), pile(is_aside));
            cards.map(|cards| format!("{cards:?}")).map_err(drop)
        }
        Question::Count(number, is_aside) => {
            let size = game.deck_size(&deck(number), pile(is_aside));
            size.map(|size| size.to_string()).map_err(drop)
        }
        Question::Hand(number) => {
            let left = asker.ask(game, Question::Count(number, false))?;
            let aside = asker.ask(game, Question::Count(number, true))?;
            Ok(format!("{left} and {aside}"))
        }
        _ => Err(()),
    }
}

fn pile(is_aside: bool) -> Pile {
    if is_aside { Pile::Discard } else { Pile::Stock }
}

/// Asks, and keeps answers by what was asked and in whose eyes.
#[derive(Default)]
struct Asker {
    kept: Vec<(String, Answer, String)>,
    used: usize,
}

impl Asker {
    fn ask(&mut self, game: &mut Game, question: Question) -> Result<String, ()> {
        let key = format!("{question:?} {:?}", game.guard().scope);
        let kept = self
            .kept
            .iter()
            .find(|(other, _, _)| *other == key)
            .cloned();
        if let Some((_, place, text)) = &kept
            && let Some(graph) = game.graph()
            && game.is_answer_valid(graph, *place)
        {
            self.used += 1;
            game.use_answer(graph, *place);
            return Ok(text.clone());
        }
        let depth = game.begin_answer();
        let found = answer(game, question, self);
        let Ok(text) = found else {
            game.spoil_answers();
            game.drop_answer(depth);
            return Err(());
        };
        if let Some(closed) = game.end_answer(depth, 1, kept.map(|(_, place, _)| place)) {
            self.kept.retain(|(other, _, _)| *other != key);
            self.kept.push((key, closed.answer, text.clone()));
        }
        Ok(text)
    }
}

/// Asks a game that has a graph, and one that has none: both say the same, and
/// where it is told what was read, both have read the same.
fn asked(
    game: &mut Game,
    asker: &mut Asker,
    graph: Option<Box<Graph>>,
    (question, who, wanted): (Question, u8, ReadsWanted),
) -> Option<Box<Graph>> {
    let effects = Effects::READS;
    let before = game.set_guard(Guard {
        effects,
        scope: viewer(who),
        owner: None,
    });
    game.lend_graph(graph);
    let (kept, read) = with_reads(game, wanted, |game| asker.ask(game, question));
    let graph = game.lend_graph(None);
    let (anew, read_anew) = with_reads(game, wanted, |game| {
        answer(game, question, &mut Asker::default())
    });
    assert_eq!(kept, anew, "{question:?} in the eyes of {who}");
    if kept.is_ok() {
        assert_eq!(read, read_anew, "{question:?} in the eyes of {who}");
    }
    game.set_guard(before);
    graph
}

/// Who may see all that was read, and the cells of it.
type ReadsFound = (Viewers, Vec<(Cell, Viewers)>);

/// What is found, and what is wanted of what was read for it.
fn with_reads<T>(
    game: &mut Game,
    wanted: ReadsWanted,
    find: impl FnOnce(&mut Game) -> T,
) -> (T, Option<ReadsFound>) {
    if wanted == ReadsWanted::Nothing {
        return (find(game), None);
    }
    let reads = Reads::begun(wanted == ReadsWanted::Cells);
    let before = game.reads.replace(Box::new(reads));
    let found = find(game);
    let read = game.reads.as_ref();
    let read = read.map(|reads| (reads.narrowest(), reads.cells()));
    game.close_reads(before);
    (found, read)
}

/// Does to the game what changes its decks.
fn change_deck(game: &mut Game, act: &Act) {
    match act {
        Act::Deal(number, is_aside) => {
            let id = deck(*number);
            if game.deck(&id).map(Deck::out) == Ok(5) {
                game.gather_cards(&id).unwrap();
                return;
            }
            let taken = CardPick::Drawn(1, End::Top);
            let dealt = game.take_cards(&id, taken, &Audience::default(), Cause::default());
            if let (Ok(cards), true) = (dealt, is_aside) {
                game.put_cards(&id, &cards, Onto::Discard).unwrap();
            }
        }
        Act::Shuffle(number) => game.shuffle_deck(&deck(*number), Cause::default()).unwrap(),
        _ => {}
    }
}

/// Does to the game what changes its entities.
fn change(game: &mut Game, act: &Act) {
    let all: Vec<EntityId> = game.world().all().collect();
    let pick = |place: u8| all.get(usize::from(place) % all.len().max(1)).copied();
    let names = ["side", "a", "b"];
    match act {
        Act::Set(place, slot, value) => {
            if let Some(entity) = pick(*place) {
                game.set(entity, names[usize::from(*slot)], Value::Int(*value))
                    .unwrap();
            }
        }
        Act::Own(place, is_red) => {
            if let Some(entity) = pick(*place) {
                let side = if *is_red { "red" } else { "blue" };
                game.set(entity, "side", Value::text(side)).unwrap();
            }
        }
        Act::Create(kind, value) => {
            let id = if *kind == 0 { "m.open" } else { "m.masked" };
            game.create(id, None, &[(Arc::from("a"), Value::Int(*value))])
                .unwrap();
            game.notice();
        }
        Act::Remove(place) => {
            if let Some(entity) = pick(*place) {
                game.remove(entity).unwrap();
            }
        }
        Act::Show(place, slot, is_open) => {
            if let Some(entity) = pick(*place) {
                let viewers = if *is_open {
                    Viewers::ALL
                } else {
                    Viewers::side(Side(0))
                };
                game.show(entity, slot.map(|slot| names[usize::from(slot)]), viewers)
                    .unwrap();
                game.notice();
            }
        }
        _ => {}
    }
}

/// Does all acts in turn; how often a kept answer was used.
fn run(acts: &[Act]) -> usize {
    let (mut game, mut asker) = (game(), Asker::default());
    let (mut other, mut marks) = (None, Vec::new());
    let mut graph = Some(Box::<Graph>::default());
    for act in acts {
        match act {
            Act::Set(..) | Act::Own(..) | Act::Create(..) | Act::Remove(_) | Act::Show(..) => {
                change(&mut game, act);
            }
            Act::Mark => marks.push(game.step_start()),
            Act::Rewind => {
                if let Some(mark) = marks.pop() {
                    game.rewind(&mark);
                }
            }
            Act::Copy => (other, marks) = (Some(game.clone()), Vec::new()),
            Act::Swap => {
                if let Some(other) = &mut other {
                    std::mem::swap(&mut game, other);
                    marks.clear();
                }
            }
            Act::Deal(..) | Act::Shuffle(_) => change_deck(&mut game, act),
            Act::Forget(which) => {
                let count = asker.kept.len();
                if let (Some(graph), true) = (&mut graph, count > 0) {
                    let (_, answer, _) = asker.kept.remove(usize::from(*which) % count);
                    graph.forget(answer);
                }
            }
            Act::Ask(question, who, wanted) => {
                let asked_for = (*question, *who, *wanted);
                graph = asked(&mut game, &mut asker, graph.take(), asked_for);
            }
        }
    }
    asker.used
}

proptest! {
    #[test]
    fn a_valid_answer_is_what_would_be_found_now(acts in proptest::collection::vec(act(), 1..120)) {
        run(&acts);
    }
}

#[test]
fn what_changes_and_is_taken_back_is_as_good_as_before() {
    let ask = Act::Ask(Question::Held(0, 1), 0, ReadsWanted::Nothing);
    let acts = [
        Act::Create(0, 1),
        ask.clone(),
        Act::Mark,
        Act::Set(0, 1, 2),
        Act::Rewind,
        ask.clone(),
    ];
    assert_eq!(run(&acts), 1);
    let equal = [
        Act::Create(0, 1),
        ask.clone(),
        Act::Set(0, 1, 1),
        ask.clone(),
    ];
    assert_eq!(run(&equal), 1);
    let elsewhere = [
        Act::Create(0, 1),
        ask.clone(),
        Act::Set(0, 2, 1),
        ask.clone(),
    ];
    assert_eq!(run(&elsewhere), 1);
    let other = [Act::Create(0, 1), ask.clone(), Act::Set(0, 1, 2), ask];
    assert_eq!(run(&other), 0);
}

#[test]
fn nothing_is_kept_under_which_something_was_done_or_broken_off() {
    let mut game = game();
    game.create("m.open", None, &[]).unwrap();
    game.lend_graph(Some(Box::default()));
    let outer = game.begin_answer();
    let inner = game.begin_answer();
    game.set(EntityId(0), "a", Value::Int(5)).unwrap();
    assert_eq!(game.end_answer(inner, 1, None), None);
    assert_eq!(game.end_answer(outer, 1, None), None);
    let outer = game.begin_answer();
    game.begin_answer();
    assert_eq!(game.end_answer(outer, 1, None), None);
    let whole = game.begin_answer();
    assert!(game.end_answer(whole, 1, None).is_some());
    assert_eq!(game.graph().unwrap().len(), 1);
}

#[test]
fn what_depends_on_what_ran_before_is_kept_apart_alone() {
    let mut game = game();
    game.lend_graph(Some(Box::default()));
    let outer = game.begin_answer();
    let apart = game.begin_answer();
    let nested = game.begin_answer();
    game.spoil_nested(apart + 1);
    assert_eq!(game.end_answer(nested, 1, None), None);
    let later = game.begin_answer();
    assert!(
        game.end_answer(later, 1, None)
            .is_some_and(|closed| !closed.is_lone)
    );
    assert!(
        game.end_answer(apart, 1, None)
            .is_some_and(|closed| closed.is_lone)
    );
    assert!(
        game.end_answer(outer, 1, None)
            .is_some_and(|closed| !closed.is_lone)
    );
}

#[test]
fn a_name_that_nobody_has_is_all_that_was_read() {
    let ask = Act::Ask(Question::Called(2), 0, ReadsWanted::Nothing);
    let elsewhere = [
        Act::Create(0, 1),
        ask.clone(),
        Act::Create(1, 1),
        ask.clone(),
    ];
    assert_eq!(run(&elsewhere), 1);
    let taken = [
        Act::Create(0, 1),
        ask.clone(),
        Act::Create(0, 1),
        ask.clone(),
    ];
    assert_eq!(run(&taken), 0);
    let gone = [
        Act::Create(0, 1),
        Act::Create(0, 1),
        ask.clone(),
        Act::Remove(0),
        ask.clone(),
        Act::Remove(1),
        ask,
    ];
    assert_eq!(run(&gone), 1);
}

#[test]
fn what_the_caller_has_read_last_is_read_by_who_is_called_too() {
    let mut game = game();
    let entity = game.create("m.open", None, &[]).unwrap();
    game.lend_graph(Some(Box::default()));
    let outer = game.begin_answer();
    game.get(entity, "a").unwrap();
    let inner = game.begin_answer();
    game.get(entity, "a").unwrap();
    let inner = game.end_answer(inner, 1, None).unwrap();
    game.end_answer(outer, 1, None).unwrap();
    game.set(entity, "a", Value::Int(5)).unwrap();
    assert!(!game.is_answer_valid(game.graph().unwrap(), inner.answer));
}

/// What a side may choose rests on its hand: others must not be told of it because
/// somebody has asked before.
#[test]
fn a_kept_answer_is_told_to_rest_on_the_cards_that_it_rests_on() {
    for question in [
        Question::Cards(1, false),
        Question::Count(1, false),
        Question::Hand(1),
    ] {
        let ask = |wanted| Act::Ask(question, 1, wanted);
        for wanted in [ReadsWanted::Narrowest, ReadsWanted::Cells] {
            let acts = [ask(ReadsWanted::Nothing), ask(wanted), ask(wanted)];
            assert!(run(&acts) > 0, "{question:?}, {wanted:?}");
        }
    }
}

#[test]
fn what_rests_on_an_answer_that_was_forgotten_is_asked_anew() {
    let mut game = game();
    let entity = game.create("m.open", None, &[]).unwrap();
    game.lend_graph(Some(Box::default()));
    let outer = game.begin_answer();
    let inner = game.begin_answer();
    game.get(entity, "a").unwrap();
    let inner = game.end_answer(inner, 1, None).unwrap();
    let outer = game.end_answer(outer, 1, None).unwrap();
    assert!(game.is_answer_valid(game.graph().unwrap(), outer.answer));
    game.graph_mut().unwrap().forget(inner.answer);
    assert!(!game.is_answer_valid(game.graph().unwrap(), outer.answer));
}

#[test]
fn a_number_that_is_forgotten_while_its_rule_runs_is_not_given_twice() {
    let mut game = game();
    game.lend_graph(Some(Box::default()));
    let first = game.begin_answer();
    let first = game.end_answer(first, 1, None).unwrap();
    let again = game.begin_answer();
    game.graph_mut().unwrap().forget(first.answer);
    let again = game.end_answer(again, 1, Some(first.answer)).unwrap();
    let other = game.begin_answer();
    let other = game.end_answer(other, 1, None).unwrap();
    assert_ne!(again.answer, other.answer);
    let graph = game.graph().unwrap();
    assert_eq!(
        (graph.len(), graph.version(again.answer)),
        (2, Some(again.version))
    );
}
