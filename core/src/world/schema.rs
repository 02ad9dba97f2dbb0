//! Kinds of entities and their attributes, as mods declare them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::{Fault, FaultCode};
use crate::nearest::closest;
use crate::value::{KindOf, Name, Type, Value};
use crate::world::Until;

/// Who sees an attribute, or an entity's existence, when the entity is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstViewers {
    /// Everybody.
    #[default]
    All,
    /// The side that owns the entity; nobody if no side does.
    Owner,
    /// Nobody but the referee.
    Nobody,
}

/// One attribute of a kind.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name within the kind: `armour`.
    pub name: Name,
    /// What fits in it.
    pub ty: Type,
    /// What it holds when nothing is said.
    pub default: Value,
    /// Who sees it first.
    pub viewers: FirstViewers,
    /// One sentence with its unit, for the reference.
    pub doc: Name,
    /// Whether it is bookkeeping of the rules, which people see when they ask.
    pub is_bookkeeping: bool,
    /// What it holds until; for good, if nothing is said.
    pub until: Arc<[Until]>,
    /// The mod that declared it.
    pub module: Name,
}

/// One kind of entity.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its id: `skirmish.unit`.
    pub id: Name,
    /// Its attributes; the first is always `side`.
    pub attributes: Vec<Attribute>,
    /// Who sees that an entity of this kind exists, when it is made.
    pub existence: FirstViewers,
    /// Who sees its name.
    pub naming: FirstViewers,
    by_name: FxHashMap<Name, u16>,
    /// The slots of the attributes, by their names.
    in_order: Vec<u16>,
    /// The slot of [`PLACE`], for which all that measures asks.
    place: Option<u16>,
}

/// A kind has no more attributes than this, `side` among them.
pub const MOST_ATTRIBUTES: usize = 4096;

/// A game has no more kinds than this.
pub const MOST_KINDS: usize = 4096;

fn too_many(what: &str, most: usize) -> Fault {
    let message = format!("expected at most {most} {what}, found more");
    Fault::new(FaultCode::OutOfRange, message)
}

/// The attribute that every kind has: the side that owns the entity.
pub const SIDE: u16 = 0;

/// The attribute that says where an entity is, in kinds that have one.
pub const PLACE: &str = "at";

impl Kind {
    /// A kind without attributes of its own.
    pub fn new(id: &str, module: &str) -> Kind {
        let mut kind = Kind {
            id: Arc::from(id),
            attributes: Vec::new(),
            existence: FirstViewers::All,
            naming: FirstViewers::All,
            by_name: FxHashMap::default(),
            in_order: Vec::new(),
            place: None,
        };
        kind.push(Attribute {
            name: Arc::from("side"),
            ty: Type::Optional(Arc::new(Type::Text)),
            default: Value::None,
            viewers: FirstViewers::All,
            doc: Arc::from("the side that owns it"),
            is_bookkeeping: false,
            until: Arc::from([]),
            module: Arc::from(module),
        });
        kind
    }

    fn push(&mut self, attribute: Attribute) {
        let slot = self.attributes.len() as u16;
        let place = self
            .in_order
            .partition_point(|there| self.attributes[usize::from(*there)].name < attribute.name);
        self.in_order.insert(place, slot);
        if &*attribute.name == PLACE {
            self.place = Some(slot);
        }
        self.by_name.insert(attribute.name.clone(), slot);
        self.attributes.push(attribute);
    }

    /// Adds an attribute; a later mod may call this for a kind of another.
    ///
    /// # Errors
    /// When the name is taken, the default does not fit the type, or the kind has
    /// [`MOST_ATTRIBUTES`] already.
    pub fn extend(&mut self, attribute: Attribute) -> Result<(), Fault> {
        if let Some(&there) = self.by_name.get(&attribute.name) {
            let other = &self.attributes[there as usize].module;
            return Err(Fault::new(
                FaultCode::Duplicate,
                format!(
                    "attribute `{}` of `{}` is declared already by mod `{other}`",
                    attribute.name, self.id
                ),
            ));
        }
        if self.attributes.len() >= MOST_ATTRIBUTES {
            return Err(too_many("attributes of a kind", MOST_ATTRIBUTES));
        }
        attribute
            .ty
            .check(&attribute.default, &NoEntities)
            .map_err(|m| Fault::mismatch(&format!("default of `{}`", attribute.name), &m))?;
        self.push(attribute);
        Ok(())
    }

