//! Headers: what `function chapter.name(game: Reads, …): T` and the doc comment
//! before it say of a rule, read from the text of a file before it is run.
//!
//! A header stands at the start of its line. Bodies are passed over, so a file
//! costs about what it takes to part it into tokens.

pub(crate) mod doc;
pub(crate) mod types;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use doc::Doc;
use serde::{Deserialize, Serialize};
use types::{Ty, TypeFault, TypeParser, TypeScope};

use rules::tokens::{Token, TokenKind, tokens};

/// Names of a module that are no chapters.
pub(crate) const RESERVED: [&str; 9] = [
    "tables", "options", "clauses", "kinds", "events", "phases", "windows", "push", "over",
];

/// What the handle says that a rule may do, from least to most.
const HANDLES: [(&str, &str); 4] = [
    ("Reads", "reads"),
    ("Draws", "draws"),
    ("Writes", "draws writes"),
    ("Acts", "draws writes asks"),
];

/// A member of a chapter that a file gives, by its header.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct MemberHeader {
    /// The line of the statement, from 1.
    pub line: u32,
    /// The mod that the file names.
    pub module: String,
    /// The chapter.
    pub chapter: String,
    /// The name in the chapter.
    pub name: String,
    /// What is given.
    pub what: HeaderKind,
    /// Its doc comment.
    pub doc: Doc,
}

impl MemberHeader {
    /// Whether both give the same member.
    pub fn is_like(&self, other: &MemberHeader) -> bool {
        (&self.module, &self.chapter, &self.name) == (&other.module, &other.chapter, &other.name)
    }
}

/// What a header gives.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum HeaderKind {
    /// A rule.
    Rule(HeaderSignature),
    /// A rule whose header has faults.
    Broken,
    /// What is assigned: an action, a phase and the like.
    Thing,
}

/// What a rule takes and gives, as signatures write it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct HeaderSignature {
    /// Its arguments.
    pub args: String,
    /// How many they are.
    pub count: usize,
    /// Its result; nothing for a step.
    pub returns: Option<String>,
    /// Whether what it gives is why not.
    pub is_reason: bool,
    /// What it does.
    pub effects: String,
    /// Whether it may be pushed.
    pub is_step: bool,
}

/// A fault of a file: its line, what is wrong, and a hint.
pub(crate) type HeaderFault = (u32, TypeFault);

/// What the text of a file says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Headers {
    /// The members of chapters that it gives, in order.
    pub all: Vec<MemberHeader>,
    /// Types that other files may name: the mod's own name is not known here.
    pub exported: Vec<(String, Result<String, TypeFault>)>,
    /// Everything that is wrong.
    pub slips: Vec<HeaderFault>,
}

/// Reads the headers of a file.
pub(crate) fn read(source: &str) -> Headers {
    let found = tokens(source);
    let lines: Vec<&str> = source.lines().collect();
    let (scope, paths, actions) = Default::default();
    let mut parser = HeaderParser {
        tokens: &found.all,
        lines: &lines,
        scope,
        paths,
        actions,
    };
    let mut exported = BTreeSet::new();
    // Types may be named before the line on which they stand.
    let starts: Vec<usize> = (0..found.all.len())
        .filter(|at| found.all[*at].is_first)
        .collect();
    for at in &starts {
        match found.all[*at].text {
            "local" => parser.local(at + 1),
            "type" => parser.alias(at + 1, false, &mut exported),
            "export" if parser.text(at + 1) == "type" => parser.alias(at + 2, true, &mut exported),
            _ => {}
        }
    }
    let mut headers = Headers::default();
    for at in starts {
        parser.header(at, &mut headers);
    }
    inherit(&mut headers.all, &parser.actions.into_inner());
    let write = |name: String| {
        let ty = parser.scope.written(&Ty::Name(name.clone()), 0);
        (name, ty)
    };
    headers.exported = exported.into_iter().map(write).collect();
    headers
}

struct HeaderParser<'t, 'a> {
    tokens: &'t [Token<'a>],
    lines: &'t [&'a str],
    scope: TypeScope,
    /// What locals stand for: a mod, a chapter of it, or what is deeper.
    paths: BTreeMap<String, Vec<String>>,
    /// The titles of the actions, reactions and phases among what is given, by
    /// place.
    actions: RefCell<BTreeMap<usize, String>>,
}

