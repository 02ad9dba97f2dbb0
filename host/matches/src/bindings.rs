//! The file `bindings.rs` of a mod whose rules are in Rust.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::Name;
use rules::bindings::{ModContext, bindings};
use rules::modset::files::Sources;
use rules::modset::manifest::Manifest;
use rules::modset::selector::{Request, Selector};

use crate::workshop::Workshop;

/// What the rules of a mod can name. The rules of the mod itself are not
/// needed: the file can be written before they compile.
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
    let rulebook = declared.compose_alone(&everything(&manifests)?)?;
    let (book, tables, rules) = (
        rulebook.book().clone(),
        rulebook.tables().clone(),
        rulebook.rules().clone(),
    );
    let warm_host = rulebook.into_warm_host();
    let (book, tables, rules) = (&*book, &tables, &rules);
    Ok(bindings(&ModContext {
        module,
        manifests,
        book,
        tables,
        rules,
        registrations: warm_host.registrations(),
    }))
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
