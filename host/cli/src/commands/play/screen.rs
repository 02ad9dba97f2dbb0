//! What is printed at the table, apart from the report.

use std::collections::BTreeMap;
use std::io;

use houserule::embed::{
    AttributeAbout, Catalogue, LegalAction, LegalMoves, Plain, Prompt, WireDeck, WireEntity,
    WirePile, WireView,
};

use super::actions::{label_of, short_names};
use super::domains::{lines, unit_of};
use super::words::WORDS;
use crate::paint::Paint;
use crate::ui::Ui;
use houserule::printable::{counted, padded, width, wrapped};

/// More who can do one thing than this are counted, not listed.
const LISTED: usize = 8;

/// What declining does.
pub const LET_GO: &str = "let it go by; `decline all` for the rest of this action";

/// How a side is played, before what can be said.
const INTRODUCTION: &str = "You say what a side does; the rules say what comes of it. \
    `legal` lists what can be done now. Say its short name, who does it and with what, \
    such as `aim blue-1 red-1`. What you leave out is asked for, with a list to choose from; \
    a number takes from the list. Words can be shortened. What can be said:";

/// Prints what can be said, or one word of it.
///
/// # Errors
/// When nobody reads it.
pub fn help(what: Option<&str>, ui: &mut Ui) -> io::Result<()> {
    if let Some(what) = what.filter(|what| !is_word(what)) {
        return ui.line(format!(
            "no: nothing is called `{what}` here; try `legal` or `help`"
        ));
    }
    if what.is_none() {
        let room = ui.width.max(WIDE);
        wrapped(INTRODUCTION, room)
            .iter()
            .try_for_each(|row| ui.line(row))?;
    }
    for (_, spellings, follows, does) in WORDS {
        if what.is_none_or(|what| spellings.contains(&what)) {
            let usage = format!("{} {follows}", spellings.join(", "));
            in_columns(usage.trim_end(), does, ui.width)
                .iter()
                .try_for_each(|row| ui.line(row))?;
        }
    }
    Ok(())
}

/// What can be said and, in a column beside it, what comes of that, in rows: below
/// it where it is too long for its column.
fn in_columns(usage: &str, does: &str, room: usize) -> Vec<String> {
    const COLUMN: usize = 28;
    let does = wrapped(does, room.saturating_sub(COLUMN + 3).max(WIDE));
    let mut usages = vec![usage];
    if width(usage) > COLUMN {
        usages.push("");
    }
    let skipped = usages.len() - 1;
    let usages = usages.into_iter().chain(std::iter::repeat(""));
    let does = std::iter::repeat_n(String::new(), skipped).chain(does);
    let row = |(does, usage): (String, &str)| format!("  {} {does}", padded(usage, COLUMN));
    does.zip(usages)
        .map(|both| row(both).trim_end().to_string())
        .collect()
}

/// Whether it is a word of the table, as `undo` is.
pub fn is_word(what: &str) -> bool {
    WORDS
        .iter()
        .any(|(_, spellings, ..)| spellings.contains(&what))
}

/// What can be said of an action: who does it, and with what.
///
/// # Errors
/// When nobody reads it.
pub fn help_of(action: &LegalAction, name: &str, ui: &mut Ui) -> io::Result<()> {
    let who = if action.actor.is_some() { " WHO" } else { "" };
    let params: String = action
        .params
        .iter()
        .map(|param| format!(" {}", param.name.to_uppercase()))
        .collect();
    ui.line(format!("  {name}{who}{params}  {}", action.title))?;
    action.params.iter().try_for_each(|param| {
        let name = padded(&param.name.to_uppercase(), 12);
        ui.line(format!("    {name} {}", param.title))
    })
}

/// Prints what must be decided.
///
/// # Errors
/// When nobody reads it.
pub fn prompt(
    prompt: &Prompt,
    decisions: Option<usize>,
    metric: bool,
    ui: &mut Ui,
) -> io::Result<()> {
    match prompt {
        Prompt::Act { sides, title, .. } => {
            let who = sides.join(" and ");
            let so_far = decisions.map_or_else(String::new, |decisions| {
                format!("; {} so far", counted(decisions, "decision"))
            });
            ui.line(format!("[{title}] {} may act{so_far}", who.bold()))
        }
        Prompt::React { side, text, .. } => ui.line(format!("[{text}] {} may react", side.bold())),
        Prompt::Answer { question } => {
            for asked in &question.asked {
                ui.line(format!("{}: {}", asked.side.bold(), question.text))?;
                lines(&asked.domain, metric)
                    .iter()
                    .try_for_each(|line| ui.line(line))?;
            }
            Ok(())
        }
        Prompt::Wait => ui.line("somebody else decides"),
        Prompt::Over { .. } => ui.line("the game is over; `undo` takes back, `quit` leaves"),
    }
}

