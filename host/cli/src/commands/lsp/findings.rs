//! What `houserule check` finds in files as they are saved, told by somebody
//! beside who answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::workshop::Workshop;
use houserule::{Looker, printable};
use lsp_server::{Message, Notification};
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, PublishDiagnosticsParams, Uri};

use super::messages::send;
use super::texts::{file_at, file_of, range, uri_of};
use crate::commands::check::{faults_of_mod, looked_again};

/// What is asked: files that are open or were saved.
type Asked = BTreeSet<PathBuf>;

/// Somebody who looks at files when asked to.
pub(super) struct Findings {
    asked: Sender<Asked>,
}

impl Findings {
    /// Begins to look at the mods in some folders.
    pub fn begin(folders: Vec<PathBuf>) -> Findings {
        let (asked, asks) = channel();
        std::thread::spawn(move || Checking { folders, ..Checking::default() }.work(&asks));
        Findings { asked }
    }

    /// Asks to look at files.
    pub fn look(&self, files: Asked) {
        // Who has stopped looking is not asked again.
        let _ = self.asked.send(files);
    }
}

#[derive(Default)]
struct Checking {
    folders: Vec<PathBuf>,
    looker: Looker,
    /// What editors were told of, by file.
    told: BTreeMap<PathBuf, Vec<Diagnostic>>,
}

impl Checking {
    fn work(mut self, asks: &Receiver<Asked>) {
        while let Ok(mut files) = asks.recv() {
            files.extend(asks.try_iter().flatten());
            if self.look(&files).is_none() {
                return;
            }
        }
    }

    /// Looks at the mods of some files; nothing when nobody listens any more.
    fn look(&mut self, files: &Asked) -> Option<()> {
        let (workshop, broken) = Workshop::open(&self.folders);
        let mut by_mod: BTreeMap<Name, Vec<String>> = BTreeMap::new();
        for path in files {
            if let Some((module, file)) = file_of(path, &workshop) {
                by_mod.entry(module).or_default().push(file);
            }
        }
        let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> =
            files.iter().map(|path| (path.clone(), Vec::new())).collect();
        for (module, files) in &by_mod {
            for fault in self.faults(&workshop, &broken, module, files) {
                if let Some((path, diagnostic)) = diagnostic(&fault, &workshop) {
                    found.entry(path).or_default().push(diagnostic);
                }
            }
        }
        // What was told of other files of these mods may hold no more.
        for path in self.told.keys() {
            let is_of = file_of(path, &workshop).is_none_or(|(module, _)| by_mod.contains_key(&module));
            if is_of {
                found.entry(path.clone()).or_default();
            }
        }
        found.into_iter().try_for_each(|(path, all)| self.tell(path, all))
    }

    /// What breaks a mod, wherever it is; of a whole one, what looks wrong in
    /// the files.
    fn faults(
        &mut self,
        workshop: &Workshop,
        broken: &[Fault],
        module: &Name,
        files: &[String],
    ) -> Vec<Fault> {
        let faults = faults_of_mod(workshop, broken, module);
        if !faults.is_empty() {
            return faults;
        }
        let set = [vec![module.clone()]];
        let looked = files.iter().flat_map(|file| looked_again(&mut self.looker, workshop, &set, Some(file)));
        looked.collect()
    }

    fn tell(&mut self, path: PathBuf, mut all: Vec<Diagnostic>) -> Option<()> {
        all.dedup();
        let before = self.told.get(&path).map_or(&[][..], Vec::as_slice);
        if before != all.as_slice() {
            send(&published(uri_of(&path)?, all.clone())).ok()?;
        }
        match all.is_empty() {
            true => self.told.remove(&path),
            false => self.told.insert(path, all),
        };
        Some(())
    }
}

fn published(uri: Uri, diagnostics: Vec<Diagnostic>) -> Message {
    let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
    Notification::new("textDocument/publishDiagnostics".into(), params).into()
}

/// A fault as editors show it, and the file that it is in.
fn diagnostic(fault: &Fault, workshop: &Workshop) -> Option<(PathBuf, Diagnostic)> {
    let place = fault.place.as_ref()?;
    let (path, text) = file_at(place, workshop)?;
    let hint = fault.hint.iter().map(|hint| format!("\nhint: {}", printable::line(hint)));
    let message = std::iter::once(printable::line(&fault.message).to_string()).chain(hint).collect();
    let diagnostic = Diagnostic {
        range: range(&text, place),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(fault.code.to_string())),
        source: Some("houserule".into()),
        message,
        ..Diagnostic::default()
    };
    Some((path, diagnostic))
}
