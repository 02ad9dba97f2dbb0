//! The folding of the lines in force, which is done by `lines.luau`.

use kernel::value::{Name, Type};
use mlua::{Function, Table, Value as LuaValue};

use super::LuaHost;
use crate::lines::spec_of;
use rules::hosting::layer_mark;
use rules::hosting::registry::{LayerBody, Returns, Signature};
use rules::lines::{Column, VERBS};
use rules::rulebook::RuleEntry;

impl LuaHost {
    /// The function that folds the lines of a rule into what is under it, and
    /// the numbers of the lines.
    pub(super) fn fold(&mut self, column: &Column, rule: &RuleEntry) -> mlua::Result<Function> {
        let lines: Table = self.prelude.get("lines")?;
        let test_of: Function = lines.get("test_of")?;
        let by_verb = self.lua.create_table()?;
        for (word, _) in VERBS {
            by_verb.set(word, self.lua.create_table()?)?;
        }
        // Terms are shown as they are, whatever the rule gives.
        let signature = Signature {
            returns: Returns::Value(Type::Any),
            ..rule.signature.clone()
        };
        let mut made: Vec<(u32, Table)> = Vec::new();
        for line in &column.lines {
            let Some(spec) = spec_of(&line.spec) else {
                continue;
            };
            let test: Function = test_of.call(spec)?;
            let number = self.number(&line.layer, &signature, &test);
            self.columns
                .entry(rule.id.clone())
                .or_default()
                .push((number, test.to_pointer().addr()));
            let entry = self.lua.create_table()?;
            entry.set("test", test)?;
            entry.set("number", number)?;
            entry.set("mark", layer_mark(number))?;
            for field in ["kind", "reason", "divisor"] {
                entry.set(field, spec.get::<LuaValue>(field)?)?;
            }
            entry.set(
                "who",
                &**line.layer.cites.first().unwrap_or(&line.layer.module),
            )?;
            by_verb.get::<Table>(line.verb.word())?.push(&entry)?;
            made.push((number, entry));
        }
        for (line, (_, entry)) in column.lines.iter().zip(&made) {
            let rivals = self.lua.create_table()?;
            for rival in line.rivals.iter().filter_map(|place| made.get(*place)) {
                rivals.set(rival.0, true)?;
            }
            entry.set("rivals", rivals)?;
        }
        let open = self.open_table(column, &rule.signature)?;
        lines
            .get::<Function>("fold")?
            .call((column.law.word(), open, by_verb))
    }

    fn open_table(&self, column: &Column, signature: &Signature) -> mlua::Result<Table> {
        let open = self.lua.create_table()?;
        let opening = &column.open;
        open.set("round", opening.round.word())?;
        open.set("least", opening.least)?;
        open.set("most", opening.most)?;
        open.set("cap", opening.cap)?;
        open.set("adds_first", opening.adds_first)?;
        open.set("least_wins", opening.least_wins)?;
        open.set("ladder", opening.ladder.as_deref())?;
        open.set(
            "is_verdict",
            matches!(signature.returns, Returns::Value(Type::Verdict)),
        )?;
        open.set(
            "may_be_none",
            matches!(signature.returns, Returns::Value(Type::Optional(_))),
        )?;
        let names = signature.args.iter().map(|field| &*field.name);
        open.set("names", self.lua.create_sequence_from(names)?)?;
        Ok(open)
    }

    /// The stack tells the lines of a rule no more.
    pub(super) fn unbind_lines(&mut self, rule: &Name) {
        for (number, address) in self.columns.remove(rule).unwrap_or_default() {
            self.shared.by_function.borrow_mut().remove(&address);
            let mut layers = self.shared.layers.borrow_mut();
            let layer = &mut layers[number as usize];
            (layer.rule, layer.body) = (Name::from(""), LayerBody::Nothing);
        }
    }
}
