//! What the contract and the kernel both list must be the same list.
//! A code that the contract does not have is the host's own: no mod gives it,
//! and components that were built before go on working.

use kernel::error::FaultCode;
use kernel::value::Value;

use super::v1::{nodes_of, value_of};

#[test]
fn the_contract_has_every_code_in_order() {
    let contract = include_str!("../../../schemas/wit/v1/data.wit");
    let list = contract.split("enum fault-code {").nth(1).unwrap().split('}').next().unwrap();
    let codes: Vec<&str> = list.split(',').map(str::trim).filter(|code| !code.is_empty()).collect();
    let expected: Vec<&str> = FaultCode::ALL.iter().map(|code| code.slug()).collect();
    let (shared, own) = expected.split_at(codes.len());
    assert_eq!(codes, shared);
    assert_eq!(
        own,
        [
            "unstated-reveal",
            "old-journal",
            "plays-otherwise",
            "too-slow",
            "no-order",
            "unreachable",
            "swallowed",
            "unused"
        ]
    );
}

#[test]
fn a_value_comes_back_from_its_arena() {
    let value = Value::list([
        Value::Int(3),
        Value::record([("a", Value::text("x")), ("b", Value::list([Value::Bool(true), Value::list([])]))]),
        Value::record([]),
        Value::None,
    ]);
    assert_eq!(value_of(nodes_of(&value)), Ok(value));
    assert_eq!(value_of(Vec::new()), Ok(Value::None));
}
