//! The file `bindings.rs` of a mod whose rules are in Rust.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::{Name, is_id, owner_of};
use rules::bindings::{ModContext, bindings};
use rules::modset::files::Sources;
use rules::modset::manifest::Manifest;
use rules::modset::selector::{Request, Selector};

use crate::workshop::Workshop;

/// What the rules of a mod can name. The rules of the mod itself are not
/// needed: the file can be written before they compile, also where its data name
/// phases and types that these declare.
///
/// # Errors
/// Everything that is wrong in what the mod declares, or in the mods that it
/// depends on.
pub fn bindings_of(workshop: &Workshop, module: &Name) -> Result<String, Vec<Fault>> {
    let order = with_dependencies(workshop, module)?;
    let mut sources: BTreeMap<Name, Sources> = BTreeMap::new();
    for id in &order {
        if let Some(found) = workshop.sources().get(id) {
            sources.insert(id.clone(), found.clone());
        }
    }
    if let Some(own) = sources.get_mut(module) {
        own.leave_out("rules");
        // Nor is a component missing: it is for that that they are written.
        own.folder = None;
    }
    let (declared, faults) = Workshop::from_sources(sources);
    if !faults.is_empty() {
        return Err(faults);
    }
    let manifests: Vec<&Manifest> = order
        .iter()
        .filter_map(|id| declared.manifests().get(id))
        .collect();
    let awaited = awaited(&declared, module);
    let rulebook = declared.compose_awaiting(&everything(&manifests)?, awaited.clone())?;
    let (book, tables, rules, records) = (
        rulebook.book().clone(),
        rulebook.tables().clone(),
        rulebook.rules().clone(),
        rulebook.records().clone(),
    );
    let warm_host = rulebook.into_warm_host();
    let (book, tables, rules) = (&*book, &tables, &rules);
    Ok(bindings(&ModContext {
        module,
        manifests,
        own: declared.data(module),
        book,
        tables,
        rules,
        records: &records,
        awaited: &awaited,
        registrations: warm_host.registrations(),
    }))
}

/// What the data of a mod name of the mod itself and do not declare: what its
/// rules declare, which are not there yet, or nothing, which `check` tells.
fn awaited(declared: &Workshop, module: &Name) -> BTreeSet<Name> {
    let (Some(sources), Some(data)) = (declared.sources().get(module), declared.data(module))
    else {
        return BTreeSet::new();
    };
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
    let is_own = |word: &&str| is_id(word) && owner_of(word) == &**module;
    let texts = sources.under("data").map(|(_, text)| &**text);
    let words = texts.flat_map(|text: &str| text.split(|c| !is_part(c)));
    let mut found: BTreeSet<Name> = words.filter(is_own).map(Name::from).collect();
    for (_, id) in data.named() {
        found.remove(id);
    }
    found
}

/// A mod and those that it depends on, these first.
fn with_dependencies(workshop: &Workshop, module: &Name) -> Result<Vec<Name>, Vec<Fault>> {
    fn visit(
        workshop: &Workshop,
        id: &Name,
        seen: &mut BTreeSet<Name>,
        order: &mut Vec<Name>,
    ) -> Result<(), Fault> {
        if !seen.insert(id.clone()) {
            return Ok(());
        }
        for depends in &workshop.manifest(id)?.depends {
            visit(workshop, &depends.id, seen, order)?;
        }
        order.push(id.clone());
        Ok(())
    }
    let mut order = Vec::new();
    visit(workshop, module, &mut BTreeSet::new(), &mut order).map_err(|fault| vec![fault])?;
    Ok(order)
}

/// All clauses of some mods.
fn everything(manifests: &[&Manifest]) -> Result<Request, Vec<Fault>> {
    let mut request = Request::default();
    for manifest in manifests {
        let clauses = manifest
            .groups
            .iter()
            .flat_map(|group| &group.clauses)
            .map(|clause| &clause.id);
        for id in std::iter::once(&manifest.id).chain(clauses) {
            request
                .with
                .push(Selector::parse(id).map_err(|fault| vec![fault])?);
        }
    }
    Ok(request)
}
