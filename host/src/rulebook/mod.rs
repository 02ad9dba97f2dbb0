//! The composed rulebook.

/// The ids of steps that listen to an event begin with this.
pub fn listener_prefix(event: &str) -> String {
    let mut parts: Vec<&str> = event.split('.').collect();
    parts.truncate(3);
    format!("{}.on-", parts.join("."))
}
