//! Steps that listen to events: their ids begin with that of the event.

use std::sync::Arc;

use kernel::game::Game;
use kernel::value::Name;

/// The ids of steps that listen to an event begin with this.
pub fn listener_prefix(event: &str) -> String {
    let mut parts: Vec<&str> = event.split('.').collect();
    parts.truncate(3);
    format!("{}.on-", parts.join("."))
}

/// The steps that listen to an event, in their order.
pub fn listeners(game: &Game, event: &str) -> Vec<Name> {
    let prefix = listener_prefix(event);
    let from_there = game.book().steps.range(Arc::from(prefix.as_str())..);
    from_there
        .map(|(id, _)| id.clone())
        .take_while(|id| id.starts_with(&prefix))
        .collect()
}
