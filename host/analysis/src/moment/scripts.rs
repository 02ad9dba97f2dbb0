//! What came up in a game, as the lines of a script.

use kernel::chance::ScriptedOrder;
use kernel::event::Event;
use kernel::value::{Name, Value};
use rules::printable::line;

use super::{labelled, rolled, texts};

/// The lines of a script, each with what happened in it, and the orders that shuffles brought.
pub(super) struct ChanceScript<'a> {
    pub lines: Vec<(String, &'a [Event])>,
    /// In the order in which decks were shuffled, the uppermost card first.
    pub orders: Vec<ScriptedOrder>,
}

impl ChanceScript<'_> {
    /// The lines with what came up in each.
    pub fn lines(&self) -> Vec<String> {
        let mut orders = self.orders.iter();
        let mut written = |(bare, events): &(String, &[Event])| {
            let mut chance = LineChance::default();
            events
                .iter()
                .for_each(|event| chance.take(event, &mut orders));
            chance.written(bare)
        };
        self.lines.iter().map(&mut written).collect()
    }
}

/// What came up in a line, and what it was for.
#[derive(Default)]
struct LineChance {
    dice: Vec<String>,
    chits: Vec<String>,
    shuffles: Vec<ScriptedOrder>,
    labels: Vec<String>,
}

impl LineChance {
    fn take<'o>(&mut self, event: &Event, orders: &mut impl Iterator<Item = &'o ScriptedOrder>) {
        let field = |name: &str| {
            let field = event.fields.iter().find(|field| *field.name == *name);
            field.map_or(Value::None, |field| field.value.clone())
        };
        match &*event.kind {
            "roll" => {
                let rolled = rolled(&field("dice"), &field("faces"));
                self.labels.push(labelled(&field("purpose"), &rolled));
                self.dice.extend(rolled);
            }
            "chits" => {
                let drawn = texts(&field("chits"));
                self.labels.push(format!("chits: {}", drawn.join(" ")));
                self.chits.extend(drawn);
            }
            "shuffled" => {
                let deck = field("deck");
                let of = field("of");
                let of = of
                    .as_text()
                    .map_or_else(String::new, |side| format!(" of {side}"));
                let deck = deck.as_text().unwrap_or_default();
                self.labels.push(format!("shuffled: {deck}{of}"));
                self.shuffles.extend(orders.next().cloned());
            }
            _ => {}
        }
    }

    /// The line with it, and above that what it was for.
    fn written(&self, bare: &str) -> String {
        let Some(open) = bare.strip_suffix(')') else {
            return bare.to_string();
        };
        let order = |cards: &ScriptedOrder| format!("[{}]", quoted(cards.iter().map(Name::as_ref)));
        let shuffles: Vec<String> = self.shuffles.iter().map(order).collect();
        let lists = [
            ("dice", quoted(self.dice.iter().map(String::as_str))),
            ("chits", quoted(self.chits.iter().map(String::as_str))),
            ("shuffles", shuffles.join(", ")),
        ];
        let lists = lists.iter().filter(|(_, all)| !all.is_empty());
        let lists: String = lists
            .map(|(name, all)| format!(", {name}: [{all}]"))
            .collect();
        let labels: Vec<String> = self
            .labels
            .iter()
            .map(|label| format!("// {}\n        ", line(label)))
            .collect();
        format!("{}{open}{lists})", labels.concat())
    }
}

fn quoted<'t>(all: impl Iterator<Item = &'t str>) -> String {
    let quoted: Vec<String> = all.map(|one| format!("{one:?}")).collect();
    quoted.join(", ")
}
