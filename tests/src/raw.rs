//! Modules by hand over the canonical ABI of the contract in `schemas/wit/v1`:
//! no compiler for them is needed.

use houserule::wasm::{pack, source_hash};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, GlobalType, ImportSection, Instruction, MemArg, MemorySection,
    MemoryType, Module, StartSection, TypeSection, ValType,
};

/// A module of the contract; as long as nothing else is said it does nothing.
#[derive(Clone, Default)]
pub struct RawModule {
    /// A function that it imports, number 0: from where, its name, and how
    /// many numbers it takes.
    pub import: Option<(&'static str, &'static str, usize)>,
    /// What is in its memory, and where; from 1,024 on it is handed out.
    pub data: Vec<(i32, Vec<u8>)>,
    /// What it does when it is made.
    pub start: Vec<Instruction<'static>>,
    /// What it registers.
    pub register: Vec<Instruction<'static>>,
    /// What its functions do; they give the place of a result.
    pub call: Vec<Instruction<'static>>,
}

/// Memory is handed out and never taken back: an instance lives for one step.
const ROOM: [Instruction<'static>; 9] = [
    Instruction::GlobalGet(0),
    Instruction::GlobalGet(0),
    Instruction::LocalGet(3),
    Instruction::I32Add,
    Instruction::I32Const(7),
    Instruction::I32Add,
    Instruction::I32Const(-8),
    Instruction::I32And,
    Instruction::GlobalSet(0),
];

impl RawModule {
    /// The module.
    pub fn module(&self) -> Vec<u8> {
        let types = self.types();
        let mut imports = ImportSection::new();
        let first = u32::from(self.import.is_some());
        if let Some((module, name, _)) = self.import {
            imports.import(module, name, EntityType::Function(3));
        }
        let (functions, code) = self.functions();
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut globals = GlobalSection::new();
        let top = GlobalType {
            val_type: ValType::I32,
            mutable: true,
            shared: false,
        };
        globals.global(top, &ConstExpr::i32_const(1024));
        let mut exports = ExportSection::new();
        exports.export("memory", ExportKind::Memory, 0);
        for (name, at) in [("register", 0), ("call", 1), ("cabi_realloc", 2)] {
            exports.export(name, ExportKind::Func, first + at);
        }
        let mut data = DataSection::new();
        for (at, bytes) in &self.data {
            data.active(0, &ConstExpr::i32_const(*at), bytes.iter().copied());
        }
        let mut module = Module::new();
        module
            .section(&types)
            .section(&imports)
            .section(&functions)
            .section(&memories)
            .section(&globals);
        module.section(&exports);
        if !self.start.is_empty() {
            module.section(&StartSection {
                function_index: first + 3,
            });
        }
        module.section(&code).section(&data);
        module.finish()
    }

    /// What its functions take and give; the last is of the one that it imports.
    fn types(&self) -> TypeSection {
        let mut types = TypeSection::new();
        let takes = [0, 3, 4, self.import.map_or(0, |(_, _, takes)| takes)];
        for (count, gives) in takes.into_iter().zip([0, 1, 1, 0]) {
            types
                .ty()
                .function(vec![ValType::I32; count], vec![ValType::I32; gives]);
        }
        types
    }

    /// The functions, each by the number of its type, with what they do.
    fn functions(&self) -> (FunctionSection, CodeSection) {
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        let nowhere = [Instruction::I32Const(0)];
        let call: &[Instruction<'_>] = if self.call.is_empty() {
            &nowhere
        } else {
            &self.call
        };
        for (ty, body) in [
            (0, &self.register[..]),
            (1, call),
            (2, &ROOM),
            (0, &self.start),
        ] {
            functions.function(ty);
            let mut function = Function::new([]);
            body.iter().chain([&Instruction::End]).for_each(|one| {
                function.instruction(one);
            });
            code.function(&function);
        }
        (functions, code)
    }

