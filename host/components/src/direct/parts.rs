//! The module of a component, if it is all that there is in it, and keeps
//! nothing but what can be put back: a memory, and globals that are numbers.

use super::memory::Pristine;
use crate::pack::{number, sections};
use wasmparser::{
    CanonicalFunction, CanonicalOption, ConstExpr, DataKind, FunctionBody, GlobalType, MemoryType,
    Operator, Parser, Payload, TypeRef, ValType,
};

/// What is taken out of a component.
pub(super) struct ComponentParts {
    /// The module, which gives out what it could remember something in.
    pub module: Vec<u8>,
    /// The names of that.
    pub globals: Vec<String>,
    /// Its memory at first.
    pub memory: Pristine,
}

/// The parts of a component; nothing if it has to run as it is.
pub(super) fn of(component: &[u8]) -> Option<ComponentParts> {
    let module = module_in(component)?;
    let Changing {
        globals: changing,
        memory,
    } = changing(module)?;
    let globals: Vec<String> = changing
        .iter()
        .map(|global| format!("houserule:global {global}"))
        .collect();
    let exports: Vec<(&str, u32)> = globals.iter().map(String::as_str).zip(changing).collect();
    Some(ComponentParts {
        module: with_globals(module, &exports)?,
        globals,
        memory,
    })
}

/// The module that a component is made of: the first. Others beside it only
/// pass calls on, and have nothing of their own.
fn module_in(component: &[u8]) -> Option<&[u8]> {
    let mut found = None;
    let mut count = 0;
    for payload in Parser::new(0).parse_all(component) {
        match payload.ok()? {
            Payload::ModuleSection {
                unchecked_range, ..
            } => {
                count += 1;
                found = found.or_else(|| component.get(unchecked_range.clone()));
            }
            Payload::ComponentSection { .. } | Payload::ComponentStartSection { .. } => {
                return None;
            }
            Payload::MemorySection(_) | Payload::GlobalSection(_) | Payload::DataSection(_)
                if count > 1 =>
            {
                return None;
            }
            Payload::ComponentCanonicalSection(functions) => {
                for function in functions {
                    is_plain(&function.ok()?).then_some(())?;
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a function is handed over as we do it: texts in UTF-8, nothing that
/// waits.
fn is_plain(function: &CanonicalFunction) -> bool {
    let (CanonicalFunction::Lift { options, .. } | CanonicalFunction::Lower { options, .. }) =
        function
    else {
        return false;
    };
    options.iter().all(|option| {
        use CanonicalOption::{Memory, PostReturn, Realloc, UTF8};
        matches!(option, UTF8 | Memory(_) | Realloc(_) | PostReturn(_))
    })
}

/// What changes of a module.
struct Changing {
    globals: Vec<u32>,
    memory: Pristine,
}

/// A larger memory is not put back.
const LARGEST: u64 = 16 << 20;

/// What changes of a module; nothing if it is more than that, or if the module
/// runs before it is called.
fn changing(module: &[u8]) -> Option<Changing> {
    let mut globals = Vec::new();
    let mut sizes = Vec::new();
    let mut laid = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload.ok()? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    matches!(import.ok()?.ty, TypeRef::Func(_)).then_some(())?;
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    let memory = memory.ok()?;
                    is_usual(&memory).then(|| sizes.push(memory.initial * PAGE))?;
                }
            }
            Payload::GlobalSection(section) => {
                for (number, global) in (0..).zip(section) {
                    let ty = global.ok()?.ty;
                    if ty.mutable {
                        is_number(&ty).then(|| globals.push(number))?;
                    }
                }
            }
            Payload::DataSection(section) => {
                for data in section {
                    let data = data.ok()?;
                    if let DataKind::Active { offset_expr, .. } = data.kind {
                        laid.push((number_of(&offset_expr)?, data.data));
                    }
                }
            }
            Payload::CodeSectionEntry(body) => leaves_tables(&body).then_some(())?,
            Payload::StartSection { .. } | Payload::TagSection(_) => return None,
            _ => {}
        }
    }
    let [size] = sizes[..] else { return None };
    let memory = Pristine::of(usize::try_from(size).ok()?, &laid)?;
    Some(Changing { globals, memory })
}

/// Bytes in which memories are counted.
const PAGE: u64 = 64 << 10;

/// The number that an expression is, if it is one and nothing else.
fn number_of(expression: &ConstExpr<'_>) -> Option<u32> {
    let mut operators = expression.get_operators_reader().into_iter();
    match (operators.next()?.ok()?, operators.next()?.ok()?) {
        (Operator::I32Const { value }, Operator::End) => Some(value.cast_unsigned()),
        _ => None,
    }
}

fn is_usual(memory: &MemoryType) -> bool {
    let is_small = memory.initial <= LARGEST / PAGE;
    is_small && !memory.memory64 && !memory.shared && memory.page_size_log2.is_none()
}

fn is_number(ty: &GlobalType) -> bool {
    !ty.shared
        && matches!(
            ty.content_type,
            ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64
        )
}

/// Whether a function changes no table, and gives up no part of the module.
fn leaves_tables(body: &FunctionBody<'_>) -> bool {
    let Ok(operators) = body.get_operators_reader() else {
        return false;
    };
    operators.into_iter().all(|operator| {
        use Operator::{DataDrop, TableCopy, TableFill, TableGrow, TableInit, TableSet};
        !matches!(
            operator,
            Err(_)
                | Ok(DataDrop { .. }
                    | TableCopy { .. }
                    | TableFill { .. }
                    | TableGrow { .. }
                    | TableInit { .. }
                    | TableSet { .. })
        )
    })
}

/// The section of a module that says what it exports.
const EXPORTS: u8 = 7;

/// What an export is: a global.
const GLOBAL: u8 = 3;

/// The module with more exports, and without what only tells people something.
fn with_globals(module: &[u8], more: &[(&str, u32)]) -> Option<Vec<u8>> {
    let mut made = module.get(..8)?.to_vec();
    for (id, body) in sections(module).filter(|(id, _)| *id != 0) {
        let exported = if id == EXPORTS {
            Some(exports(body, more)?)
        } else {
            None
        };
        let body = exported.as_deref().unwrap_or(body);
        made.push(id);
        put_number(&mut made, body.len());
        made.extend(body);
    }
    Some(made)
}

fn exports(body: &[u8], more: &[(&str, u32)]) -> Option<Vec<u8>> {
    let (count, rest) = number(body)?;
    let mut made = Vec::new();
    put_number(&mut made, count + more.len());
    made.extend(rest);
    for (name, global) in more {
        put_number(&mut made, name.len());
        made.extend(name.as_bytes());
        made.push(GLOBAL);
        put_number(&mut made, *global as usize);
    }
    Some(made)
}

/// A number in seven bits a byte.
fn put_number(into: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        into.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}
