//! What the machine tells chapters, and looks up in them.

use kernel::value::Name;
use mlua::{Either, Function, Table};

use super::LuaHost;
use crate::vm::fault_of;

/// What stands for a number of arguments that no header says.
const UNKNOWN_COUNT: f64 = -1.0;

impl LuaHost {
    /// Lets files require chapters.
    pub(super) fn offer_chapters<'a>(
        &self,
        options: impl Iterator<Item = &'a Name>,
    ) -> mlua::Result<()> {
        options.for_each(|id| self.registrar.chapters.know("option", id));
        let chapters: Table = self.prelude.get("chapters")?;
        let _ = self.registrar.chapters.module.set(chapters.get("module")?);
        self.registrar
            .clauses
            .keys()
            .for_each(|id| self.registrar.chapters.know("clause", id));
        Ok(())
    }

    /// All files were loaded: what chapters hold stays as it is.
    pub(super) fn seal_chapters(&self, is_whole: bool) {
        let known = self.registrar.chapters.close(&self.registrar, is_whole);
        // Of files that broke off no rulebook is made, and what broke them off is
        // not to be met again here.
        if !is_whole {
            return;
        }
        let sealed = || -> mlua::Result<()> {
            // One list of all, five entries for each.
            let entries: Vec<Either<&str, f64>> = known
                .iter()
                .flat_map(|(module, chapter, name, id, count)| {
                    let texts = [&**module, &**chapter, &**name, &**id].map(Either::Left);
                    let count = count.map_or(UNKNOWN_COUNT, |count| count as f64);
                    texts.into_iter().chain([Either::Right(count)])
                })
                .collect();
            let list = self.lua.create_sequence_from(entries)?;
            self.prelude
                .get::<Table>("chapters")?
                .get::<Function>("seal")?
                .call(list)
        };
        if let Err(error) = self.uncharged(sealed) {
            self.registrar.report(fault_of(&error));
        }
    }

    /// The rules are bound: calls of names go to them, where others were bound before to
    /// those of these.
    pub(super) fn fill_chapters<'a>(
        &self,
        changed: impl Iterator<Item = &'a Name>,
    ) -> mlua::Result<()> {
        self.uncharged(|| {
            let chapters: Table = self.prelude.get("chapters")?;
            if self.is_unfilled.get() {
                return chapters.get::<Function>("fill")?.call(());
            }
            let rules = self.lua.create_sequence_from(changed.map(|id| &**id))?;
            chapters.get::<Function>("fill_again")?.call(rules)
        })
    }
}
