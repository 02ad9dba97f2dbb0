//! Types of Luau in headers, and what they are called in signatures.
//!
//! What a header says is narrower than what Luau can: the host checks each
//! value that goes in and comes out. Names of other mods stay as they are
//! written, in angle brackets, until all kinds and records are known.

use std::collections::BTreeMap;

use rules::modset::published_types;
use rules::tokens::{Token, TokenKind};

/// Types nested deeper than this are refused, and so are names that mean names.
const DEEPEST: usize = 32;

/// What a rule says of a choice before it is made.
pub(crate) const OUTLOOK: &str = "{summary: text?, notes: list(text)?, warnings: list(text)?, odds: {rule: id, args: list(any), by: text, words: map(text)?}?}";

/// What a plain name means.
const PLAIN: [(&str, &str); 17] = [
    ("Integer", "integer"),
    ("Length", "length"),
    ("Angle", "angle"),
    ("Direction", "direction"),
    ("Point", "point"),
    ("Hex", "hex"),
    ("Die", "die"),
    ("Id", "id"),
    ("Path", "path"),
    ("Entity", "entity"),
    ("Side", "text"),
    ("Reason", "text"),
    ("Domain", "domain"),
    ("Outlook", OUTLOOK),
    ("boolean", "bool"),
    ("string", "text"),
    ("any", "any"),
];

/// What people say who come from elsewhere, and what it is called here.
const ELSEWHERE: [(&str, &str); 8] = [
    ("int", "Integer"),
    ("integer", "Integer"),
    ("float", "Integer"),
    ("bool", "boolean"),
    ("str", "string"),
    ("text", "string"),
    ("String", "string"),
    ("dice", "Die"),
];

/// A type as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// A name of the file, or of the host.
    Name(String),
    /// A name of a mod, by what stands before the dot.
    Of(String, String),
    /// A text that stands for itself.
    Word(String),
    /// `{ T }`.
    List(Box<Ty>),
    /// `{ [string]: T }`.
    Map(Box<Ty>),
    /// `{ a: T }`.
    Record(Vec<(String, Ty)>),
    /// `T?`.
    Optional(Box<Ty>),
    /// `"a" | "b"`.
    Union(Vec<Ty>),
    /// `()`.
    Nothing,
    /// `(A, B)`: several values.
    Several,
}

/// Why a type does not parse, or cannot stand in a header, and a hint.
pub(crate) type TypeFault = (String, Option<String>);

/// Reads types from tokens.
pub(crate) struct TypeParser<'t, 'a> {
    pub tokens: &'t [Token<'a>],
    pub at: usize,
}

