//! Reading compiled code: which functions assign to locals outside of them.
//!
//! The code is the compiler's own word on which local a name means, so nothing
//! is parsed or resolved a second time. The format is that of the machine that
//! is built in (there `lvmload.cpp`); code of a version that is not known here
//! is refused, never guessed at.

use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A function that assigns to upvalues: locals of the functions around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Assigner {
    /// The line on which it begins.
    pub line: u32,
    /// What tells it from others on that line: how many arguments it takes,
    /// with a plus if it takes any number, and the names of its upvalues.
    pub shape: String,
    /// The upvalues that it assigns to, itself or by a function within it, and
    /// the first line of each on which it does.
    pub assigned: Vec<(String, u32)>,
}

/// The functions of a file that assign to upvalues.
///
/// # Errors
/// When the code is of another format than the machine's.
pub(crate) fn assigners(code: &[u8]) -> Result<Vec<Assigner>, String> {
    let mut reader = BytecodeReader { code, at: 0 };
    let all = reader.file().ok_or_else(|| match code.first() {
        Some(version) => format!("expected code of the versions 4 to 11, found version {version}"),
        None => "expected code, found none".to_string(),
    })?;
    let assigner = |proto: Proto<'_>| {
        let names: Vec<_> = proto
            .upvalues
            .iter()
            .map(|name| String::from_utf8_lossy(name))
            .collect();
        let name = |place: u8| {
            names
                .get(usize::from(place))
                .map_or_else(String::new, ToString::to_string)
        };
        let assigned = proto
            .assigned
            .iter()
            .map(|(place, line)| (name(*place), *line))
            .collect();
        let plus = if proto.is_vararg { "+" } else { "" };
        let shape = names
            .iter()
            .fold(format!("{}{plus}", proto.params), |shape, name| {
                shape + " " + name
            });
        Assigner {
            line: proto.line,
            shape,
            assigned,
        }
    };
    Ok(all
        .into_iter()
        .filter(|proto| !proto.assigned.is_empty())
        .map(assigner)
        .collect())
}

/// A function.
struct Proto<'a> {
    params: u8,
    is_vararg: bool,
    line: u32,
    upvalues: Vec<&'a [u8]>,
    /// The places of the upvalues that it assigns to, and where.
    assigned: BTreeMap<u8, u32>,
}

// What instructions do that matter here, by the number of the machine.
const SETUPVAL: u8 = 10;
const NEWCLOSURE: u8 = 19;
const DUPCLOSURE: u8 = 64;
const CAPTURE: u8 = 70;
/// Those that take two words: the second is no instruction.
const WIDE: [u8; 30] = [
    7, 8, 12, 15, 16, 20, 27, 28, 29, 30, 31, 32, 53, 55, 58, 60, 66, 74, 75, 77, 78, 79, 80, 83,
    84, 85, 86, 87, 88, 90,
];
/// How many words each takes.
const WORDS: [u8; 256] = {
    let mut words = [1; 256];
    let mut at = 0;
    while at < WIDE.len() {
        words[WIDE[at] as usize] = 2;
        at += 1;
    }
    words
};
/// The sort of a capture that takes over an upvalue.
const OF_UPVALUE: u8 = 2;

struct BytecodeReader<'a> {
    code: &'a [u8],
    at: usize,
}

/// The lines of the instructions of a function as they are written, each as a
/// step from the one before: added up when somebody asks for one.
#[derive(Default)]
struct InstructionLines<'a> {
    gap: u32,
    steps: &'a [u8],
    starts: &'a [[u8; 4]],
    all: OnceCell<Vec<u32>>,
}

impl InstructionLines<'_> {
    /// The line of an instruction; none if the compiler kept none.
    fn of(&self, at: usize) -> Option<u32> {
        self.all.get_or_init(|| self.added_up()).get(at).copied()
    }

    fn added_up(&self) -> Vec<u32> {
        let start = |sum: &mut i32, step: &[u8; 4]| {
            *sum = sum.wrapping_add(i32::from_le_bytes(*step));
            Some(*sum)
        };
        let starts: Vec<i32> = self.starts.iter().scan(0, start).collect();
        let mut offset = 0u8;
        let line = |(at, step): (usize, &u8)| {
            offset = offset.wrapping_add(*step);
            starts
                .get(at >> self.gap)
                .map_or(0, |start| start.wrapping_add(i32::from(offset)) as u32)
        };
        self.steps.iter().enumerate().map(line).collect()
    }
}

