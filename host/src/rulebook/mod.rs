//! The composed rulebook: everything that the chosen mods say, in order.

use std::sync::Arc;

use kernel::book::Book;
use kernel::game::Game;
use kernel::rules::{Rules, Stop};
use kernel::value::{Name, Value};

use crate::lua::LuaHost;

/// The ids of steps that listen to an event begin with this.
pub fn listener_prefix(event: &str) -> String {
    let mut parts: Vec<&str> = event.split('.').collect();
    parts.truncate(3);
    format!("{}.on-", parts.join("."))
}

/// A composed rulebook that can be played by.
pub struct Rulebook {
    book: Arc<Book>,
    host: LuaHost,
}

impl Rulebook {
    /// What the mods declare.
    pub fn book(&self) -> &Arc<Book> {
        &self.book
    }
}

impl Rules for Rulebook {
    fn call(&self, game: &mut Game, rule: &Name, args: &[Value]) -> Result<Value, Stop> {
        self.host.call(game, rule, args)
    }
}
