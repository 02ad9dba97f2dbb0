//! How much of an event a report tells that does not tell everything. Plain
//! data for whoever writes reports: no rule and no state rests on it.

use crate::value::Name;

/// How much a report tells; what belongs to a shorter one is in the longer
/// ones too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Depth {
    /// What a player would tell afterwards.
    Story,
    /// A line for each thing that is done.
    Volley,
    /// Every roll.
    #[default]
    Full,
}

impl Depth {
    /// All of them, by name.
    pub const NAMED: [(&'static str, Depth); 3] = [
        ("story", Depth::Story),
        ("volley", Depth::Volley),
        ("full", Depth::Full),
    ];
}

/// How an event reads where not everything is told. A text of two parts with
/// `|` between them says how one and how several of its sort read together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Brief {
    /// The shortest report that has it.
    pub depth: Depth,
    /// How it reads in a line for each thing done; else as in full.
    pub text: Option<Name>,
    /// How it reads in a story; else as in a line for each thing done.
    pub story: Option<Name>,
    /// What it adds to the line that was begun before it.
    pub tally: Option<Name>,
    /// Whether it begins a line to which others add.
    pub leads: bool,
    /// What is counted in the table at the end, and for whom: a field.
    pub counts: Option<(Name, Name)>,
    /// The field that says what sort of unit the first entity is.
    pub role: Option<Name>,
}
