//! Components that are written by hand, to do harm or to remember what they may not.

use houserule::modset::files::Sources;
use houserule::wasm::{pack, source_hash};
use houserule_tests::folder;
use houserule_tests::raw::{RawModule, counting, given, harmful, node};
use kernel::error::FaultCode;
use wasm_encoder::{BlockType, Instruction, MemArg};

use super::{Files, attack, file, in_luau, outer, refused, started, workshop};

#[test]
fn harm_at_the_start_is_refused() {
    let source = source_hash(&folder("tally/c")).unwrap();
    let starting = |start: &[Instruction<'static>]| RawModule {
        start: start.to_vec(),
        ..RawModule::default()
    };
    let (back, trap) = (BlockType::Empty, Instruction::Unreachable);
    // 1,000 pages again and again, while they are given; then a trap.
    let grow = [
        Instruction::Loop(back),
        Instruction::I32Const(1000),
        Instruction::MemoryGrow(0),
        Instruction::I32Const(-1),
        Instruction::I32Ne,
        Instruction::BrIf(0),
        Instruction::End,
        trap.clone(),
    ];
    let again = [
        Instruction::Loop(back),
        Instruction::Br(0),
        Instruction::End,
    ];
    let cases = [
        ("it traps", starting(&[trap]).component(), FaultCode::Script),
        (
            "it never ends",
            starting(&again).component(),
            FaultCode::TooLong,
        ),
        (
            "it is too large",
            starting(&grow).component(),
            FaultCode::TooMuchMemory,
        ),
    ];
    for (name, bytes, code) in cases {
        let fault = refused(&bytes);
        assert_eq!(fault.code, code, "{name}: {fault}");
    }
    let alien = RawModule {
        import: Some(("env", "clock", 0)),
        ..RawModule::default()
    };
    let alien = pack(&alien.module(), &source).unwrap_err();
    assert_eq!(alien.code, FaultCode::BadComponent);
    assert!(alien.message.contains("keeps to the contract"), "{alien}");
}

const CALLS_SUM: &str = r#"
local outer = require("@outer")
local rules = require("@rules")
outer.play.go = rules.action { phase = "both.play.turn" }
function outer.play.go_perform(game: Acts, _side: string, _params: any)
    game:call("both.play.sum", 1, 2)
end
"#;

