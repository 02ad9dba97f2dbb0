//! Files of mods, and what `require` means in them, for the checker.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::Place;
use kernel::value::Name;
use kernel::world::closest;
use luau_analysis::diagnostics::TypeCheckLimits;
use luau_analysis::frontend::resolver::ModuleInfo;
use luau_analysis::{FileResolver, ModuleName, SourceCode, SourceCodeType};
use luau_common::BString;
use luau_syntax::ast::Expression;
use luau_syntax::location::Position;

use super::annotate::{Annotated, annotate};
use super::{CheckerSetup, Finding};
use crate::by_text::ByText;
use matches::workshop::Workshop;
use rules::modset::{published_types, relative};

/// Files with types written in, by what the rulebook knows and their text.
static ANNOTATED: ByText<Annotated> = ByText::new();

/// Every file of the mods that are composed, with what the rulebook knows written
/// in.
pub(super) struct AnnotatedFiles {
    files: BTreeMap<String, Arc<Annotated>>,
    exports: BTreeMap<String, Vec<Name>>,
    /// What `require` of a module gives, by its name with the `@`.
    modules: BTreeMap<String, String>,
}

impl AnnotatedFiles {
    /// The files of some mods, by what is known of them.
    pub fn new(workshop: &Workshop, mods: &[Name], prepared: &CheckerSetup) -> Arc<AnnotatedFiles> {
        let (base, known) = (&*prepared.base, &prepared.annotating);
        let mut files = BTreeMap::new();
        for (id, sources) in workshop
            .sources()
            .iter()
            .filter(|(id, _)| mods.contains(id))
        {
            for (path, text) in sources.under("rules").chain(sources.under("tests")) {
                let is_test = path.starts_with("tests/");
                let sort = if is_test { "test" } else { "rules" };
                let annotated =
                    ANNOTATED.get(&[base, sort, text], || annotate(text, is_test, known));
                files.insert(module_name(id, path), annotated);
            }
        }
        let manifests = workshop.manifests().iter();
        let exports = manifests
            .map(|(id, manifest)| (id.to_string(), manifest.exports.clone()))
            .collect();
        let modules = prepared
            .modules
            .iter()
            .map(|(name, text)| (format!("@{name}"), text.clone()))
            .collect();
        Arc::new(AnnotatedFiles {
            files,
            exports,
            modules,
        })
    }

    /// The line and column, from 1, that an author sees.
    pub fn origin(&self, place: &Place, position: Position) -> (u32, u32) {
        match self.files.get(&module_name(&place.module, &place.file)) {
            Some(file) => file.origin(position),
            None => (position.line + 1, position.column + 1),
        }
    }

    /// Whether what is returned there is held against the wrong function.
    pub fn is_misjudged(&self, place: &Place, position: Position) -> bool {
        let file = self.files.get(&module_name(&place.module, &place.file));
        file.is_some_and(|file| file.is_misjudged(position))
    }

    /// A type that a file would have from its mod, and that there is not: where its
    /// author names it.
    pub fn misspelt(&self, place: &Place, position: Position, message: &str) -> Option<Finding> {
        let name = message.strip_prefix("Unknown type '")?.strip_suffix('\'')?;
        let name = name.strip_prefix(&*place.module)?.strip_prefix('.')?;
        let file = self.files.get(&module_name(&place.module, &place.file))?;
        let (line, column) = file
            .first_use(name)
            .filter(|_| file.is_declared(position))?;
        let types = self
            .modules
            .get(&format!("@{}", place.module))
            .into_iter()
            .flat_map(|text| text.lines());
        let types =
            types.filter_map(|line| line.strip_prefix("export type ")?.split([' ', '=']).next());
        let near = closest(name, types.chain(published_types()));
        Some(Finding {
            place: Place {
                line,
                column,
                ..place.clone()
            },
            message: format!("Unknown type '{name}'"),
            hint: near.map(|near| format!("did you mean `{near}`?")),
        })
    }

    /// How many letters a file has.
    pub fn size(&self, place: &Place) -> usize {
        self.files
            .get(&module_name(&place.module, &place.file))
            .map_or(0, |file| file.text.len())
    }

    /// The names of files that are other than they were.
    pub fn other_than(&self, before: &AnnotatedFiles) -> Vec<String> {
        let text = |files: &AnnotatedFiles, name: &str| {
            files.files.get(name).map(|file| file.text.clone())
        };
        let all: std::collections::BTreeSet<&String> =
            self.files.keys().chain(before.files.keys()).collect();
        all.into_iter()
            .filter(|name| text(self, name) != text(before, name))
            .cloned()
            .collect()
    }

    /// Everything that is read when a file is checked, by what it requires.
    pub fn read_by(&self, place: &Place) -> Vec<&str> {
        let mut left = vec![module_name(&place.module, &place.file)];
        let mut found: BTreeMap<String, &str> = BTreeMap::new();
        while let Some(name) = left.pop() {
            let Some(file) = self.files.get(&name) else {
                continue;
            };
            if found.insert(name.clone(), &file.text).is_none() {
                let wanted = file
                    .text
                    .split("require(\"")
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next());
                left.extend(wanted.filter_map(|wanted| self.resolve(&name, wanted)));
            }
        }
        found.into_values().collect()
    }

    /// As in the machine that runs them.
    fn resolve(&self, from: &str, wanted: &str) -> Option<String> {
        let (module, path) = from.split_once('/')?;
        let name = match wanted.strip_prefix('@') {
            None => module_name(module, &relative(path, wanted)?),
            Some(rest) => {
                let (other, stem) = rest.split_once('/')?;
                let path = format!("{stem}.luau");
                let exports = self.exports.get(other)?;
                if other != module && !exports.iter().any(|export| **export == *path) {
                    return None;
                }
                module_name(other, &path)
            }
        };
        self.files.contains_key(&name).then_some(name)
    }
}

/// What the checker calls a file.
pub(super) fn module_name(module: &str, path: &str) -> String {
    format!("{module}/{path}")
}

/// The checker's way to the files.
pub(super) struct Resolver(Arc<AnnotatedFiles>);

impl Resolver {
    pub fn new(files: Arc<AnnotatedFiles>) -> Resolver {
        Resolver(files)
    }
}

impl FileResolver for Resolver {
    fn read_source(&mut self, name: &ModuleName) -> Option<SourceCode> {
        let name = name.to_string();
        let source = match self.0.modules.get(&name) {
            Some(text) => text.clone(),
            None => self.0.files.get(&name)?.text.clone(),
        };
        Some(SourceCode {
            source: BString::from(source),
            kind: SourceCodeType::Module,
        })
    }

    fn resolve_module(
        &mut self,
        context: Option<&ModuleInfo>,
        expression: Expression<'_>,
        _limits: &TypeCheckLimits,
    ) -> Option<ModuleInfo> {
        let wanted = expression.as_string()?.value.as_bstr().to_string();
        let wanted = wanted.strip_suffix('?').unwrap_or(&wanted).to_string();
        let name = match self.0.modules.contains_key(&wanted) {
            true => wanted,
            false => self.0.resolve(&context?.name.to_string(), &wanted)?,
        };
        Some(ModuleInfo {
            name: BString::from(name),
            optional: false,
        })
    }
}