/// The members of an action that have its clauses and its doc unless they say
/// their own, and what they say of it.
fn inherit(all: &mut [MemberHeader], actions: &BTreeMap<usize, String>) {
    for member in 0..all.len() {
        let header = &all[member];
        if header.what == HeaderKind::Thing
            || !header.doc.gates.is_empty()
            || !header.doc.text.is_empty()
        {
            continue;
        }
        let of = |(place, title): (&usize, &String)| {
            let action = all.get(*place)?;
            let is_near = action.module == header.module && action.chapter == header.chapter;
            let word = header
                .name
                .strip_prefix(&action.name)?
                .strip_prefix('_')
                .filter(|_| is_near)?;
            Some((action.name.len(), *place, member_text(word, title)?))
        };
        let Some((_, place, text)) = actions.iter().filter_map(of).max() else {
            continue;
        };
        let gates = all[place].doc.gates.clone();
        all[member].doc.gates = gates;
        all[member].doc.text = text;
    }
}

/// What a member of an action does, by the word in its name.
fn member_text(word: &str, title: &str) -> Option<String> {
    Some(match word {
        "allowed" => format!("Why not `{title}`, or nothing."),
        "perform" => format!("Does `{title}`."),
        "automatic" => format!("What happens at `{title}`."),
        "score" => format!("What `{title}` is worth to a bot."),
        "outlook" => format!("What a player should know of `{title}`."),
        word => format!(
            "What can be chosen for `{}` of `{title}`.",
            word.strip_suffix("_domain")?
        ),
    })
}