/// What each thing is called beside its label, as far as somebody sees it.
pub fn titles(seen: &[WireEntity]) -> BTreeMap<&str, &str> {
    let title = |seen: &WireEntity| {
        seen.attributes
            .get("title")
            .and_then(Plain::as_text)
            .is_some_and(|title| !title.is_empty())
    };
    let titled = seen.iter().filter(|seen| title(seen));
    titled
        .filter_map(|seen| Some((&*seen.label, seen.attributes.get("title")?.as_text()?)))
        .collect()
}

/// A label with what it is called.
pub fn with_title(label: &str, titles: &BTreeMap<&str, &str>) -> String {
    match titles.get(label).filter(|title| **title != label) {
        Some(title) => format!("{label} ({title})"),
        None => label.to_string(),
    }
}

/// Prints what is legal; `all` also what is not, and why.
///
/// # Errors
/// When nobody reads it.
pub fn legal(
    legal: &LegalMoves,
    titles: &BTreeMap<&str, &str>,
    all: bool,
    ui: &mut Ui,
) -> io::Result<()> {
    let names = short_names(legal);
    let mut count = 0;
    for (id, name) in &names {
        let actions: Vec<&LegalAction> = legal
            .actions
            .iter()
            .filter(|action| action.id == *id)
            .collect();
        let allowed: Vec<&LegalAction> = actions
            .iter()
            .copied()
            .filter(|action| action.refused.is_none())
            .collect();
        count += allowed.len();
        allowed_action(name, &allowed, titles, ui)?;
        if all {
            refused_action(name, &actions, ui)?;
        }
    }
    other_words(legal, all, ui)?;
    let refused = legal.actions.len() - count;
    if !all && refused > 0 {
        ui.line(format!(
            "  {}",
            format!("({refused} more not allowed: `legal all` says why)").dimmed()
        ))?;
    }
    Ok(())
}

/// Prints how an action is said that somebody may take, and who may.
fn allowed_action(
    name: &str,
    allowed: &[&LegalAction],
    titles: &BTreeMap<&str, &str>,
    ui: &mut Ui,
) -> io::Result<()> {
    let Some(first) = allowed.first() else {
        return Ok(());
    };
    let params: Vec<String> = first
        .params
        .iter()
        .map(|param| param.name.to_uppercase())
        .collect();
    let usage = format!(
        "{name} {}{}",
        if first.actor.is_some() { "WHO " } else { "" },
        params.join(" ")
    );
    ui.line(format!("  {:<30} {}", usage.trim_end().bold(), first.title))?;
    let who: Vec<String> = allowed
        .iter()
        .filter_map(|action| label_of(action).map(|label| with_title(label, titles)))
        .collect();
    if who.is_empty() {
        return Ok(());
    }
    let more = who.len().saturating_sub(LISTED);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    ui.line(format!(
        "      {}{rest}",
        who[..who.len().min(LISTED)].join(", ")
    ))
}

/// Prints who may not take an action, those together whom one reason keeps from it: under its
/// name and title, unless those who may have them already.
fn refused_action(name: &str, actions: &[&LegalAction], ui: &mut Ui) -> io::Result<()> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for action in actions {
        let Some(reason) = action.refused.as_deref() else {
            continue;
        };
        let who = label_of(action).map(ToString::to_string);
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, all)) => all.extend(who),
            None => reasons.push((reason, who.into_iter().collect())),
        }
    }
    if let Some(first) = actions.first().filter(|_| !reasons.is_empty())
        && actions.iter().all(|action| action.refused.is_some())
    {
        ui.line(format!("  {name:<30} {}", first.title).dimmed())?;
    }
    for (reason, who) in &reasons {
        let who = match who.as_slice() {
            [] => String::new(),
            who => format!("{}: ", who.join(", ")),
        };
        ui.line(format!("      {who}{reason}").dimmed())?;
    }
    Ok(())
}