/// What a constant is, as far as it matters.
type Constant = Option<usize>;

impl<'a> BytecodeReader<'a> {
    fn file(&mut self) -> Option<Vec<Proto<'a>>> {
        let version = self.byte()?;
        if !(4..=11).contains(&version) {
            return None;
        }
        let types = self.byte()?;
        let count = self.number()?;
        let mut names = Vec::new();
        for _ in 0..count {
            let length = self.number()?;
            names.push(self.bytes(length)?);
        }
        if types == 3 {
            while self.byte()? != 0 {
                self.number()?;
            }
        }
        let count = self.number()?;
        let mut protos = Vec::new();
        for _ in 0..count {
            let proto = self.proto(version, &names, &protos)?;
            protos.push(proto);
        }
        Some(protos)
    }

    /// A function; those within it come before it.
    fn proto(
        &mut self,
        version: u8,
        names: &[&'a [u8]],
        earlier: &[Proto<'a>],
    ) -> Option<Proto<'a>> {
        let [_, params, upvalue_count, is_vararg, _] = *self.bytes(5)? else {
            return None;
        };
        let types = self.number()?;
        self.bytes(types)?;
        let size = self.number()?;
        let (words, _) = self.bytes(size.checked_mul(4)?)?.as_chunks();
        let constants = (0..self.number()?)
            .map(|_| self.constant())
            .collect::<Option<Vec<Constant>>>()?;
        let children = (0..self.number()?)
            .map(|_| self.number())
            .collect::<Option<Vec<usize>>>()?;
        let line = u32::try_from(self.number()?).ok()?;
        self.number()?;
        let lines = self.lines(words.len())?;
        let mut upvalues = self.upvalues(names)?;
        upvalues.resize(usize::from(upvalue_count), &[]);
        if version >= 11 {
            for _ in 0..self.number()? {
                self.byte()?;
                self.number()?;
            }
        }
        let mut assigned = BTreeMap::new();
        let mut assigns = |place: u8, line: u32| {
            assigned
                .entry(place)
                .and_modify(|first: &mut u32| *first = line.min(*first))
                .or_insert(line);
        };
        let (mut at, mut within) = (0, None);
        let mut captured = 0;
        while let Some([operation, a, b, c]) = words.get(at).copied() {
            let number = usize::from(u16::from_le_bytes([b, c]));
            match operation {
                SETUPVAL => assigns(b, lines.of(at).unwrap_or(line)),
                NEWCLOSURE => (within, captured) = (earlier.get(*children.get(number)?), 0),
                DUPCLOSURE => (within, captured) = (earlier.get((*constants.get(number)?)?), 0),
                CAPTURE => {
                    let inner: &Proto<'_> = within?;
                    if a == OF_UPVALUE
                        && let Some(line) = inner.assigned.get(&captured)
                    {
                        assigns(b, *line);
                    }
                    captured = captured.checked_add(1)?;
                }
                _ => {}
            }
            at += usize::from(WORDS[usize::from(operation)]);
        }
        Some(Proto {
            params,
            is_vararg: is_vararg != 0,
            line,
            upvalues,
            assigned,
        })
    }

    /// A constant; a function is given by its number.
    fn constant(&mut self) -> Option<Constant> {
        match self.byte()? {
            0 => {}
            1 => drop(self.byte()?),
            2 => drop(self.bytes(8)?),
            3 => drop(self.number()?),
            4 => drop(self.bytes(4)?),
            5 => (0..self.number()?).try_for_each(|_| self.number().map(drop))?,
            6 => return Some(Some(self.number()?)),
            7 => drop(self.bytes(16)?),
            8 => (0..self.number()?)
                .try_for_each(|_| self.number().and_then(|_| self.bytes(4)).map(drop))?,
            9 => drop(self.byte().and_then(|_| self.number())?),
            _ => return None,
        }
        Some(None)
    }

    /// The line of each instruction; none if the compiler kept none.
    fn lines(&mut self, count: usize) -> Option<InstructionLines<'a>> {
        if self.byte()? == 0 {
            return Some(InstructionLines::default());
        }
        let gap = u32::from(self.byte()?);
        let steps = self.bytes(count)?;
        let spans = (count.checked_sub(1)?).checked_shr(gap)? + 1;
        let (starts, _) = self.bytes(spans.checked_mul(4)?)?.as_chunks();
        Some(InstructionLines {
            gap,
            steps,
            starts,
            all: OnceCell::new(),
        })
    }

    /// The names of upvalues; none if the compiler kept none.
    fn upvalues(&mut self, names: &[&'a [u8]]) -> Option<Vec<&'a [u8]>> {
        if self.byte()? == 0 {
            return Some(Vec::new());
        }
        for _ in 0..self.number()? {
            (0..3).try_for_each(|_| self.number().map(drop))?;
            self.byte()?;
        }
        let name = |number: usize| {
            number
                .checked_sub(1)
                .and_then(|at| names.get(at))
                .copied()
                .unwrap_or_default()
        };
        (0..self.number()?)
            .map(|_| self.number().map(name))
            .collect()
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.code.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let bytes = self.code.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(bytes)
    }

    /// A number of seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<usize> {
        let mut number = 0usize;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 127).checked_shl(shift)?;
            if byte & 128 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::compiler;

    /// A line, a shape, and what is assigned in which line.
    type Found = (u32, String, Vec<(String, u32)>);

    fn found(source: &str) -> Vec<Found> {
        let all = assigners(&compiler().compile(source).unwrap()).unwrap();
        all.into_iter()
            .map(|one| (one.line, one.shape, one.assigned))
            .collect()
    }

    fn one(line: u32, shape: &str, assigned: &[(&str, u32)]) -> Found {
        (
            line,
            shape.into(),
            assigned
                .iter()
                .map(|(name, line)| (name.to_string(), *line))
                .collect(),
        )
    }

    #[test]
    fn assignments_to_locals_outside_are_found_with_their_lines() {
        assert_eq!(
            found(
                "local n = 0\nlocal function f(a)\n  local m = a\n  m += n\n  return m\nend\nreturn f"
            ),
            []
        );
        assert_eq!(
            found("local n = 0\nreturn function(a, ...)\n  print(n)\n  n += a\nend"),
            [one(2, "1+ n", &[("n", 4)])]
        );
        assert_eq!(
            found(
                "local a, b = 0, 0\nreturn function()\n  return function()\n    a, b = b,\n      a\n  end\nend"
            ),
            [
                one(3, "0 a b", &[("a", 4), ("b", 4)]),
                one(2, "0 a b", &[("a", 4), ("b", 4)])
            ]
        );
    }

    #[test]
    fn a_local_of_the_function_around_is_its_own_affair() {
        let sum = "return function(list)\n local n = 0\n local function add(x) n += x end\n for _, x in list do add(x) end\n return n\nend";
        assert_eq!(found(sum), [one(3, "1 n", &[("n", 3)])]);
    }

    #[test]
    fn long_files_and_all_sorts_of_constants_are_read() {
        let mut source = String::from(
            "local n = 0\nlocal t = { a = 1, b = 'x', c = true, d = -2.5, e = nil }\n",
        );
        for i in 0..400 {
            let text =
                format!("t.f = function(x) return x == {i} and t.a{i} or math.max(x, {i}.5) end\n");
            source.push_str(&text);
        }
        source.push_str(
            "return function(v)\n for i, x in t do if x == nil or x == 'q' then n = `{i}{v}` end end\nend",
        );
        assert_eq!(found(&source), [one(403, "1 t n", &[("n", 404)])]);
    }

    #[test]
    fn what_is_no_code_of_this_machine_is_refused() {
        assert!(assigners(&[]).is_err());
        assert!(
            assigners(&[99, 3, 0])
                .unwrap_err()
                .contains("found version 99")
        );
        let code = compiler()
            .compile("local n = 0\nreturn function() n += 1 end")
            .unwrap();
        for end in 0..code.len() - 1 {
            assert!(assigners(&code[..end]).is_err(), "cut at {end}");
        }
    }
}