impl<'a> HeaderParser<'_, 'a> {
    fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn reader(&self, at: usize) -> TypeParser<'_, 'a> {
        TypeParser {
            tokens: self.tokens,
            at,
        }
    }

    /// `local dsii = require("@dsii")`, `local fire, over = dsii.fire, dsii.over`.
    fn local(&mut self, at: usize) {
        let mut reader = self.reader(at);
        let mut names = Vec::new();
        while let Some(name) = reader.name() {
            names.push(name.to_string());
            if !reader.eat(",") {
                break;
            }
        }
        if !reader.eat("=") {
            return;
        }
        let mut at = reader.at;
        for name in names {
            let Some((path, next)) = self.path(at) else {
                return;
            };
            if path.len() == 1 {
                self.scope.modules.insert(name.clone(), path[0].clone());
            }
            self.paths.insert(name, path);
            if self.text(next) != "," {
                return;
            }
            at = next + 1;
        }
    }

    /// What an expression stands for, if it is a path into a mod, and where it
    /// ends.
    fn path(&self, at: usize) -> Option<(Vec<String>, usize)> {
        let mut reader = self.reader(at);
        let mut path = match reader.name()? {
            "require" => {
                let is_bracketed = reader.eat("(");
                let wanted = reader
                    .tokens
                    .get(reader.at)
                    .filter(|token| token.sort == TokenKind::Text)?;
                let module = wanted.text.trim_matches(['"', '\'']).strip_prefix('@')?;
                let module = module.strip_suffix('?').unwrap_or(module);
                if module.contains('/')
                    || matches!(module, "rules" | "ask" | "domain" | "list" | "test")
                {
                    return None;
                }
                reader.at += 1;
                if is_bracketed && !reader.eat(")") {
                    return None;
                }
                vec![module.to_string()]
            }
            name => self.paths.get(name)?.clone(),
        };
        while reader.eat(".") {
            path.push(reader.name()?.to_string());
        }
        Some((path, reader.at))
    }

    fn alias(&mut self, at: usize, is_exported: bool, exported: &mut BTreeSet<String>) {
        let mut reader = self.reader(at);
        let Some(name) = reader.name().map(str::to_string) else {
            return;
        };
        // What is generic, or no statement at all, names no type of a header.
        if !reader.eat("=") {
            return;
        }
        let ty = reader.ty(0);
        if is_exported {
            exported.insert(name.clone());
        }
        self.scope.types.insert(name, ty);
    }

    /// A statement that gives a member of a chapter.
    fn header(&self, at: usize, headers: &mut Headers) {
        let line = self.tokens[at].line;
        let is_function = self.text(at) == "function";
        let mut reader = self.reader(at + usize::from(is_function));
        let Some(path) = self.member(&mut reader) else {
            return;
        };
        let [module, chapter, name] = path.as_slice() else {
            return;
        };
        if RESERVED.contains(&chapter.as_str()) || (!is_function && reader.peek() != "=") {
            return;
        }
        let mut wrong = Vec::new();
        let doc = Doc::read(&self.comment(line), &mut wrong);
        let what = match is_function {
            false => HeaderKind::Thing,
            true => match self.signature(&mut reader, &doc, &mut wrong) {
                Some(signature) => HeaderKind::Rule(signature),
                None => HeaderKind::Broken,
            },
        };
        headers
            .slips
            .extend(wrong.into_iter().map(|(message, hint)| {
                let message = format!("`{chapter}.{name}`: {message}");
                (line, (message, hint))
            }));
        let (module, chapter, name) = (module.clone(), chapter.clone(), name.clone());
        let mut of_table = None;
        if let Some((is_reaction, words)) = self.action(reader.at) {
            let title = value_of(&words, "title").map(|title| title.trim_matches('"').to_string());
            self.actions
                .borrow_mut()
                .extend(title.map(|title| (headers.all.len(), title)));
            of_table = has_number(&words, "score").then(|| MemberHeader {
                line,
                module: module.clone(),
                chapter: chapter.clone(),
                name: format!("{name}_score"),
                what: HeaderKind::Rule(score(is_reaction)),
                doc: Doc::default(),
            });
        }
        headers.all.push(MemberHeader {
            line,
            module,
            chapter,
            name,
            what,
            doc,
        });
        headers.all.extend(of_table);
    }

    /// The words of the action, reaction or phase that is declared behind a `=`,
    /// and whether it is a reaction.
    fn action(&self, at: usize) -> Option<(bool, Vec<&'a str>)> {
        let is_action = ["=", "rules", "."]
            .iter()
            .enumerate()
            .all(|(n, word)| self.text(at + n) == *word)
            && matches!(self.text(at + 3), "action" | "reaction" | "phase");
        let rest = self.tokens.get(at + 4..).filter(|_| is_action)?;
        let inside = rest
            .iter()
            .take_while(|token| !token.is_first)
            .map(|token| token.text);
        Some((self.text(at + 3) == "reaction", inside.collect()))
    }

    /// The path that a statement gives something to.
    fn member(&self, reader: &mut TypeParser<'_, 'a>) -> Option<Vec<String>> {
        let mut path = self.paths.get(reader.name()?)?.clone();
        while reader.eat(".") {
            path.push(reader.name()?.to_string());
        }
        (reader.peek() != ":").then_some(path)
    }

    /// The lines of the doc comment that ends right before a line.
    fn comment(&self, line: u32) -> Vec<&'a str> {
        let before = &self.lines[..(line as usize).saturating_sub(1).min(self.lines.len())];
        let mut found: Vec<&str> = before
            .iter()
            .rev()
            .map_while(|line| line.trim().strip_prefix("---"))
            .collect();
        found.reverse();
        found
    }

    /// The parameters and the result of a function; nothing if something is
    /// wrong with them.
    fn signature(
        &self,
        reader: &mut TypeParser<'_, 'a>,
        doc: &Doc,
        wrong: &mut Vec<TypeFault>,
    ) -> Option<HeaderSignature> {
        let slips = wrong.len();
        if !reader.eat("(") {
            wrong.push(reader.expected("`(`"));
            return None;
        }
        let mut params = Vec::new();
        while !reader.eat(")") {
            let Some(name) = reader.name() else {
                wrong.push(reader.expected("the name of a parameter"));
                return None;
            };
            let ty = match reader.eat(":") {
                true => match reader.ty(0) {
                    Ok(ty) => Some(ty),
                    Err(reason) => {
                        wrong.push(of_param(name, reason));
                        return None;
                    }
                },
                false => None,
            };
            params.push((name, ty));
            if !reader.eat(",") && reader.peek() != ")" {
                wrong.push(reader.expected("`,` or `)`"));
                return None;
            }
        }
        let result = match reader.eat(":") {
            true => match reader.ty(0) {
                Ok(ty) => ty,
                Err(reason) => {
                    wrong.push(of_result(reason));
                    return None;
                }
            },
            false => Ty::Nothing,
        };
        let effects = handle(params.first(), doc, wrong);
        let args = self.args(params.get(1..).unwrap_or_default(), wrong);
        let returns = self.returns(&result, wrong);
        let (effects, has_slipped) = (effects?, wrong.len() > slips);
        // Slips of the comment alone leave the rule as it is.
        if has_slipped {
            return None;
        }
        let is_reason = self.is_reason(&result);
        Some(HeaderSignature {
            count: params.len() - 1,
            args,
            is_step: effects.contains("asks") && returns.is_none(),
            returns,
            is_reason,
            effects,
        })
    }

    fn args(&self, params: &[(&str, Option<Ty>)], wrong: &mut Vec<TypeFault>) -> String {
        let mut args = Vec::new();
        for (name, ty) in params {
            // An underscore says to Luau that it is not used.
            let plain = name.trim_start_matches('_');
            match ty {
                None => {
                    let reason = ("expected a type, found none".to_string(), None);
                    wrong.push(of_param(name, reason));
                }
                Some(ty) => match self.scope.written(ty, 0) {
                    Ok(ty) => args.push(format!("{plain}: {ty}")),
                    Err(reason) => wrong.push(of_param(name, reason)),
                },
            }
        }
        args.join(", ")
    }

    fn returns(&self, result: &Ty, wrong: &mut Vec<TypeFault>) -> Option<String> {
        if matches!(result, Ty::Nothing) {
            return None;
        }
        match self.scope.written(result, 0) {
            Ok(ty) => match ty.strip_prefix("domain") {
                Some("" | "?") => Some("domain any".to_string()),
                _ => Some(ty),
            },
            Err(reason) => {
                wrong.push(of_result(reason));
                None
            }
        }
    }

    fn is_reason(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Optional(inner) => matches!(&**inner, Ty::Name(name) if name == "Reason"),
            Ty::Name(name) => {
                matches!(self.scope.types.get(name), Some(Ok(ty)) if self.is_reason(ty))
            }
            _ => false,
        }
    }
}