/// Prints what can be said beside actions: to stop, to let a window go by, to take
/// an action back; `all` also why somebody may not stop.
fn other_words(legal: &LegalMoves, all: bool, ui: &mut Ui) -> io::Result<()> {
    let stops = [
        (
            "pass",
            "let your go pass",
            &legal.pass_refused,
            !legal.decline,
        ),
        (
            "done",
            "be done with this phase",
            &legal.done_refused,
            !legal.decline,
        ),
    ];
    for (word, does, refused, counts) in stops {
        match refused {
            None if counts => ui.line(format!("  {:<30} {does}", word.bold()))?,
            Some(reason) if all && counts => {
                ui.line(format!("  {}", format!("{word}: {reason}").dimmed()))?
            }
            _ => {}
        }
    }
    if legal.decline {
        ui.line(format!("  {:<30} {LET_GO}", "decline".bold()))?;
    }
    if legal.take_back {
        ui.line(format!(
            "  {:<30} take your last action back",
            "back".bold()
        ))?;
    }
    Ok(())
}

/// What the piles of a deck hold, as far as it is known.
pub fn deck(seen: &WireDeck) -> String {
    let pile = |pile: &WirePile, word: &str| {
        let size = pile.size.map_or("?".into(), |size| size.to_string());
        let cards = pile
            .cards
            .iter()
            .filter(|cards| !cards.is_empty())
            .map(|cards| cards.join(" "));
        let cards: String = cards.map(|cards| format!(": {cards}")).collect();
        format!("{size} {word}{cards}")
    };
    format!(
        "{}; {}",
        pile(&seen.stock, "to be drawn"),
        pile(&seen.discard, "laid aside")
    )
}

/// Prints what there is: side by side, kind by kind, in the order of names.
///
/// # Errors
/// When nobody reads it.
pub fn pieces(view: &WireView, catalogue: &Catalogue, metric: bool, ui: &mut Ui) -> io::Result<()> {
    let of = |side: Option<&str>| -> Vec<&WireEntity> {
        let side_of =
            |seen: &&WireEntity| seen.attributes.get("side").and_then(Plain::as_text) == side;
        view.entities.iter().filter(side_of).collect()
    };
    let longest = view
        .entities
        .iter()
        .map(|seen| width(&seen.label))
        .max()
        .unwrap_or_default();
    for side in &catalogue.sides {
        group(
            &side.title,
            of(Some(&side.id)),
            catalogue,
            longest,
            metric,
            ui,
        )?;
    }
    group("Nobody's", of(None), catalogue, longest, metric, ui)?;
    for seen in &view.decks {
        let whose = seen
            .of
            .as_deref()
            .map_or(String::new(), |side| format!(" of {side}"));
        ui.line(format!("{}{whose}: {}", seen.deck.bold(), deck(seen)))?;
    }
    Ok(())
}

/// The things of one side under its title.
fn group(
    title: &str,
    mut all: Vec<&WireEntity>,
    catalogue: &Catalogue,
    longest: usize,
    metric: bool,
    ui: &mut Ui,
) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    all.sort_by(|a, b| (&a.kind, &a.label).cmp(&(&b.kind, &b.label)));
    ui.line(title.bold())?;
    for seen in all {
        let kind = catalogue
            .kinds
            .get(&seen.kind)
            .map_or(&*seen.kind, |kind| &*kind.title);
        let title = seen
            .attributes
            .get("title")
            .and_then(Plain::as_text)
            .filter(|title| !title.is_empty());
        let title = title.map_or(kind.to_string(), |title| format!("{kind}: {title}"));
        let at = match seen.attributes.get("at") {
            Some(at @ (Plain::Point { .. } | Plain::Hex { .. })) => {
                format!(" at {}", at.print(unit_of(metric)))
            }
            _ => String::new(),
        };
        ui.line(format!("  {}  {title}{at}", padded(&seen.label, longest)))?;
    }
    Ok(())
}

/// How a piece is told.
pub struct PieceSheet<'a> {
    /// What its mod says of each attribute.
    pub about: &'a BTreeMap<String, AttributeAbout>,
    /// What players read in place of values.
    pub words: &'a BTreeMap<String, String>,
    /// Whether everything is told, or what is not as it is at first and no bookkeeping of the rules.
    pub is_whole: bool,
}

