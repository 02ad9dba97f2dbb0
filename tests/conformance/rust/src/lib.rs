//! Every part of the contract, in Rust; its twin is `luau/both.luau`.

#[rustfmt::skip]
mod bindings;
mod night;
mod play;
mod survey;

houserule_guest::module!();
