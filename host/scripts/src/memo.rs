//! Answers that rules have given, kept in the machine until something changes.
//!
//! A rule that says `kept = true` only reads, so while the game is the same, in
//! the eyes of the same viewer, it gives the same for the same arguments. The
//! function around all its layers asks it once. What it gives is read-only,
//! for many will hold it. While a case runs, the rule is asked again each time
//! and must give the same.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;

use kernel::game::Game;
use kernel::value::Type;
use kernel::world::Viewer;
use mlua::{Function, Table};

use rules::hosting::registry::Signature;

/// Tells the machine when what was kept is no longer so.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The game as it was when the machine was last told, and who looked.
    seen: Cell<Option<(u64, Viewer)>>,
    /// How often the machine was told.
    count: Cell<u64>,
    /// Where the machine looks: its first item is the count.
    table: RefCell<Option<Table>>,
}

impl Memo {
    /// The table in which the machine looks.
    pub fn attach(&self, table: Table) {
        *self.table.borrow_mut() = Some(table);
    }

    /// Looks whether this is the game that rules looked at last, as it was, in
    /// the same eyes; if not, nothing is kept.
    pub fn follow(&self, game: &Game) {
        let now = Some((game.stamp(), game.guard().scope));
        if self.seen.get() != now {
            self.seen.set(now);
            self.forget();
        }
    }

    /// Keeps nothing, and gives its memory back.
    pub fn clear(&self) {
        self.forget();
        if let Some(table) = &*self.table.borrow()
            && let Ok(forget) = table.raw_get::<Function>("forget")
        {
            // It only puts an empty table in place.
            let _ = forget.call::<()>(());
        }
    }

    /// Keeps nothing.
    pub fn forget(&self) {
        self.count.set(self.count.get() + 1);
        if let Some(table) = &*self.table.borrow() {
            // The table is the machine's own and has the item: writing it takes
            // no memory and cannot fail.
            let _ = table.raw_set(1, self.count.get() as f64);
        }
    }
}

/// The code of a function that takes what it needs of the prelude, and gives
/// one that builds the function around a rule with such arguments.
pub(crate) fn source(signature: &Signature) -> String {
    let names: String = (1..=signature.args.len()).fold(String::new(), |mut names, i| {
        // Writing to a string cannot fail.
        let _ = write!(names, ", a{i}");
        names
    });
    let mut text = format!(
        "local memo, frozen = ...\n\
         return function(inner, rule)\n\
         return function(_{names}, extra)\n\
         if memo.off or extra ~= nil{} then\n\
         local result, why = inner(_{names}, extra)\n\
         return frozen(result), why\n\
         end\n\
         if memo[1] ~= memo.at then memo.forget() end\n\
         local answers, key = memo.answers, rule\n",
        unfit(signature)
    );
    for (i, field) in signature.args.iter().enumerate() {
        for key in keys(&format!("a{}", i + 1), &field.ty) {
            let _ = write!(
                text,
                "local under = answers[key]\n\
                 if under == nil then under = {{}} answers[key] = under end\n\
                 answers, key = under, {key}\n"
            );
        }
    }
    let _ = write!(
        text,
        "local answer = answers[key]\n\
         if answer ~= nil then\n\
         if memo.checks then memo.check(rule, answer, inner(_{names})) end\n\
         return answer[1], answer[2]\n\
         end\n\
         local result, why = inner(_{names})\n\
         frozen(result)\n\
         if memo.left > 0 then memo.left -= 1 answers[key] = {{ result, why }} end\n\
         return result, why\n\
         end\nend\n"
    );
    text
}

/// What an argument is told apart by.
fn keys(name: &str, ty: &Type) -> Vec<String> {
    match ty {
        Type::Optional(inner) => {
            let key = |part: String| format!("if {name} == nil then memo else {part}");
            keys(name, inner).into_iter().map(key).collect()
        }
        Type::Point => vec![format!("{name}.x"), format!("{name}.y")],
        Type::Hex => vec![format!("{name}.q"), format!("{name}.r")],
        _ => vec![name.to_string()],
    }
}

/// Whether an argument cannot be looked up: it is missing, or not what it
/// should be. The rule itself says what is wrong.
fn unfit(signature: &Signature) -> String {
    let mut text = String::new();
    for (i, field) in signature.args.iter().enumerate() {
        let name = format!("a{}", i + 1);
        let (ty, is_optional) = match &field.ty {
            Type::Optional(inner) => (&**inner, true),
            ty => (ty, false),
        };
        let kind = match ty {
            Type::Int { .. } | Type::Length | Type::Angle | Type::Direction => "number",
            Type::Point | Type::Hex => "table",
            Type::Bool => "boolean",
            Type::Entity(_) => "userdata",
            _ => "string",
        };
        let parts = match kind {
            "number" => vec![name.clone()],
            "table" => keys(&name, ty),
            _ => Vec::new(),
        };
        // Nothing is none, and what is no number is not itself.
        let none: String =
            parts.iter().map(|part| format!(" or {part} == nil or {part} ~= {part}")).collect();
        let wrong = format!("type({name}) ~= \"{kind}\"{none}");
        let _ = match is_optional {
            true => write!(text, " or {name} ~= nil and ({wrong})"),
            false => write!(text, " or {wrong}"),
        };
    }
    text
}