    /// The component.
    pub fn component(&self) -> Vec<u8> {
        pack(
            &self.module(),
            &source_hash(&crate::folder("blade")).unwrap(),
        )
        .unwrap()
    }
}

/// The component of the mod `blade`: in place of `duel.core.points` every blow costs
/// so much; without a number the function traps.
pub fn blade(points: Option<i64>) -> Vec<u8> {
    let number = |n: i32| Instruction::I32Const(n);
    // The id; before and after nobody; no clauses, nor does it stay; file and line; function 0.
    let wrap = [16, 16, 0, 0, 0, 0, 0, 0, 0, 32, 13, 1, 0].map(number);
    let at = MemArg {
        offset: 0,
        align: 3,
        memory_index: 0,
    };
    let store = |n: i64| {
        vec![
            number(96),
            Instruction::I64Const(n),
            Instruction::I64Store(at),
            number(64),
        ]
    };
    let blade = RawModule {
        import: Some(("houserule:contract/registration@1.0.0", "wrap", wrap.len())),
        data: vec![
            (16, b"duel.core.points".to_vec()),
            (32, b"raw.rs: blade".to_vec()),
            // What `call` gives: no fault, and a list with one node, at 88.
            (64, vec![0, 0, 0, 0, 88, 0, 0, 0, 1, 0, 0, 0]),
            // The node: a whole number, which follows at 96.
            (88, vec![2]),
        ],
        register: [&wrap[..], &[Instruction::Call(0)]].concat(),
        call: points.map_or_else(|| vec![Instruction::Unreachable], store),
        ..RawModule::default()
    };
    blade.component()
}

/// A component that wraps `both.play.sum` and does harm when it is called.
pub fn harmful(call: Vec<Instruction<'static>>, result: &[(i32, Vec<u8>)]) -> Vec<u8> {
    let number = Instruction::I32Const;
    // The id; before and after nobody; no clauses, nor does it stay; file and line; function 0.
    let wrap = [16, 13, 0, 0, 0, 0, 0, 0, 0, 32, 4, 1, 0].map(number);
    let mut data = vec![(16, b"both.play.sum".to_vec()), (32, b"harm".to_vec())];
    data.extend_from_slice(result);
    let raw = RawModule {
        import: Some(("houserule:contract/registration@1.0.0", "wrap", wrap.len())),
        data,
        register: [&wrap[..], &[Instruction::Call(0)]].concat(),
        call,
        ..RawModule::default()
    };
    raw.component()
}

/// No fault, and so many nodes at a place of the memory.
pub fn given(place: u32, nodes: u32) -> (i32, Vec<u8>) {
    (
        64,
        [0_u32, place, nodes]
            .iter()
            .flat_map(|part| part.to_le_bytes())
            .collect(),
    )
}

/// A node: what it is, and two numbers that it holds.
pub fn node(what: u8, first: u32, second: u32) -> (i32, Vec<u8>) {
    let mut bytes = vec![what, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([first, second].iter().flat_map(|part| part.to_le_bytes()));
    (88, bytes)
}

/// A component that wraps `both.play.sum` and gives how often it was called, in
/// memory of its own and in what it gives.
pub fn counting() -> Vec<u8> {
    use Instruction as I;
    let at = |offset| MemArg {
        offset,
        align: 2,
        memory_index: 0,
    };
    let number = I::I32Const;
    // It counts in the number that it gives, and in memory that it takes for itself.
    let grown = [
        number(1),
        I::MemoryGrow(0),
        I::Drop,
        number(65_536),
        number(1),
        I::I32Store(at(0)),
    ];
    let counted = [
        number(96),
        number(96),
        I::I32Load(at(0)),
        number(1),
        I::I32Add,
        I::I32Store(at(0)),
    ];
    let call = [&grown[..], &counted, &[number(64)]].concat();
    harmful(call, &[given(88, 1), node(2, 0, 0)])
}
