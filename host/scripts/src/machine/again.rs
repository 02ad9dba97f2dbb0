//! Files of rules that were saved, in a machine that has loaded them before:
//! they and those that required them are run once more, and nothing else is.

use kernel::value::Name;
use mlua::{Function, Table};

use super::LuaHost;
use rules::rulebook::host::{RulesFiles, SavedFile};

impl LuaHost {
    /// Opens registration for files that were saved: gives them and those that
    /// required them, which are to be run again. `None` where they declare
    /// something else than before, on which other files count.
    pub(crate) fn reopen(&self, saved: &[SavedFile<'_>]) -> Option<RulesFiles> {
        let chapters = &self.registrar.chapters;
        let takes = |file: &SavedFile<'_>| chapters.take_headers(file.module, file.path, file.text);
        if !saved.iter().all(takes) {
            return None;
        }
        let files = self.files.replace(saved);
        self.shared.answers.clear();
        chapters.reopen(&files);
        self.registrar.common.is_open.set(true);
        self.is_unfilled.set(true);
        let reopened = self.uncharged(|| {
            self.prelude
                .get::<Table>("chapters")?
                .get::<Function>("reopen")?
                .call::<()>(())
        });
        let by_name = |(module, path): (Name, String)| (module, Name::from(path));
        reopened
            .is_ok()
            .then(|| files.into_iter().map(by_name).collect())
    }
}