/// The word behind `FIELD =` in a table.
fn value_of<'a>(words: &[&'a str], field: &str) -> Option<&'a str> {
    words
        .windows(3)
        .find(|words| words[..2] == [field, "="])
        .map(|words| words[2])
}

/// Whether a field of a table is a number, or a name that stands for one: no
/// function, no rule and no text.
fn has_number(words: &[&str], field: &str) -> bool {
    let Some(at) = words.windows(2).position(|words| *words == [field, "="]) else {
        return false;
    };
    match (words.get(at + 2), words.get(at + 3)) {
        (Some(&"-"), _) => true,
        (Some(word), _) if word.starts_with(|first: char| first.is_ascii_digit()) => true,
        (Some(word), Some(&("," | ";" | "}"))) => {
            word.starts_with(|first: char| first.is_alphabetic())
        }
        _ => false,
    }
}

/// What a rule takes and gives that stands for a score that is a number.
fn score(is_reaction: bool) -> HeaderSignature {
    let args = if is_reaction {
        "actor: any, window: any, params: any"
    } else {
        "actor: any, params: any"
    };
    HeaderSignature {
        args: args.to_string(),
        count: args.split(',').count(),
        returns: Some("integer".to_string()),
        is_reason: false,
        effects: "reads".to_string(),
        is_step: false,
    }
}

fn of_param(name: &str, (reason, hint): TypeFault) -> TypeFault {
    (format!("parameter `{name}`: {reason}"), hint)
}

fn of_result((reason, hint): TypeFault) -> TypeFault {
    (format!("the result: {reason}"), hint)
}

/// The effects that the first parameter says.
fn handle(
    first: Option<&(&str, Option<Ty>)>,
    doc: &Doc,
    wrong: &mut Vec<TypeFault>,
) -> Option<String> {
    let expected = "expected the game first, `game: Reads`, `Draws`, `Writes` or `Acts`";
    let Some((name, ty)) = first else {
        wrong.push((format!("{expected}, found no parameter"), None));
        return None;
    };
    let word = match ty {
        Some(Ty::Name(word)) => word.as_str(),
        Some(_) => "another type",
        None => "no type",
    };
    let Some((_, effects)) = HANDLES.iter().find(|(known, _)| *known == word) else {
        let near = kernel::world::closest(word, HANDLES.iter().map(|(known, _)| *known));
        wrong.push((
            format!(
                "{expected}, found `{name}` with {}",
                if ty.is_some() {
                    format!("`{word}`")
                } else {
                    word.into()
                }
            ),
            near.map(|near| format!("did you mean `{near}`?")),
        ));
        return None;
    };
    let is_kept = |effect: &&str| {
        !(doc.never_draws && *effect == "draws" || doc.never_asks && *effect == "asks")
    };
    Some(
        effects
            .split(' ')
            .filter(is_kept)
            .collect::<Vec<_>>()
            .join(" "),
    )
}

#[cfg(test)]
mod tests;