impl<'a> TypeParser<'_, 'a> {
    pub fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| token.text)
    }

    pub fn eat(&mut self, sign: &str) -> bool {
        let is_there = self.peek() == sign;
        self.at += usize::from(is_there);
        is_there
    }

    pub fn name(&mut self) -> Option<&'a str> {
        let token = self
            .tokens
            .get(self.at)
            .filter(|token| token.sort == TokenKind::Name)?;
        self.at += 1;
        Some(token.text)
    }

    fn expect(&mut self, sign: &str) -> Result<(), TypeFault> {
        if self.eat(sign) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{sign}`")))
        }
    }

    pub fn expected(&self, what: &str) -> TypeFault {
        let found = match self.peek() {
            "" => "the end".to_string(),
            found => format!("`{found}`"),
        };
        (format!("expected {what}, found {found}"), None)
    }

    pub fn ty(&mut self, depth: usize) -> Result<Ty, TypeFault> {
        if depth > DEEPEST {
            return Err(("expected types nested less deep".into(), None));
        }
        self.eat("|");
        let mut all = vec![self.part(depth)?];
        while self.eat("|") {
            all.push(self.part(depth)?);
        }
        let is_optional = all.iter().any(|one| matches!(one, Ty::Nothing));
        all.retain(|one| !matches!(one, Ty::Nothing));
        let ty = match (all.pop(), all.is_empty()) {
            (None, _) => return Ok(Ty::Nothing),
            (Some(one), true) => one,
            (Some(last), false) => {
                all.push(last);
                Ty::Union(all)
            }
        };
        Ok(if is_optional {
            Ty::Optional(Box::new(ty))
        } else {
            ty
        })
    }

    fn part(&mut self, depth: usize) -> Result<Ty, TypeFault> {
        let mut ty = self.simple(depth)?;
        while self.eat("?") {
            if !matches!(ty, Ty::Optional(_)) {
                ty = Ty::Optional(Box::new(ty));
            }
        }
        Ok(ty)
    }

    fn simple(&mut self, depth: usize) -> Result<Ty, TypeFault> {
        if self.eat("nil") {
            return Ok(Ty::Nothing);
        }
        if self.eat("{") {
            return self.table(depth);
        }
        if self.eat("(") {
            return self.brackets(depth);
        }
        if let Some(token) = self
            .tokens
            .get(self.at)
            .filter(|token| token.sort == TokenKind::Text)
        {
            self.at += 1;
            return Ok(Ty::Word(token.text.trim_matches(['"', '\'']).to_string()));
        }
        let Some(name) = self.name() else {
            return Err(self.expected("a type"));
        };
        let ty = match self.eat(".") {
            true => match self.name() {
                Some(rest) => Ty::Of(name.to_string(), rest.to_string()),
                None => return Err(self.expected("the name of a type after the dot")),
            },
            false => Ty::Name(name.to_string()),
        };
        if self.peek() == "<" {
            return Err(("expected a type without parameters, found `<`".into(), None));
        }
        Ok(ty)
    }

    fn brackets(&mut self, depth: usize) -> Result<Ty, TypeFault> {
        if self.eat(")") {
            return Ok(Ty::Nothing);
        }
        let ty = self.ty(depth + 1)?;
        let mut is_one = true;
        while self.eat(",") {
            is_one = false;
            self.ty(depth + 1)?;
        }
        self.expect(")")?;
        if self.peek() == "->" {
            return Err((
                "expected a value, found the type of a function".into(),
                None,
            ));
        }
        Ok(if is_one { ty } else { Ty::Several })
    }

    fn table(&mut self, depth: usize) -> Result<Ty, TypeFault> {
        if self.eat("[") {
            let key = self.ty(depth + 1)?;
            self.expect("]")?;
            self.expect(":")?;
            let value = self.ty(depth + 1)?;
            self.expect("}")?;
            return match key {
                Ty::Name(name) if name == "string" => Ok(Ty::Map(Box::new(value))),
                _ => Err(("expected `string` as the key of a map".into(), None)),
            };
        }
        let is_record = |at: usize| self.tokens.get(at).is_some_and(|token| token.text == ":");
        let is_field = is_record(self.at + 1) || (self.peek() == "read" && is_record(self.at + 2));
        if !is_field && self.peek() != "}" {
            let item = self.ty(depth + 1)?;
            self.expect("}")?;
            return Ok(Ty::List(Box::new(item)));
        }
        let mut fields = Vec::new();
        while !self.eat("}") {
            if self.peek() == "read"
                && self
                    .tokens
                    .get(self.at + 1)
                    .is_none_or(|token| token.text != ":")
            {
                self.at += 1;
            }
            let Some(name) = self.name() else {
                return Err(self.expected("the name of a field"));
            };
            self.expect(":")?;
            fields.push((name.to_string(), self.ty(depth + 1)?));
            if !self.eat(",") && !self.eat(";") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Ty::Record(fields))
    }
}

/// The names of types that a file gives, and the mods that its locals stand for.
#[derive(Default, Debug)]
pub(crate) struct TypeScope {
    /// Types by name; those that cannot stand in a header say why.
    pub types: BTreeMap<String, Result<Ty, TypeFault>>,
    /// The mod that a local is the module of.
    pub modules: BTreeMap<String, String>,
}

impl TypeScope {
    /// A type as signatures write it.
    pub fn written(&self, ty: &Ty, depth: usize) -> Result<String, TypeFault> {
        if depth > DEEPEST {
            return Err((
                "expected a type that does not stand for itself".into(),
                None,
            ));
        }
        match ty {
            Ty::Name(name) => self.named(name, depth),
            Ty::Of(local, name) => match self.modules.get(local) {
                Some(module) => Ok(format!("<{module}.{name}>")),
                None => Err((
                    format!("expected a type, found `{local}.{name}`"),
                    Some(format!(
                        "if `{local}` is a mod, name it in `depends` of `mod.ron`"
                    )),
                )),
            },
            Ty::Word(word) => Err((
                format!("expected two words or more, found `\"{word}\"` alone"),
                Some("`\"one\" | \"other\"`".into()),
            )),
            Ty::List(inner) => Ok(format!("list({})", self.written(inner, depth + 1)?)),
            Ty::Map(inner) => Ok(format!("map({})", self.written(inner, depth + 1)?)),
            Ty::Optional(inner) => {
                let inner = self.written(inner, depth + 1)?;
                Ok(if inner.ends_with('?') {
                    inner
                } else {
                    format!("{inner}?")
                })
            }
            Ty::Record(fields) => {
                let mut all = Vec::new();
                for (name, ty) in fields {
                    all.push(format!("{name}: {}", self.written(ty, depth + 1)?));
                }
                Ok(format!("{{{}}}", all.join(", ")))
            }
            Ty::Union(all) => {
                let mut words = Vec::new();
                for one in all {
                    match one {
                        Ty::Word(word) => words.push(word.as_str()),
                        _ => {
                            return Err((
                                "expected words in quotes on each side of `|`".into(),
                                None,
                            ));
                        }
                    }
                }
                Ok(words.join("|"))
            }
            Ty::Nothing => Err(("expected a type, found nothing".into(), None)),
            Ty::Several => Err((
                "expected one value, found several".into(),
                Some("why not is one value: `Reason?`".into()),
            )),
        }
    }

    fn named(&self, name: &str, depth: usize) -> Result<String, TypeFault> {
        if let Some((_, plain)) = PLAIN.iter().find(|(known, _)| *known == name) {
            return Ok((*plain).to_string());
        }
        match self.types.get(name) {
            Some(Ok(ty)) => self.written(ty, depth + 1),
            Some(Err(wrong)) => Err(wrong.clone()),
            None if name == "number" => {
                let hint = "`Integer`, `Length`, `Angle` or `Direction` says which";
                Err((
                    "expected a type of the game, found `number`".into(),
                    Some(hint.into()),
                ))
            }
            None => {
                let elsewhere = ELSEWHERE
                    .iter()
                    .find(|(word, _)| *word == name)
                    .map(|(_, here)| *here);
                let known = PLAIN.iter().map(|(known, _)| *known);
                let known = known.chain(self.types.keys().map(String::as_str));
                let near = elsewhere.or_else(|| kernel::world::closest(name, known));
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                let is_published = published_types().any(|known| known == name);
                let hint = match hint {
                    _ if is_published => {
                        format!(
                            "what the API calls `{name}` goes from rule to rule as `any`; one of a mod is declared: `type {name} = mod.{name}`"
                        )
                    }
                    Some(hint) => hint,
                    None => format!("say whose it is: `type {name} = mod.{name}`"),
                };
                Err((format!("expected a type, found `{name}`"), Some(hint)))
            }
        }
    }
}
