//! Windows, as mods write them.

use kernel::book::AskOrder;
use kernel::value::Name;

use super::Origin;

/// A window as written.
#[derive(Clone, Debug)]
pub struct RawWindow {
    /// Its id.
    pub id: Name,
    /// What players call the moment, with parts in brackets that are told where what they name is known; empty where
    /// nobody says.
    pub title: String,
    /// The fields of what it carries.
    pub carries: String,
    /// Who is asked first.
    pub order: AskOrder,
    /// Whether every side is asked.
    pub is_uniform: bool,
    /// Where it comes from.
    pub origin: Origin,
}
