//! Lines and columns of a text.
//!
//! Each row of a table and each entity of a scenario asks where it stands, and a
//! file may have tens of thousands of them, or all of them on one line: so
//! nothing is counted from the start again.

/// So many bytes lie between two marks.
const STRIDE: usize = 512;

/// Where the lines of a text begin, and how many characters come before each
/// mark.
pub(super) struct LineIndex {
    starts: Vec<usize>,
    marks: Vec<usize>,
}

impl LineIndex {
    /// Those of a text.
    pub fn of(text: &str) -> LineIndex {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let mut before = 0;
        let mut marks = vec![0];
        for stride in text.as_bytes().chunks(STRIDE) {
            before += characters(stride);
            marks.push(before);
        }
        LineIndex {
            starts: std::iter::once(0).chain(ends).collect(),
            marks,
        }
    }

    /// The line and the column of an offset into that text, both from 1.
    pub fn place(&self, text: &str, offset: usize) -> (u32, u32) {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let before = match text.as_bytes().get(start..offset) {
            Some(few) if few.len() <= STRIDE => characters(few),
            _ => self.before(text, offset) - self.before(text, start),
        };
        (line as u32, before as u32 + 1)
    }

    /// How many characters begin before an offset.
    fn before(&self, text: &str, offset: usize) -> usize {
        let mark = offset / STRIDE;
        let rest = text.as_bytes().get(mark * STRIDE..offset);
        self.marks.get(mark).copied().unwrap_or(0) + rest.map_or(0, characters)
    }
}

/// How many characters begin in some bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, counted from the start.
    fn counted(text: &str, offset: usize) -> (u32, u32) {
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        (line as u32, before[start..].chars().count() as u32 + 1)
    }

    #[test]
    fn places_are_those_that_counting_from_the_start_gives() {
        let text = format!(
            "{}\n\n{}ü\n{}",
            "aä€".repeat(400),
            "x".repeat(STRIDE - 3),
            "𝄞b".repeat(300)
        );
        let lines = LineIndex::of(&text);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(
                lines.place(&text, offset),
                counted(&text, offset),
                "at {offset}"
            );
        }
    }

    #[test]
    fn what_lies_behind_the_end_has_the_place_of_the_end() {
        assert_eq!(LineIndex::of("").place("", 5), (1, 1));
        assert_eq!(LineIndex::of("a\nbc").place("a\nbc", 99), (2, 3));
    }
}
