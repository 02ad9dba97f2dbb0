//! What files give to chapters: functions with their headers, lines and wraps
//! with their clauses; and the functions behind `chapters.luau`.

mod host;

use std::cell::OnceCell;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use mlua::{Function, Lua, Value as LuaValue};

use crate::chapters::dotted;
use crate::headers::{HeaderKind, HeaderSignature, MemberHeader};
use crate::registrar::{ScriptRegistrar, script};
use crate::vm::place_of;
pub(crate) use host::functions;
use rules::hosting::registry::LayerBody;
use rules::registration::{Origin, RawLayer, RawSignature, base_layer};

impl ScriptRegistrar {
    /// Registers a function that was assigned to a chapter.
    pub(super) fn give_rule(
        &self,
        lua: &Lua,
        path: [&str; 3],
        function: &Function,
    ) -> Result<(), Fault> {
        let [_, chapter, name] = path;
        let origin = self.origin(lua, None).map_err(|_| self.taken())?;
        self.own_chapter(&origin, path)?;
        let info = function.info();
        // A score that is a number stands where its action is declared.
        let at = info
            .source
            .as_deref()
            .and_then(|source| place_of(source, info.line_defined.unwrap_or(0)));
        let at = at.or_else(|| Some(origin.place.clone()));
        let header = at.and_then(|at| {
            self.chapters
                .header_at(&(at.module.clone(), at.file.to_string()), at.line, path)
        });
        let Some(header) = header else {
            let message =
                format!("expected a header for `{chapter}.{name}`, found a function without one");
            return Err(Fault::new(FaultCode::BadSignature, message).hint(format!(
                "write `function {chapter}.{name}(game: Reads, …): T` at the start of a line"
            )));
        };
        let HeaderKind::Rule(signature) = &header.what else {
            return Ok(());
        };
        let place = Place {
            line: header.line,
            column: 0,
            ..origin.place.clone()
        };
        let origin = Origin { place, ..origin };
        let Some(gated) = self.gated(&header, &origin) else {
            return Ok(());
        };
        let id: Name = Name::from(dotted(path));
        if let Some(open) = &header.doc.open {
            let opened = (
                id.clone(),
                (open.clone(), signature.is_reason),
                Origin {
                    cites: Rc::from([]),
                    ..origin.clone()
                },
            );
            self.registrations.borrow_mut().opened.push(opened);
        }
        self.keep_rule(
            lua,
            &id,
            &header,
            signature,
            gated,
            script(function.clone()),
        )
    }

    /// The origin with the clauses of a header, once all of them are known.
    pub(super) fn gated(&self, header: &MemberHeader, origin: &Origin) -> Option<Origin> {
        let mut is_whole = true;
        let mut clauses = |written: &[String]| -> Vec<Name> {
            let mut found = Vec::new();
            for one in written {
                match self.clause_of(&header.module, Some(&header.chapter), one) {
                    Ok(clause) => found.push(clause),
                    Err(fault) => {
                        is_whole = false;
                        self.report(fault.at(origin.place.clone()));
                    }
                }
            }
            found
        };
        let (gates, mentions) = (clauses(&header.doc.gates), clauses(&header.doc.cites));
        is_whole.then(|| Origin {
            cites: gates.into(),
            mentions: mentions.into(),
            ..origin.clone()
        })
    }

    fn keep_rule(
        &self,
        lua: &Lua,
        id: &Name,
        header: &MemberHeader,
        signature: &HeaderSignature,
        origin: Origin,
        body: LayerBody,
    ) -> Result<(), Fault> {
        let always = Origin {
            cites: Rc::from([]),
            mentions: Rc::from([]),
            ..origin.clone()
        };
        let otherwise = match &header.doc.otherwise {
            Some(text) => Some(self.neutral(lua, text)?),
            None => None,
        };
        let raw = RawSignature {
            rule: id.clone(),
            args: signature.args.clone(),
            returns: signature.returns.clone(),
            effects: signature.effects.clone(),
            is_reason: signature.is_reason,
            is_step: signature.is_step,
            doc: header.doc.text.as_str().into(),
            // What gives something without its clause is there without it.
            origin: if otherwise.is_some() {
                always.clone()
            } else {
                origin.clone()
            },
            read: OnceCell::new(),
        };
        let mut list = self.registrations.borrow_mut();
        list.signatures.push(Rc::new(raw));
        let reveals = header.doc.reveals.as_deref().map(Name::from);
        list.add_layer(RawLayer {
            reveals,
            ..base_layer(id, origin, body)
        });
        if let Some(function) = otherwise {
            list.add_layer(base_layer(id, always, script(function)));
        }
        Ok(())
    }

    /// Only a mod itself gives what is in its chapters.
    pub(super) fn own_chapter(
        &self,
        origin: &Origin,
        [module, chapter, name]: [&str; 3],
    ) -> Result<(), Fault> {
        if *origin.module == *module {
            return Ok(());
        }
        let message = format!(
            "expected only mod `{module}` to give `{chapter}.{name}` of its chapters, found mod `{}`",
            origin.module
        );
        Err(Fault::new(FaultCode::WrongOwner, message).hint(format!(
            "`{module}.over.{chapter}.{name}` takes lines, `rules.wrap({module}.{chapter}.{name}, …)` a wrap"
        )))
    }

    /// A function that always gives what a header says instead of the rule.
    fn neutral(&self, lua: &Lua, text: &str) -> Result<Function, Fault> {
        let value = neutral_value(lua, text)?;
        let made = match self.neutral.get() {
            Some(make) => make.call(value),
            None => {
                let make = lua
                    .load("local value = ...\nreturn function()\n    return value\nend")
                    .set_name("=[houserule]/neutral.luau")
                    .into_function();
                make.and_then(|make| self.neutral.get_or_init(|| make).call(value))
            }
        };
        made.map_err(|error| Fault::new(FaultCode::Script, error.to_string()))
    }
}

/// What a header says that is given instead of the rule.
fn neutral_value(lua: &Lua, text: &str) -> Result<LuaValue, Fault> {
    let value = match text {
        "nil" => LuaValue::Nil,
        "true" => LuaValue::Boolean(true),
        "false" => LuaValue::Boolean(false),
        "{}" => {
            let empty = lua
                .create_table()
                .map_err(|error| Fault::new(FaultCode::Script, error.to_string()))?;
            empty.set_readonly(true);
            LuaValue::Table(empty)
        }
        text => {
            let word = text
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            match (text.parse::<i64>(), word) {
                (Ok(n), _) => LuaValue::Number(n as f64),
                (_, Some(word)) => {
                    let made = lua
                        .create_string(word)
                        .map_err(|error| Fault::new(FaultCode::Script, error.to_string()))?;
                    LuaValue::String(made)
                }
                _ => {
                    let message = format!(
                        "expected what a rule gives without its clause, found `{text}` after `else`"
                    );
                    return Err(Fault::new(FaultCode::BadSignature, message)
                        .hint("a whole number, `nil`, `true`, `false`, `{}` or a word in quotes"));
                }
            }
        }
    };
    Ok(value)
}
