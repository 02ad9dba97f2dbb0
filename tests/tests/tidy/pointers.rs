//! Where code may use pointers as they are, and how long it may be there.

use super::{code_of, short, sources, text};
use houserule_tests::root;

/// The one module, with its parts, that asks the script machine what its safe
/// interface does not tell; see decisions 68, 109, 121, 150, 152, 156, 158,
/// 160, 161, 168, 191, 203 and 258.
const ASKS_MACHINE: &[(&str, usize)] = &[
    ("host/scripts/src/answers/raw.rs", 390),
    ("host/scripts/src/answers/raw/asking.rs", 450),
    ("host/scripts/src/answers/raw/calls.rs", 400),
    ("host/scripts/src/answers/raw/entering.rs", 420),
    ("host/scripts/src/answers/raw/interrupt.rs", 160),
    ("host/scripts/src/answers/raw/reading.rs", 340),
    ("host/scripts/src/answers/raw/room.rs", 100),
    ("host/scripts/src/answers/raw/stack.rs", 600),
    ("host/scripts/src/answers/raw/writing.rs", 250),
    ("host/scripts/src/coordinates.rs", 150),
    ("host/scripts/src/seen.rs", 260),
    ("host/scripts/src/upvalues.rs", 60),
];

/// Where pointers come in from C, and who calls as C does; see decision 106.
const DOOR_FOR_C: &[(&str, usize)] =
    &[("host/c/src/lib.rs", 280), ("host/c/tests/example.rs", 220)];

/// Where memory is asked for: of mimalloc, which is C.
const ALLOCATOR: &[(&str, usize)] = &[("host/cli/src/allocator.rs", 90)];

/// What runs within an instance of a component, where it can harm nobody else:
/// its memory, values that cross its border, and calls of functions by their
/// place; see decisions 137, 249 and 254.
const IN_INSTANCES: &[(&str, usize)] = &[
    ("host/guest/src/arena.rs", 530),
    ("host/guest/src/border.rs", 340),
    ("host/guest/src/lib.rs", 200),
    ("host/guest/src/memory.rs", 350),
    ("host/guest/src/parts.rs", 300),
];

#[test]
fn no_code_is_unsafe() {
    let word = ["un", "safe"].concat();
    let allowed = || {
        let from_outside = DOOR_FOR_C.iter().chain(ALLOCATOR);
        from_outside.chain(ASKS_MACHINE).chain(IN_INSTANCES)
    };
    let may = |path: &std::path::Path| allowed().any(|(known, _)| *known == short(path));
    for path in sources(&[".rs"]).into_iter().filter(|path| !may(path)) {
        let code = code_of(&path);
        let is_there = code
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|part| part == word);
        assert!(!is_there, "{} is {word}", short(&path));
    }
    for (path, most) in allowed() {
        assert!(
            text(&root().join(path)).lines().count() < *most,
            "{path} is longer than it need be"
        );
    }
    assert!(text(&root().join("core/src/lib.rs")).contains(&format!("forbid({word}_code)")));
}
