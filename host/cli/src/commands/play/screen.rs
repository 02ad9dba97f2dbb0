//! What is printed at the table, apart from the report.

use std::io;

use houserule::embed::{Deed, Legal, Plain, Prompt, Seen};
use owo_colors::OwoColorize;

use super::deeds::{label_of, short_names};
use super::domains::{lines, measure, point_text};
use super::words::WORDS;
use crate::desk::Desk;

/// More who can do one thing than this are counted, not listed.
const LISTED: usize = 8;

/// Prints what can be said, or one word of it.
///
/// # Errors
/// When nobody reads it.
pub fn help(what: Option<&str>, desk: &mut Desk) -> io::Result<()> {
    if what.is_none() {
        desk.line("You say what a side does; the rules say what comes of it.")?;
        desk.line("`legal` lists what can be done now. Say its short name, who does it and with what:")?;
        desk.line("`aim blue-1 red-1`. What you leave out is asked for, with a list to choose from;")?;
        desk.line("a number takes from the list. Words can be shortened. What can be said:")?;
    }
    for (_, spellings, follows, does) in WORDS {
        if what.is_none_or(|what| spellings.contains(&what)) {
            let said = format!("{} {follows}", spellings.join(", "));
            desk.line(format!("  {:<28} {does}", said.trim_end()))?;
        }
    }
    Ok(())
}

/// Prints what must be decided.
///
/// # Errors
/// When nobody reads it.
pub fn prompt(prompt: &Prompt, decisions: usize, metric: bool, desk: &mut Desk) -> io::Result<()> {
    match prompt {
        Prompt::Act { sides, title, .. } => {
            let who = sides.join(" and ");
            desk.line(format!("[{title}] {} may act; {decisions} decisions so far", who.bold()))
        }
        Prompt::React { side, window, about } => {
            let about: Vec<String> =
                about.iter().map(|(name, value)| format!("{name} {}", said(value, metric))).collect();
            desk.line(format!("[{window}] {} may react: {}", side.bold(), about.join(", ")))
        }
        Prompt::Answer { question } => {
            for asked in &question.asked {
                desk.line(format!("{}: {}", asked.side.bold(), question.text))?;
                lines(&asked.domain, metric).iter().try_for_each(|line| desk.line(line))?;
            }
            Ok(())
        }
        Prompt::Wait => desk.line("somebody else decides"),
        Prompt::Over { .. } => desk.line("the game is over; `undo` takes back, `quit` leaves"),
    }
}

/// Prints what is legal; `all` also what is not, and why.
///
/// # Errors
/// When nobody reads it.
pub fn legal(legal: &Legal, all: bool, desk: &mut Desk) -> io::Result<()> {
    let names = short_names(legal);
    let mut count = 0;
    for (id, name) in &names {
        let deeds: Vec<&Deed> = legal.deeds.iter().filter(|deed| deed.id == *id).collect();
        let allowed: Vec<&&Deed> = deeds.iter().filter(|deed| deed.refused.is_none()).collect();
        if let Some(first) = allowed.first() {
            count += allowed.len();
            let params: Vec<String> = first.params.iter().map(|param| param.name.to_uppercase()).collect();
            let usage =
                format!("{name} {}{}", if first.actor.is_some() { "WHO " } else { "" }, params.join(" "));
            desk.line(format!("  {:<30} {}", usage.trim_end().bold(), first.title))?;
            let who: Vec<&str> = allowed.iter().filter_map(|deed| label_of(deed)).collect();
            if !who.is_empty() {
                let more = who.len().saturating_sub(LISTED);
                let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
                desk.line(format!("      {}{rest}", who[..who.len().min(LISTED)].join(", ")))?;
            }
        }
        if all {
            for deed in deeds.iter().filter(|deed| deed.refused.is_some()) {
                let who = label_of(deed).map_or(String::new(), |who| format!(" {who}"));
                let reason = deed.refused.as_deref().unwrap_or_default();
                desk.line(format!("  {}", format!("{name}{who}: {reason}").dimmed()))?;
            }
        }
    }
    let stops =
        [("pass", &legal.pass_refused, !legal.decline), ("done", &legal.done_refused, !legal.decline)];
    for (word, refused, counts) in stops {
        match refused {
            None if counts => desk.line(format!("  {}", word.bold()))?,
            Some(reason) if all && counts => {
                desk.line(format!("  {}", format!("{word}: {reason}").dimmed()))?
            }
            _ => {}
        }
    }
    if legal.decline {
        desk.line(format!("  {:<30} let it go by", "decline".bold()))?;
    }
    if legal.take_back {
        desk.line(format!("  {:<30} take your last deed back", "back".bold()))?;
    }
    let refused = legal.deeds.len() - count;
    if !all && refused > 0 {
        desk.line(format!("  {}", format!("({refused} that are not allowed: `legal all`)").dimmed()))?;
    }
    Ok(())
}

/// Prints what is known of a piece.
///
/// # Errors
/// When nobody reads it.
pub fn piece(seen: &Seen, metric: bool, desk: &mut Desk) -> io::Result<()> {
    desk.line(format!("{} ({})", seen.label.bold(), seen.kind))?;
    let width = seen.attributes.keys().map(|name| name.chars().count()).max().unwrap_or_default();
    for (name, value) in &seen.attributes {
        let value = if seen.hidden.contains(name) { "hidden from you".into() } else { said(value, metric) };
        desk.line(format!("  {name:<width$}  {value}"))?;
    }
    Ok(())
}

/// A value for people.
pub fn said(value: &Plain, metric: bool) -> String {
    let all = |items: &[Plain]| items.iter().map(|item| said(item, metric)).collect::<Vec<_>>().join(", ");
    match value {
        Plain::Nothing => "none".into(),
        Plain::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        Plain::Int(number) => number.to_string(),
        Plain::Text(text) => text.clone(),
        Plain::List(items) if items.is_empty() => "none".into(),
        Plain::List(items) => all(items),
        Plain::Entity { label, .. } => label.clone(),
        Plain::Length { length } => measure(*length, metric),
        Plain::Angle { angle } => format!("{}°", angle / 60),
        Plain::Direction { direction } => format!("{}°", direction / 60),
        Plain::Point { point } => point_text(*point, metric),
        Plain::Hex { hex: [q, r] } => format!("<{q},{r}>"),
        Plain::Die { die, .. } => format!("d{die}"),
        Plain::Record { record } => {
            let field = |(name, value): (&String, &Plain)| format!("{name} {}", said(value, metric));
            record.iter().map(field).collect::<Vec<_>>().join(", ")
        }
    }
}
