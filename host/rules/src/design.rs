//! Record cards of designs: what a player wrote by hand, read as the type that
//! the ruleset asks for, and the card that the ruleset's rule makes of it.
//!
//! The host knows nothing of hulls or points: any rule `<mod>.design.card`
//! that takes one record and gives one is a maker of cards.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::chance::Chance;
use kernel::error::{Fault, FaultCode, Place};
use kernel::game::{Game, Guard};
use kernel::geometry::Length;
use kernel::rules::{Rules, Stop};
use kernel::value::{Name, Type, Value};
use kernel::world::{Viewer, closest};
use serde::Deserialize;

use crate::data::reader::{Datum, RawRon, RonReader};
use crate::data::template::{EntityTemplate, PartOf};
use crate::rulebook::Rulebook;
use crate::types::from_ron;

/// One design, and how many of them.
#[derive(Clone, Debug)]
pub struct Design {
    /// Selectors of the mods that it is for; none for a template.
    pub mods: Vec<String>,
    /// How many.
    pub count: u32,
    /// What was written.
    pub design: Datum,
}

/// A card, and how many designs it is for.
#[derive(Clone, Debug)]
pub struct Card {
    /// How many.
    pub count: u32,
    /// What the ruleset says of the design.
    pub card: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Design")]
struct RawDesign<'a> {
    mods: Vec<String>,
    #[serde(default = "one")]
    count: u32,
    #[serde(borrow)]
    design: RawRon<'a>,
}

fn one() -> u32 {
    1
}

/// Reads a file with one design, or a list of them.
///
/// # Errors
/// Everything that is wrong in it.
pub fn read_designs(file: &str, text: &str) -> Result<Vec<Design>, Vec<Fault>> {
    let reader = RonReader::new("", file, text);
    let pieces: Vec<RawRon<'_>> = match reader.whole() {
        Ok(list) => list,
        Err(_) => vec![reader.whole().map_err(|fault| vec![fault])?],
    };
    let mut faults = Vec::new();
    let mut designs = Vec::new();
    for piece in pieces {
        let read = reader.part::<RawDesign<'_>>(piece).and_then(|raw| {
            let design = reader.datum(raw.design)?;
            Ok(Design {
                mods: raw.mods,
                count: raw.count,
                design,
            })
        });
        match read {
            Ok(design) => designs.push(design),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() {
        Ok(designs)
    } else {
        Err(faults)
    }
}

/// The rule that makes cards, and the type of what it takes.
struct Maker {
    rule: Name,
    takes: Type,
}

impl Maker {
    fn of(rulebook: &Rulebook, module: &str) -> Result<Maker, Fault> {
        let own = format!("{module}.design.card");
        let rules = rulebook.rules();
        let entry = rules.get(own.as_str()).or_else(|| {
            rules
                .iter()
                .find(|(id, _)| id.ends_with(".design.card"))
                .map(|(_, entry)| entry)
        });
        match entry.map(|entry| (&entry.id, &entry.signature.args[..])) {
            Some((rule, [arg])) => Ok(Maker {
                rule: rule.clone(),
                takes: arg.ty.clone(),
            }),
            Some((rule, args)) => Err(Fault::new(
                FaultCode::WrongType,
                format!(
                    "expected `{rule}` to take one design, found {} arguments",
                    args.len()
                ),
            )),
            None => Err(Fault::new(
                FaultCode::UnknownRule,
                format!("no rule `{own}` makes cards of designs under these rules"),
            )
            .hint(format!(
                "`function design.card(game: Reads, design: …): any` in {module} makes them: it takes what is designed, a record, and gives its card"
            ))),
        }
    }

    fn card(&self, rulebook: &Rulebook, design: &Datum) -> Result<Value, Fault> {
        let value = from_ron(&self.takes, &design.value, &|_| None)
            .map_err(|mismatch| Fault::mismatch("design", &mismatch).at(design.place.clone()))?;
        let mut game = Game::new(
            rulebook.book().clone(),
            Arc::new([]),
            (Length::ZERO, Length::ZERO),
            Chance::seeded(0),
        );
        game.set_guard(Guard::answering(Viewer::Referee));
        match rulebook.call(&mut game, &self.rule, &[value]) {
            Ok(card) => Ok(card),
            Err(Stop::Fault(fault)) => Err(fault),
            Err(Stop::Asked) => Err(Fault::new(
                FaultCode::NotAllowed,
                format!("`{}` may only read, and asks", self.rule),
            )),
        }
    }
}

/// The card of a design.
///
/// # Errors
/// When no rule makes cards, the design does not fit its type, or the rule has
/// a fault.
pub fn card(rulebook: &Rc<Rulebook>, module: &str, design: &Design) -> Result<Card, Fault> {
    let card = Maker::of(rulebook, module)?.card(rulebook, &design.design)?;
    Ok(Card {
        count: design.count,
        card,
    })
}

/// The cards of a template and of its parts, each once, in order of their ids.
///
/// # Errors
/// When there is no such template, neither it nor a part has a design, or the
/// rule has a fault.
pub fn template_cards(rulebook: &Rc<Rulebook>, id: &str) -> Result<Vec<Card>, Fault> {
    let module = id.split('.').next().unwrap_or_default();
    let maker = Maker::of(rulebook, module)?;
    let Some(template) = rulebook.templates().get(id) else {
        let fault = Fault::new(
            FaultCode::UnknownTemplate,
            format!("no mod has the template `{id}`"),
        );
        return Err(
            match closest(id, rulebook.templates().keys().map(|id| &**id)) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            },
        );
    };
    let mut found: BTreeMap<Name, (u32, Datum)> = BTreeMap::new();
    gather(rulebook, &maker, template, 1, &mut found);
    if found.is_empty() {
        let fault = Fault::new(
            FaultCode::UnknownTemplate,
            format!("the template `{id}` has no design"),
        );
        return Err(fault.at(template.place.clone()));
    }
    let mut cards = Vec::new();
    for (_, (count, design)) in found {
        cards.push(Card {
            count,
            card: maker.card(rulebook, &design)?,
        });
    }
    Ok(cards)
}

fn gather(
    rulebook: &Rulebook,
    maker: &Maker,
    template: &EntityTemplate,
    count: u32,
    found: &mut BTreeMap<Name, (u32, Datum)>,
) {
    if let Some(design) = design_of(rulebook, maker, template) {
        found.entry(template.id.clone()).or_insert((0, design)).0 += count;
    }
    for part in &template.parts {
        if let PartOf::Template(id) = &part.what
            && let Some(inner) = rulebook.templates().get(id)
        {
            gather(rulebook, maker, inner, count * part.count, found);
        }
    }
}

/// The attribute of a template whose type is what the maker takes.
fn design_of(rulebook: &Rulebook, maker: &Maker, template: &EntityTemplate) -> Option<Datum> {
    let kind = rulebook
        .book()
        .schema
        .kinds()
        .iter()
        .find(|kind| kind.id == template.kind)?;
    let is_design = |ty: &Type| match ty {
        Type::Optional(inner) => **inner == maker.takes,
        other => *other == maker.takes,
    };
    let wanted = kind
        .attributes
        .iter()
        .find(|attribute| is_design(&attribute.ty))?;
    template.attributes.get(&wanted.name).cloned()
}

/// Where a file of designs is, for messages.
pub fn file_place(file: &str) -> Place {
    Place::new("", file, 0)
}
