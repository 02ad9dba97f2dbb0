//! House rules for the drill: squads fire again where they missed, and
//! stragglers fall in.

#[rustfmt::skip]
mod bindings;
mod fire;
mod rally;

houserule_guest::module!();