impl PieceSheet<'_> {
    fn tells(&self, name: &str, value: &Plain) -> bool {
        let is_news = |about: &AttributeAbout| !about.is_bookkeeping && about.default != *value;
        self.is_whole || self.about.get(name).is_none_or(is_news)
    }

    fn is_for_players(&self, name: &str) -> bool {
        self.is_whole
            || self
                .about
                .get(name)
                .is_none_or(|about| !about.is_bookkeeping)
    }

    fn text_of(&self, name: &str, value: &Plain, metric: bool) -> String {
        self.words
            .get(name)
            .cloned()
            .unwrap_or_else(|| value.print(unit_of(metric)))
    }
}

/// Prints what is known of a piece, with what its mod says of each attribute:
/// what is not as it is at first, or everything; then the names of what is
/// hidden.
///
/// # Errors
/// When nobody reads it.
pub fn piece(
    seen: &WireEntity,
    kind: &str,
    sheet: &PieceSheet<'_>,
    metric: bool,
    ui: &mut Ui,
) -> io::Result<()> {
    ui.line(format!("{} ({kind})", seen.label.bold()))?;
    let (hidden, known): (Vec<_>, Vec<_>) = seen
        .attributes
        .iter()
        .partition(|(name, _)| seen.hidden.contains(*name));
    let shown: Vec<(&String, String)> = known
        .into_iter()
        .filter(|(name, value)| sheet.tells(name, value))
        .map(|(name, value)| (name, sheet.text_of(name, value, metric)))
        .collect();
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or_default();
    let names = longest(
        &mut shown
            .iter()
            .map(|(name, _)| width(name))
            .filter(|width| *width <= WIDE),
    );
    let values = longest(
        &mut shown
            .iter()
            .map(|(_, value)| width(value))
            .filter(|width| *width <= WIDE),
    );
    for (name, value) in &shown {
        let doc = sheet.about.get(*name).map_or("", |about| &*about.doc);
        let line = format!("  {}  {}  ", padded(name, names), padded(value, values));
        let room = ui.width.saturating_sub(width(&line));
        let doc = if width(doc) > room {
            shortened(doc, room)
        } else {
            doc.to_string()
        };
        ui.line(format!("{line}{}", doc.dimmed()).trim_end())?;
    }
    let names_hidden = hidden.iter().map(|(name, _)| name.as_str());
    let unknown: Vec<&str> = names_hidden
        .filter(|name| sheet.is_for_players(name))
        .collect();
    if !unknown.is_empty() {
        ui.line(format!("  hidden from you: {}", unknown.join(", ")))?;
    }
    let rest = seen.attributes.len() - shown.len() - hidden.len();
    if rest > 0 {
        let more = format!("({rest} more: `look {} all`)", seen.label);
        ui.line(format!("  {}", more.dimmed()))?;
    }
    Ok(())
}

/// Names and values longer than this do not push the others aside.
const WIDE: usize = 24;

/// The beginning of a text, in so many letters; nothing where that tells
/// nothing.
fn shortened(text: &str, room: usize) -> String {
    if room < WIDE {
        return String::new();
    }
    let ends = text.char_indices().map(|(end, _)| end);
    let fits = ends.take_while(|end| width(&text[..*end]) < room);
    format!("{}…", text[..fits.last().unwrap_or(0)].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_narrow_terminal() {
        for (_, spellings, follows, does) in WORDS {
            let usage = format!("{} {follows}", spellings.join(", "));
            let rows = in_columns(usage.trim_end(), does, 79);
            assert!(rows.iter().all(|row| width(row) <= 79), "{rows:?}");
            let again = rows
                .join(" ")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            assert_eq!(
                again,
                format!("{} {does}", usage.trim_end()),
                "no word is lost"
            );
        }
        assert_eq!(
            in_columns("legal, l [all]", "what you may do", 79),
            ["  legal, l [all]               what you may do"]
        );
    }

    #[test]
    fn what_is_cut_short_keeps_its_room() {
        let doc = "戦車小隊戦車小隊戦車小隊戦車小隊戦車小隊";
        assert_eq!(
            width(&shortened(doc, 30)),
            29,
            "a wide letter more would be 31"
        );
        assert_eq!(
            shortened("what it is from the start of the game on", 30),
            "what it is from the start of…"
        );
    }
}
