//! What files may not notice, and may not do, however they are compiled.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type};

use super::LuaHost;
use super::registry::{Returns, Signature};

/// Runs a file that may require a second one.
fn run(source: &str) -> Result<(), Fault> {
    let host = LuaHost::new(BTreeMap::new(), &BTreeMap::new()).unwrap();
    let module = Name::from("skirmish");
    host.add_file(&module, "rules/a.luau", &Arc::from(source), false);
    host.add_file(&module, "rules/b.luau", &Arc::from("return { 1 }"), false);
    host.run_file(&module, "rules/a.luau")
}

fn code(source: &str) -> Option<FaultCode> {
    run(source).err().map(|fault| fault.code)
}

#[test]
fn replaced_functions_are_not_compiled_as_the_built_in_ones() {
    assert_eq!(run("assert(tostring({}) == 'table' and tostring(print) == 'nil')"), Ok(()));
    assert_eq!(run("assert(not pcall(setmetatable, {}, { __mode = 'k' }))"), Ok(()));
    assert_eq!(code("setmetatable({}, { __mode = 'k' })"), Some(FaultCode::Script));
    let (x, base) = (536_870_912.0, 2.0);
    // The built-in logarithm gives 29 exactly, ours the same bits everywhere.
    let ours = libm::log(x) / libm::log(base);
    assert!(ours > 29.0);
    assert_eq!(run(&format!("assert(math.log({x:?}, {base:?}) == {ours:?})")), Ok(()));
}

#[test]
fn a_file_meets_the_limit_of_memory_also_after_it_called_the_host() {
    let bomb = "local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 100000) .. i end";
    assert_eq!(code(bomb), Some(FaultCode::TooMuchMemory));
    assert_eq!(code(&format!("local b = require('./b') {bomb}")), Some(FaultCode::TooMuchMemory));
    let caught = format!("pcall(function() {bomb} end)");
    assert_eq!(code(&caught), Some(FaultCode::TooMuchMemory));
}

#[test]
fn environments_cannot_be_changed() {
    assert_eq!(code("math.max = nil"), Some(FaultCode::Script));
    assert_eq!(code("helper = 1"), Some(FaultCode::Script));
    assert_eq!(run("assert(math.max(1, 2) == 2 and #{ string.byte('ab', 1, 2) } == 2)"), Ok(()));
}

#[test]
fn a_layer_checks_and_passes_on_what_its_signature_lists() {
    let field = |name: &str, ty| kernel::value::Field { name: Name::from(name), ty };
    let args = [
        field("unit", Type::Entity(None)),
        field("reach", Type::Optional(Arc::new(Type::Length))),
        field("data", Type::Any),
    ];
    let signature =
        Signature { args: args.into(), returns: Returns::Value(Type::Bool), effects: Default::default() };
    let source = super::layer::Shape::of(&signature, false, true).source();
    for line in [
        "return function(_, a1, a2, a3)",
        "if typeof(a1) ~= \"entity\" then bad_argument(1, a1) end",
        "if a2 ~= nil and type(a2) ~= \"number\" then bad_argument(2, a2) end",
        "local result = impl(game, a1, a2, a3)",
        "if type(result) ~= \"boolean\" then bad_result(result) end",
    ] {
        assert!(source.lines().any(|found| found == line), "{line}\n{source}");
    }
    let around = super::layer::Shape::of(&signature, true, true).source();
    assert!(around.contains("impl(base, game, a1, a2, a3)") && !around.contains("bad_argument("));
}