    /// The slots of all attributes, in the order of their names.
    pub(crate) fn slots_by_name(&self) -> impl Iterator<Item = usize> {
        self.in_order.iter().map(|slot| usize::from(*slot))
    }

    /// The slot of an attribute.
    pub fn find(&self, name: &str) -> Option<u16> {
        self.by_name.get(name).copied()
    }

    /// The slot of the attribute that says where an entity is.
    ///
    /// # Errors
    /// When the kind has no such attribute.
    pub fn place(&self) -> Result<u16, Fault> {
        self.place.map_or_else(|| self.require(PLACE), Ok)
    }

    /// The slot of an attribute, or a fault that says what there is.
    ///
    /// # Errors
    /// When the kind has no such attribute.
    pub fn require(&self, name: &str) -> Result<u16, Fault> {
        self.find(name).ok_or_else(|| {
            let fault = Fault::new(
                FaultCode::UnknownAttribute,
                format!("expected an attribute of `{}`, found `{name}`", self.id),
            );
            match closest(name, self.attributes.iter().map(|a| &*a.name)) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            }
        })
    }
}

/// A world without entities: for types that need none to be checked, and for
/// values in which none stand, as those of tables and options.
#[derive(Clone, Copy, Debug)]
pub struct NoEntities;

impl KindOf for NoEntities {
    fn kind_of(&self, _: crate::value::EntityId) -> Option<&Name> {
        None
    }
}

/// All kinds of the composed rules.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    kinds: Vec<Kind>,
    by_name: FxHashMap<Name, u16>,
}

fn holds_hex(ty: &Type) -> bool {
    match ty {
        Type::Hex => true,
        Type::Optional(inner) | Type::List(inner) => holds_hex(inner),
        _ => false,
    }
}

impl Schema {
    /// Adds a kind.
    ///
    /// # Errors
    /// When a kind of that id is there, or there are [`MOST_KINDS`] already.
    pub fn declare(&mut self, kind: Kind) -> Result<(), Fault> {
        if self.kinds.len() >= MOST_KINDS {
            return Err(too_many("kinds", MOST_KINDS));
        }
        if self.by_name.contains_key(&kind.id) {
            return Err(Fault::new(
                FaultCode::Duplicate,
                format!("kind `{}` is declared twice", kind.id),
            ));
        }
        self.by_name
            .insert(kind.id.clone(), self.kinds.len() as u16);
        self.kinds.push(kind);
        Ok(())
    }

    /// The kinds in the order they were declared.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Whether anything of the game is in a hex.
    pub fn has_hexes(&self) -> bool {
        let mut attributes = self.kinds.iter().flat_map(|kind| &kind.attributes);
        attributes.any(|attribute| holds_hex(&attribute.ty))
    }

    /// The attributes that do not hold for good: kind, slot, and what they hold
    /// until.
    pub fn lifetimes(&self) -> impl Iterator<Item = (u16, u16, &Until)> {
        (0u16..).zip(&self.kinds).flat_map(|(kind, declared)| {
            let attributes = (0u16..).zip(&declared.attributes);
            attributes.flat_map(move |(slot, attribute)| {
                attribute.until.iter().map(move |until| (kind, slot, until))
            })
        })
    }

    /// The kind in a slot, if there is one.
    pub(crate) fn get(&self, slot: u16) -> Option<&Kind> {
        self.kinds.get(usize::from(slot))
    }

    /// The kind in a slot; there must be one.
    pub fn kind(&self, slot: u16) -> &Kind {
        &self.kinds[slot as usize]
    }

    /// The slot of a kind.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn require(&self, id: &str) -> Result<u16, Fault> {
        self.by_name.get(id).copied().ok_or_else(|| {
            let fault = Fault::new(
                FaultCode::UnknownKind,
                format!("no mod declares the kind `{id}`"),
            );
            match closest(id, self.kinds.iter().map(|k| &*k.id)) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            }
        })
    }

    /// A kind that a later mod extends.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn require_mut(&mut self, id: &str) -> Result<&mut Kind, Fault> {
        let slot = self.require(id)?;
        Ok(&mut self.kinds[slot as usize])
    }
}
