//! What files may not notice, and may not do, however they are compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type};

use super::LuaHost;
use rules::hosting::registry::{Returns, Signature};

/// Runs a file that may require a second one.
fn run(source: &str) -> Result<(), Fault> {
    let host = LuaHost::new(BTreeMap::new(), BTreeSet::new(), &BTreeMap::new()).unwrap();
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
    assert_eq!(
        run("assert(tostring({}) == 'table' and tostring(print) == 'nil')"),
        Ok(())
    );
    assert_eq!(
        run("assert(not pcall(setmetatable, {}, { __mode = 'k' }))"),
        Ok(())
    );
    assert_eq!(
        code("setmetatable({}, { __mode = 'k' })"),
        Some(FaultCode::Script)
    );
    // Some hundred of these powers are others in the library of the system.
    let powers = "local x, y = 1 + n % 91 / 50, n % 87 / 40 \
                  assert(x ^ y == math.pow(x, y), `{x} ^ {y}`)";
    assert_eq!(run(&format!("for n = 1, 4000 do {powers} end")), Ok(()));
    assert_eq!(run("assert(1.74 ^ 1.526 == math.pow(1.74, 1.526))"), Ok(()));
    let (x, base) = (536_870_912.0, 2.0);
    // The built-in logarithm gives 29 exactly, ours the same bits everywhere.
    let ours = libm::log(x) / libm::log(base);
    assert!(ours > 29.0);
    assert_eq!(
        run(&format!("assert(math.log({x:?}, {base:?}) == {ours:?})")),
        Ok(())
    );
}

/// A script that eats memory meets a limit: that of memory, or, where much was
/// copied before it was tidied, that of instructions.
#[test]
fn a_file_meets_a_limit_also_after_it_called_the_host() {
    let bomb = "local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 100000) .. i end";
    let after_host = format!("local b = require('./b') {bomb}");
    let caught = format!("pcall(function() {bomb} end)");
    for script in [bomb, &after_host, &caught] {
        let code = code(script);
        assert!(
            matches!(code, Some(FaultCode::TooMuchMemory | FaultCode::TooLong)),
            "{code:?}"
        );
    }
}

#[test]
fn environments_cannot_be_changed() {
    assert_eq!(code("math.max = nil"), Some(FaultCode::Script));
    assert_eq!(code("helper = 1"), Some(FaultCode::BadSignature));
    assert_eq!(
        run("assert(math.max(1, 2) == 2 and #{ string.byte('ab', 1, 2) } == 2)"),
        Ok(())
    );
}

#[test]
fn a_layer_checks_and_passes_on_what_its_signature_lists() {
    let field = |name: &str, ty| kernel::value::Field {
        name: Name::from(name),
        ty,
    };
    let args = [
        field("unit", Type::Entity(None)),
        field("reach", Type::Optional(Arc::new(Type::Length))),
        field("data", Type::Any),
    ];
    let signature = Signature {
        args: args.into(),
        returns: Returns::Value(Type::Bool),
        effects: Default::default(),
    };
    let source = super::layer::LayerShape::of(&signature, false, false).source();
    for line in [
        "return function(caller, a1, a2, a3, extra)",
        "if typeof(a1) ~= \"entity\" then bad_argument(layer, 1, a1) end",
        "if a2 ~= nil and type(a2) ~= \"number\" then bad_argument(layer, 2, a2) end",
        "if extra ~= nil then bad_argument(layer, 4, extra) end",
        "local result = impl(game, a1, a2, a3)",
        "if type(result) ~= \"boolean\" then bad_result(layer, result) end",
    ] {
        assert!(
            source.lines().any(|found| found == line),
            "{line}\n{source}"
        );
    }
    // A wrap that passes on something wrong is told so, not the layer under it.
    let around = super::layer::LayerShape::of(&signature, true, false).source();
    assert!(
        around.contains("impl(base, game, a1, a2, a3)")
            && around.contains("bad_argument(layer, 1, a1)")
    );
}

#[test]
fn a_layer_checks_ranges_and_words() {
    let field = |name: &str, ty| kernel::value::Field {
        name: Name::from(name),
        ty,
    };
    let words = Type::Enum(Arc::from(["near".into(), "far".into()]));
    let args = [
        field(
            "reach",
            Type::Optional(Arc::new(Type::Int { min: -1, max: 5 })),
        ),
        field("band", words),
    ];
    let signature = Signature {
        args: args.into(),
        returns: Returns::Nothing,
        effects: Default::default(),
    };
    let source = super::layer::LayerShape::of(&signature, false, false).source();
    for line in [
        "if a1 ~= nil and (type(a1) ~= \"number\" or a1 < -1 or a1 > 5 or a1 % 1 ~= 0) then bad_argument(layer, 1, a1) end",
        "if a2 ~= \"near\" and a2 ~= \"far\" then bad_argument(layer, 2, a2) end",
    ] {
        assert!(
            source.lines().any(|found| found == line),
            "{line}\n{source}"
        );
    }
}
