//! Mods that cannot be composed, where nobody asked for one of them: they are told
//! and left out, so that the others are listed.

use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::modset::selector::{Request, Selector};
use houserule::workshop::{ComposedRules, Workshop};

use crate::failure::Failure;
use crate::ui::Ui;

/// Composes all mods that there are, but for those that are broken.
///
/// # Errors
/// When no mod is left, or they do not go together.
pub(super) fn compose_what_can_be(
    workshop: &Workshop,
    request: Request,
    ui: &mut Ui,
) -> Result<ComposedRules, Failure> {
    let with: Vec<Selector> = workshop.manifests().keys().map(whole).collect();
    let all = Request { with, ..request };
    let faults = match workshop.compose(&all) {
        Ok(composed) => return Ok(composed),
        Err(faults) => faults,
    };
    let mut broken = Broken::default();
    let mut good = all.clone();
    good.with.retain(|one| {
        let alone = Request {
            with: vec![one.clone()],
            ..Request::default()
        };
        match workshop.compose_alone(&alone) {
            Ok(_) => true,
            Err(faults) => {
                broken.add(&one.module, faults);
                false
            }
        }
    });
    if good.with.is_empty() {
        return Err(broken.faults.into());
    }
    if good.with.len() == all.with.len() {
        return Err(faults.into());
    }
    broken.tell(ui);
    Ok(workshop.compose(&good)?)
}

fn whole(id: &Name) -> Selector {
    Selector {
        module: id.clone(),
        picks: Vec::new(),
    }
}

/// Mods that are left out, and what is wrong with them.
#[derive(Default)]
pub(super) struct Broken {
    faults: Vec<Fault>,
    /// Those in which nothing is wrong but what they stand on.
    with_them: Vec<Name>,
}

impl Broken {
    /// One more of them.
    pub fn add(&mut self, id: &Name, faults: Vec<Fault>) {
        let is_own = |fault: &Fault| {
            let place = fault.place.as_ref();
            place.is_none_or(|place| place.module == *id)
        };
        if !faults.iter().any(is_own) {
            self.with_them.push(id.clone());
        }
        for fault in faults {
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
    }

    /// Says which they are, and why they are left out.
    pub fn tell(&self, ui: &mut Ui) {
        ui.note_left_out(&self.faults);
        for id in &self.with_them {
            ui.note(&format!(
                "left out: `{id}`, which stands on what cannot be read"
            ));
        }
    }
}
