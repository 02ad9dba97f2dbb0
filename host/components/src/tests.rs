//! What the contract and the kernel both list must be the same list.
//! A code that the contract does not have is the host's own: no mod gives it,
//! and components that were built before go on working.

use kernel::error::FaultCode;
use kernel::value::Value;

use super::code::Code;
use super::direct::memory::{Pristine, WrittenPages};
use super::engine;
use super::v1::bindings::houserule::contract::data::{Node, Span};
use super::v1::{nodes_of, value_of};

#[test]
fn the_contract_has_every_code_in_order() {
    let contract = include_str!("../../../schemas/wit/v1/data.wit");
    let list = contract
        .split("enum fault-code {")
        .nth(1)
        .unwrap()
        .split('}')
        .next()
        .unwrap();
    let codes: Vec<&str> = list
        .split(',')
        .map(str::trim)
        .filter(|code| !code.is_empty())
        .collect();
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

/// What is slower is no mistake, so that only a test finds it.
#[test]
fn components_that_are_built_here_run_by_their_modules() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for path in [
        "mods/tcsbase/rules/tcsbase.wasm",
        "mods/tcs/rules/tcs.wasm",
        "tests/conformance/rules/both.wasm",
    ] {
        let Ok(bytes) = std::fs::read(root.join(path)) else {
            continue;
        };
        let code = Code::load(engine::engine().unwrap(), &bytes);
        assert!(matches!(code, Ok(Code::Direct(_))), "{path}");
    }
}

#[test]
fn memory_that_was_written_is_put_back() {
    let first = Pristine::of(3 << 16, &[(70_000, b"data")]).unwrap();
    assert!(Pristine::of(1 << 16, &[(65_534, b"data")]).is_none());
    let mut memory = vec![0; 3 << 16];
    memory[70_000..70_004].copy_from_slice(b"data");
    let before = memory.clone();
    for place in [0, 4_095, 4_096, 70_001, (3 << 16) - 1] {
        memory[place] = 7;
    }
    // What is not known of some memory, or is too much, is not put back.
    let written = WrittenPages::unknown();
    if first.put_back(&mut memory, &written) {
        assert!(memory == before);
    }
    memory.push(0);
    assert!(!first.put_back(&mut memory, &written));
}

/// Which pages were written is asked each time where the system may make large ones, and
/// else after a fault alone: one more page is one.
#[test]
fn pages_are_put_back_that_were_written_before_and_that_were_not() {
    const SIZE: usize = 3 << 16;
    const ALIGN: usize = 1 << 16;
    let first = Pristine::of(SIZE, &[]).unwrap();
    for makes_large_pages in [true, false] {
        #[cfg(target_os = "linux")]
        nix::sys::prctl::set_thp_disable(!makes_large_pages).unwrap();
        let written = WrittenPages::unknown();
        // So large that it is mapped anew, and no page of it was touched.
        let mut room = vec![0; SIZE + ALIGN];
        let start = room.as_ptr().align_offset(ALIGN);
        let memory = &mut room[start..start + SIZE];
        for places in [[5, 5], [5, 150_000], [5, 90_000], [150_000, 5], [70_000, 5]] {
            for place in places {
                memory[place] = 7;
            }
            // Where the system does not tell, nothing is put back.
            if first.put_back(memory, &written) {
                let found = places.map(|place| memory[place]);
                assert_eq!(found, [0, 0], "{places:?}, {makes_large_pages}");
            }
        }
    }
}

#[test]
fn a_value_comes_back_from_its_arena() {
    let value = Value::list([
        Value::Int(3),
        Value::record([
            ("a", Value::text("x")),
            ("b", Value::list([Value::Bool(true), Value::list([])])),
        ]),
        Value::record([]),
        Value::None,
    ]);
    assert_eq!(value_of(nodes_of(&value)), Ok(value));
    assert_eq!(value_of(Vec::new()), Ok(Value::None));
}

/// Few nodes that hold each other over and over would be much to read, which
/// nobody has paid for.
#[test]
fn a_value_has_no_more_parts_than_nodes() {
    let list = |first, count| Node::Items(Span { first, count });
    // On each level there are two lists, which hold both of the next.
    let mut nodes = vec![list(1, 2)];
    nodes.extend((1..16).flat_map(|level| vec![list(2 * level + 1, 2); 2]));
    nodes.extend([Node::Nothing, Node::Nothing]);
    let fault = value_of(nodes).unwrap_err();
    assert!(
        fault.message.contains("no more parts than nodes"),
        "{fault}"
    );

    // Of long texts that many hold there is no more than a call may hand over.
    let text = Node::Text("x".repeat(1 << 20));
    let mut nodes = vec![list(1, 40)];
    nodes.extend(vec![list(41, 1); 40]);
    nodes.push(text);
    nodes.extend(vec![Node::Nothing; 100]);
    let fault = value_of(nodes).unwrap_err();
    assert!(fault.message.contains("bytes of text"), "{fault}");
}
