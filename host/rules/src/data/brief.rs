//! How events read in short reports, as mods write it.

use kernel::brief::{Brief, Depth};
use kernel::value::{Field, Name, Type};

/// What a template of a short report may name besides the event's own fields:
/// how many events it stands for, who does the action, and their side.
const BESIDE: [&str; 3] = ["count", "who", "by"];

/// The members of an event's declaration that are about short reports.
#[derive(Clone, Debug, Default)]
pub struct RawBrief {
    /// `story`, `volley` or `full`.
    pub depth: Option<String>,
    /// How it reads in a line for each thing done.
    pub brief: Option<String>,
    /// How it reads in a story.
    pub story: Option<String>,
    /// What it adds to the line before it.
    pub tally: Option<String>,
    /// Whether it begins a line.
    pub leads: bool,
    /// What is counted: `shots by unit`.
    pub counts: Option<String>,
    /// The field that says what the first entity is.
    pub role: Option<String>,
}

impl RawBrief {
    /// Their names, for whoever checks that there are no others.
    pub const MEMBERS: [&str; 7] = [
        "depth", "brief", "story", "tally", "leads", "counts", "role",
    ];

    /// The same, checked against the event's fields.
    ///
    /// # Errors
    /// In words, what was expected and what was found.
    pub fn build(&self, fields: &[Field]) -> Result<Brief, String> {
        let texts = [
            ("brief", &self.brief),
            ("story", &self.story),
            ("tally", &self.tally),
        ];
        texts.iter().try_for_each(|(member, text)| {
            text.as_deref()
                .map_or(Ok(()), |text| known_fields(member, text, fields))
        })?;
        if let Some(role) = &self.role
            && !fields
                .iter()
                .any(|field| *field.name == **role && field.ty == Type::Text)
        {
            return Err(format!(
                "`role`: expected a field that is a text, found `{role}`"
            ));
        }
        let name = |text: &Option<String>| text.as_deref().map(Name::from);
        Ok(Brief {
            depth: self.depth.as_deref().map_or(Ok(Depth::Full), depth)?,
            text: name(&self.brief),
            story: name(&self.story),
            tally: name(&self.tally),
            leads: self.leads,
            counts: self.counts.as_deref().map(counted).transpose()?,
            role: name(&self.role),
        })
    }
}

fn depth(word: &str) -> Result<Depth, String> {
    let found = Depth::NAMED.iter().find(|(name, _)| *name == word);
    found
        .map(|(_, depth)| *depth)
        .ok_or_else(|| format!("`depth`: expected `story`, `volley` or `full`, found `{word}`"))
}

/// `shots by unit`: the column, and the field. The field may be one of the
/// event that began the line.
fn counted(text: &str) -> Result<(Name, Name), String> {
    match text.split_once(" by ") {
        Some((what, by)) if !what.trim().is_empty() && !by.trim().is_empty() => {
            Ok((what.trim().into(), by.trim().into()))
        }
        _ => Err(format!(
            "`counts`: expected what and by which field, such as `shots by unit`, found `{text}`"
        )),
    }
}

/// A text without what stands in square brackets, which may name fields of the
/// event that began the line.
fn outside_brackets(text: &str) -> String {
    let mut rest = text;
    let mut outside = String::new();
    while let Some((before, after)) = rest.split_once('[') {
        let Some((_, after)) = after.split_once(']') else {
            break;
        };
        outside.push_str(before);
        rest = after;
    }
    outside + rest
}

fn known_fields(member: &str, text: &str, fields: &[Field]) -> Result<(), String> {
    let is_known =
        |name: &str| BESIDE.contains(&name) || fields.iter().any(|field| *field.name == *name);
    match super::placeholders(&outside_brackets(text))
        .into_iter()
        .find(|name| !is_known(name))
    {
        Some(name) => Err(format!(
            "`{member}`: expected a field of the event, found `{{{name}}}`"
        )),
        None => Ok(()),
    }
}
