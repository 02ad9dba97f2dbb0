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
type CheckedFiles = BTreeSet<PathBuf>;

/// Somebody who looks at files when asked to.
pub(super) struct FindingsThread {
    asked: Sender<CheckedFiles>,
}

impl FindingsThread {
    /// Begins to look at the mods in some folders.
    pub fn begin(folders: Vec<PathBuf>) -> FindingsThread {
        let (asked, asks) = channel();
        std::thread::spawn(move || {
            Checking {
                folders,
                ..Checking::default()
            }
            .work(&asks)
        });
        FindingsThread { asked }
    }

    /// Asks to look at files.
    pub fn look(&self, files: CheckedFiles) {
        // Who has stopped looking is not asked again.
        let _ = self.asked.send(files);
    }
}

#[derive(Default)]
struct Checking {
    folders: Vec<PathBuf>,
    looker: Looker,
    mods: BTreeMap<Name, ModFindings>,
    /// What editors were told of, by file.
    published: BTreeMap<PathBuf, Vec<Diagnostic>>,
}

/// What is wrong with a mod, each with the file that it is in.
#[derive(Default)]
struct ModFindings {
    /// What keeps it from composing, wherever that is.
    broken: Vec<(PathBuf, Diagnostic)>,
    /// What looks wrong in its files, as far as they were looked at.
    files: BTreeMap<String, Vec<(PathBuf, Diagnostic)>>,
}

impl ModFindings {
    /// The mod does not compose: what kept it from that in files that are not
    /// looked at now may only not have been reached.
    fn stays(&mut self, looked_at: &CheckedFiles, found: Vec<(PathBuf, Diagnostic)>) {
        let is_found = |path: &PathBuf| found.iter().any(|(other, _)| other == path);
        self.broken
            .retain(|(path, _)| !looked_at.contains(path) && !is_found(path));
        self.broken.extend(found);
    }
}

impl Checking {
    fn work(mut self, asks: &Receiver<CheckedFiles>) {
        while let Ok(mut files) = asks.recv() {
            files.extend(asks.try_iter().flatten());
            self.look(&files);
            if self.tell().is_none() {
                return;
            }
        }
    }

    /// Looks at some files, and at those of their mods in which something was wrong.
    fn look(&mut self, looked_at: &CheckedFiles) {
        let (workshop, broken) = Workshop::open(&self.folders);
        let mut by_mod: BTreeMap<Name, BTreeSet<String>> = BTreeMap::new();
        for path in looked_at {
            if let Some((module, file)) = file_of(path, &workshop) {
                by_mod.entry(module).or_default().insert(file);
            }
        }
        self.mods
            .retain(|module, _| workshop.sources().contains_key(module));
        for (module, files) in by_mod {
            let known = self.mods.entry(module.clone()).or_default();
            let found = shown(&faults_of_mod(&workshop, &broken, &module), &workshop);
            if !found.is_empty() {
                known.stays(looked_at, found);
                // What looks wrong in files stays so until they compose again.
                for file in files {
                    known.files.entry(file).or_default();
                }
                continue;
            }
            known.broken.clear();
            let mut files = files;
            files.extend(std::mem::take(&mut known.files).into_keys());
            let set = [vec![module]];
            for file in files {
                let faults = looked_again(&mut self.looker, &workshop, &set, Some(&file));
                if !faults.is_empty() {
                    known.files.insert(file, shown(&faults, &workshop));
                }
            }
        }
    }

    /// Tells what has changed; nothing when nobody listens any more.
    fn tell(&mut self) -> Option<()> {
        let mut now: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for known in self.mods.values() {
            for (path, diagnostic) in known.broken.iter().chain(known.files.values().flatten()) {
                let all = now.entry(path.clone()).or_default();
                if !all.contains(diagnostic) {
                    all.push(diagnostic.clone());
                }
            }
        }
        let before = std::mem::replace(&mut self.published, now);
        let paths: BTreeSet<&PathBuf> = before.keys().chain(self.published.keys()).collect();
        for path in paths {
            if before.get(path) != self.published.get(path) {
                let all = self.published.get(path).cloned().unwrap_or_default();
                uri_of(path)
                    .map_or(Ok(()), |uri| send(&published(uri, all)))
                    .ok()?;
            }
        }
        Some(())
    }
}

fn shown(faults: &[Fault], workshop: &Workshop) -> Vec<(PathBuf, Diagnostic)> {
    faults
        .iter()
        .filter_map(|fault| diagnostic(fault, workshop))
        .collect()
}

fn published(uri: Uri, diagnostics: Vec<Diagnostic>) -> Message {
    let params = PublishDiagnosticsParams {
        uri,
        diagnostics,
        version: None,
    };
    Notification::new("textDocument/publishDiagnostics".into(), params).into()
}

/// A fault as editors show it, and the file that it is in.
fn diagnostic(fault: &Fault, workshop: &Workshop) -> Option<(PathBuf, Diagnostic)> {
    let place = fault.place.as_ref()?;
    let (path, text) = file_at(place, workshop)?;
    let hint = fault
        .hint
        .iter()
        .map(|hint| format!("\nhint: {}", printable::line(hint)));
    let message = std::iter::once(printable::line(&fault.message).to_string())
        .chain(hint)
        .collect();
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