/// Harm, the component that does it, and what stops it.
type Harm = (&'static str, Vec<u8>, FaultCode);

/// A word in memory, so far behind the place that is on the stack.
fn at(offset: u64) -> MemArg {
    MemArg {
        offset,
        align: 2,
        memory_index: 0,
    }
}

/// A component whose rule runs these instructions.
fn does(call: Vec<Instruction<'static>>) -> Vec<u8> {
    harmful(call, &[])
}

/// Components that are written by hand to do harm.
fn harm_by_hand() -> Vec<Harm> {
    [harm_without_end(), harm_that_traps(), harm_in_results()].concat()
}

/// What never ends, or takes memory until there is none.
fn harm_without_end() -> Vec<Harm> {
    use Instruction as I;
    let (number, empty) = (I::I32Const, BlockType::Empty);
    let forever = |body: &[Instruction<'static>]| {
        [&[I::Loop(empty)], body, &[I::Br(0), I::End, I::Unreachable]].concat()
    };
    let long = FaultCode::TooLong;
    // Its functions are numbered from 1 on: what registers, what is called, what makes room.
    let itself = vec![I::LocalGet(0), I::LocalGet(1), I::LocalGet(2), I::Call(2)];
    let grow = [
        number(100),
        I::MemoryGrow(0),
        number(-1),
        I::I32Eq,
        I::If(empty),
        I::Unreachable,
        I::End,
    ];
    vec![
        ("an endless loop", does(forever(&[])), long),
        (
            "an endless loop that fills",
            does(forever(&[
                number(0),
                number(7),
                number(60_000),
                I::MemoryFill(0),
            ])),
            long,
        ),
        (
            "an endless loop that copies",
            does(forever(&[
                number(0),
                number(8),
                number(60_000),
                I::MemoryCopy {
                    src_mem: 0,
                    dst_mem: 0,
                },
            ])),
            long,
        ),
        ("recursion", does(itself), FaultCode::TooDeep),
        (
            "memory without end",
            does(forever(&grow)),
            FaultCode::TooMuchMemory,
        ),
        (
            "memory at once",
            does(vec![
                number(60_000),
                I::MemoryGrow(0),
                I::Drop,
                I::Unreachable,
            ]),
            FaultCode::TooMuchMemory,
        ),
    ]
}

/// What does something that no instruction may, and what gives a result that is
/// no place in its memory.
fn harm_that_traps() -> Vec<Harm> {
    use Instruction as I;
    let (number, script) = (I::I32Const, FaultCode::Script);
    vec![
        ("a trap", does(vec![I::Unreachable]), script),
        (
            "a read outside",
            does(vec![number(-4), I::I32Load(at(0))]),
            script,
        ),
        (
            "a write outside",
            does(vec![number(-4), number(1), I::I32Store(at(0)), number(64)]),
            script,
        ),
        (
            "a division by nothing",
            does(vec![number(1), number(0), I::I32DivU]),
            script,
        ),
        ("a result outside", does(vec![number(-8)]), script),
        ("a result that is crooked", does(vec![number(65)]), script),
    ]
}

/// What gives a result that is no value, or none of the type that it promises.
fn harm_in_results() -> Vec<Harm> {
    let gives = |result: &[(i32, Vec<u8>)]| harmful(vec![Instruction::I32Const(64)], result);
    let script = FaultCode::Script;
    vec![
        (
            "more nodes than there is memory",
            gives(&[given(88, u32::MAX)]),
            script,
        ),
        ("nodes outside", gives(&[given(0xffff_fff0, 1)]), script),
        (
            "a node of no kind",
            gives(&[given(88, 1), node(200, 0, 0)]),
            script,
        ),
        (
            "a text outside",
            gives(&[given(88, 1), node(3, 0xffff_0000, 99)]),
            script,
        ),
        (
            "a text that is none",
            gives(&[given(88, 1), node(3, 88, 4), (88 + 16, vec![0xff; 4])]),
            FaultCode::BadReturn,
        ),
        (
            "a list that holds itself",
            gives(&[given(88, 1), node(11, 0, 1)]),
            FaultCode::WrongType,
        ),
        (
            "a list that is not there",
            gives(&[given(88, 1), node(11, 5, 1_000_000)]),
            FaultCode::WrongType,
        ),
        (
            "a record that holds itself",
            gives(&[given(88, 1), node(12, 0, 2)]),
            FaultCode::WrongType,
        ),
        (
            "an entity that is none",
            gives(&[given(88, 1), node(4, 77_777, 0)]),
            FaultCode::BadReturn,
        ),
    ]
}

#[test]
fn harm_by_hand_is_contained() {
    for (name, bytes, code) in harm_by_hand() {
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let manifest = r#"Mod(id: "bad", version: "1.0.0", title: "Bad", engine: "0.1", depends: [("both", "1")])"#;
        let bad: Files = [file("mod.ron", manifest), file("rules/bad.wasm", &text)].into();
        let tally = Sources::read(&folder("tally")).unwrap().to_files();
        let workshop = workshop([in_luau(), tally, outer(CALLS_SUM), bad]);
        let mut game = started(&workshop, "both/field", &["outer", "bad"])
            .unwrap_or_else(|f| panic!("{name}: {f:?}"));
        let before = (
            game.hash(),
            game.events(),
            game.inputs().to_vec(),
            game.wanted(),
        );
        let fault =
            attack(&mut game, "outer.play.go").unwrap_or_else(|| panic!("{name} goes through"));
        assert_eq!(fault.code, code, "{name}: {fault}");
        assert_eq!(
            before,
            (
                game.hash(),
                game.events(),
                game.inputs().to_vec(),
                game.wanted()
            ),
            "{name}"
        );
    }
}

/// What asks a rule that counts how often it was called, and to which another
/// component adds a hundred: twice in one action, and to know whether the action
/// is allowed.
const CALLS_COUNTED: &str = r#"
local outer = require("@outer")
local rules = require("@rules")
outer.play.go = rules.action { phase = "both.play.turn" }
function outer.play.go_allowed(game: Reads, _side: string): Reason?
    local first = game:call("both.play.sum", 1, 2)
    return rules.refuse(first ~= 101, `it gave {first}`)
end
function outer.play.go_perform(game: Acts, _side: string, _params: any)
    local first, second = game:call("both.play.sum", 1, 2), game:call("both.play.sum", 1, 2)
    if first ~= 101 or second ~= 102 then error(`{first} and {second}`) end
end
"#;

#[test]
fn nothing_stays_in_an_instance_after_the_call_of_the_kernel() {
    let bytes = counting();
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let manifest = r#"Mod(id: "bad", version: "1.0.0", title: "Bad", engine: "0.1", depends: [("both", "1")])"#;
    let bad: Files = [file("mod.ron", manifest), file("rules/bad.wasm", &text)].into();
    let tally = Sources::read(&folder("tally")).unwrap().to_files();
    let workshop = workshop([in_luau(), tally, outer(CALLS_COUNTED), bad]);
    let mut game = started(&workshop, "both/field", &["outer", "bad"]).unwrap();
    for _ in 0..3 {
        let fault = attack(&mut game, "outer.play.go");
        assert!(fault.is_none(), "{}", fault.unwrap());
    }
}

/// The same for what counts in one place after the other: in memory that is there
/// from the start, in what is handed out, and in a global.
#[test]
fn wherever_an_instance_remembers_something_it_is_put_back() {
    use Instruction as I;
    let number = I::I32Const;
    let counted = |place: i32| {
        let more = [
            number(place),
            number(place),
            I::I32Load(at(0)),
            number(1),
            I::I32Add,
            I::I32Store(at(0)),
        ];
        let given = [
            number(96),
            number(place),
            I::I32Load(at(0)),
            I::I32Store(at(0)),
            number(64),
        ];
        [&more[..], &given].concat()
    };
    // What hands memory out begins at 1,024.
    let raised = [I::GlobalGet(0), number(8), I::I32Add, I::GlobalSet(0)];
    let shown = [
        number(96),
        I::GlobalGet(0),
        number(1024),
        I::I32Sub,
        I::I32Store(at(0)),
        number(64),
    ];
    // Another component adds a hundred; what hands memory out has given 72 bytes for the arguments.
    let cases = [
        ("the first page", counted(96), 101),
        ("a page that nothing else is in", counted(50_000), 101),
        ("the last bytes", counted(65_532), 101),
        ("a global", [&raised[..], &shown].concat(), 180),
    ];
    for (place, call, first) in cases {
        let bytes = harmful(call, &[given(88, 1), node(2, 0, 0)]);
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let manifest = r#"Mod(id: "bad", version: "1.0.0", title: "Bad", engine: "0.1", depends: [("both", "1")])"#;
        let bad: Files = [file("mod.ron", manifest), file("rules/bad.wasm", &text)].into();
        let tally = Sources::read(&folder("tally")).unwrap().to_files();
        let outer = outer(&CALLS_REMEMBERED.replace("FIRST", &first.to_string()));
        let workshop = workshop([in_luau(), tally, outer, bad]);
        let mut game = started(&workshop, "both/field", &["outer", "bad"]).unwrap();
        for _ in 0..4 {
            let fault = attack(&mut game, "outer.play.go");
            assert!(fault.is_none(), "{place}: {}", fault.unwrap());
        }
    }
}

/// What asks a rule twice in one step, which may remember the first time, and
/// before to know whether the step is allowed, which it may not.
const CALLS_REMEMBERED: &str = r#"
local outer = require("@outer")
local rules = require("@rules")
outer.play.go = rules.action { phase = "both.play.turn" }
function outer.play.go_allowed(game: Reads, _side: string): Reason?
    local first = game:call("both.play.sum", 1, 2)
    return rules.refuse(first ~= FIRST, `it gave {first}`)
end
function outer.play.go_perform(game: Acts, _side: string, _params: any)
    local first, second = game:call("both.play.sum", 1, 2), game:call("both.play.sum", 1, 2)
    if first ~= FIRST or second <= first then error(`{first} and {second}`) end
end
"#;
