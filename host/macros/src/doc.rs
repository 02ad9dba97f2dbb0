//! The doc comment of a rule: the clauses that gate it, those that it cites
//! besides, its sentence, its tags. It is written as in Luau.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Error, Expr, ExprLit, Ident, Lit, Meta, Result};

/// What a doc comment says.
#[derive(Default)]
pub struct Doc {
    pub gates: Vec<String>,
    pub otherwise: Option<String>,
    pub cites: Vec<String>,
    pub text: String,
    pub never_draws: bool,
    pub never_asks: bool,
    pub open: Option<String>,
    pub reveals: Option<String>,
}

impl Doc {
    pub fn read(attrs: &[Attribute], at: Span) -> Result<Doc> {
        let mut doc = Doc::default();
        let mut words = Vec::new();
        for line in lines(attrs) {
            match line.strip_prefix("cites:") {
                Some(list) => doc.cites.extend(clauses(list, at)?),
                None if !line.is_empty() => words.push(line),
                None => {}
            }
        }
        let text = words.join(" ");
        let rest = doc.gate(&text, at)?;
        doc.tagged(rest, at)?;
        Ok(doc)
    }

    /// The doc comment of what is no rule of its own: what only a rule can say is an error there, for nobody would
    /// hear it.
    pub fn of_no_rule(attrs: &[Attribute], at: Span) -> Result<Doc> {
        let doc = Doc::read(attrs, at)?;
        let wrong = [
            (
                !doc.cites.is_empty(),
                "`cites:`: only a rule or a step is cited besides; what this is for stands in brackets, `[clause]`",
            ),
            (
                doc.otherwise.is_some(),
                "`else`: only a rule gives something without its clauses",
            ),
            (
                doc.open.is_some(),
                "`@open`: only a rule is opened for lines",
            ),
            (
                doc.never_draws,
                "`@never_draws`: only of a rule is said what it never does",
            ),
            (
                doc.never_asks,
                "`@never_asks`: only of a rule is said what it never does",
            ),
        ];
        match wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, why)) => Err(Error::new(at, format!("found {why}"))),
            None => Ok(doc),
        }
    }

    /// Takes the clauses in brackets from the front.
    fn gate<'a>(&mut self, text: &'a str, at: Span) -> Result<&'a str> {
        let Some(inner) = text.strip_prefix('[') else {
            return Ok(text);
        };
        let Some((inside, rest)) = inner.split_once(']') else {
            return Err(Error::new(
                at,
                "expected `]` after the clauses of the doc comment",
            ));
        };
        let (list, otherwise) = match inside.split_once(" else ") {
            Some((list, otherwise)) => (list, Some(otherwise.trim().to_string())),
            None => (inside, None),
        };
        (self.gates, self.otherwise) = (clauses(list, at)?, otherwise);
        Ok(rest.trim())
    }

    /// Takes the tags out of the sentence.
    fn tagged(&mut self, text: &str, at: Span) -> Result<()> {
        let mut parts = text.split(" @");
        let first = parts.next().unwrap_or_default();
        let mut kept = Vec::new();
        match first.strip_prefix('@') {
            Some(tag) => kept.push(self.tag(tag, at)?),
            None => kept.push(first.trim().to_string()),
        }
        for tag in parts {
            kept.push(self.tag(tag, at)?);
        }
        kept.retain(|part| !part.is_empty());
        self.text = kept.join(" ");
        Ok(())
    }

    /// Reads a tag; what stands behind it.
    fn tag(&mut self, text: &str, at: Span) -> Result<String> {
        let end = text
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let (inside, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((inside, rest)) => (inside.trim().to_string(), rest),
            None => (String::new(), rest),
        };
        match word {
            "never_draws" => self.never_draws = true,
            "never_asks" => self.never_asks = true,
            "open" => self.open = Some(inside),
            "reveals" if !inside.is_empty() => self.reveals = Some(inside),
            _ => {
                let message = format!(
                    "unknown tag `@{word}`: expected `@never_draws`, `@never_asks`, `@open` or `@reveals(words)`"
                );
                return Err(Error::new(at, message));
            }
        }
        Ok(rest.trim().to_string())
    }

    /// Its first sentence as a title.
    pub fn title(&self) -> &str {
        let first = self
            .text
            .split_once(". ")
            .map_or(&*self.text, |(first, _)| first);
        first.trim_end_matches('.')
    }

    /// Where and for what it is registered.
    pub fn origin(&self, at: Span) -> TokenStream {
        let gates = self.gates.iter().map(|tag| clause(tag, at));
        let cites = self.cites.iter().map(|tag| clause(tag, at));
        let reveals = match &self.reveals {
            Some(words) => quote!(Some(#words)),
            None => quote!(None),
        };
        quote! {
            ::houserule_guest::parts::Origin {
                gates: &[#(#gates),*],
                cites: &[#(#cites),*],
                reveals: #reveals,
                file: file!(),
                line: line!(),
            }
        }
    }
}

/// The lines of the doc comment among some attributes.
fn lines(attrs: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        let Meta::NameValue(meta) = &attr.meta else {
            continue;
        };
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &meta.value
        {
            found.extend(text.value().lines().map(|line| line.trim().to_string()));
        }
    }
    found
}

fn clauses(list: &str, at: Span) -> Result<Vec<String>> {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let list: Vec<&str> = list.split(',').map(str::trim).collect();
    match list.iter().find(|one| !one.split('.').all(is_part)) {
        Some(wrong) => Err(Error::new(
            at,
            format!("expected the id of a clause, found `{wrong}`"),
        )),
        None => Ok(list.into_iter().map(str::to_string).collect()),
    }
}

/// A clause by the name that the bindings have for it: `at8.counter` is
/// `clauses::at8::COUNTER`.
pub fn clause(tag: &str, at: Span) -> TokenStream {
    let mut parts: Vec<String> = tag.split('.').map(str::to_string).collect();
    if let Some(last) = parts.last_mut() {
        *last = last.to_uppercase();
    }
    let parts = parts.iter().map(|part| ident(part, at));
    quote!(houserule_clause!(#(#parts)*))
}

/// A name, raw where it is a word of the language.
pub fn ident(name: &str, at: Span) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) if name != "gen" => Ident::new(name, at),
        _ => Ident::new_raw(name, at),
    }
}

/// The plain text of a name.
pub fn plain(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#")
        .unwrap_or(&text)
        .trim_start_matches('_')
        .to_string()
}

#[cfg(test)]
mod tests {
    use syn::{ItemFn, parse_quote};

    use super::*;

    fn doc_of(item: ItemFn) -> std::result::Result<Vec<String>, String> {
        let doc = Doc::of_no_rule(&item.attrs, Span::call_site());
        doc.map(|doc| doc.gates).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_no_rule_has_clauses_and_a_sentence() {
        let found = doc_of(parse_quote! {
            /// [fire.again, fire.duck] Shoots once more. @reveals(who shoots)
            fn wrap() {}
        });
        assert_eq!(
            found,
            Ok(vec!["fire.again".to_string(), "fire.duck".to_string()])
        );
    }

    #[test]
    fn what_only_a_rule_can_say_is_an_error_elsewhere() {
        let cites: ItemFn = parse_quote! {
            /// [fire.again] Shoots once more.
            /// cites: fire.duck
            fn wrap() {}
        };
        let otherwise: ItemFn = parse_quote! {
            /// [fire.again else 0] Shoots once more.
            fn wrap() {}
        };
        let draws: ItemFn = parse_quote! {
            /// [fire.again] Shoots once more. @never_draws
            fn wrap() {}
        };
        let open: ItemFn = parse_quote! {
            /// [fire.again] Shoots once more. @open
            fn wrap() {}
        };
        for (item, expected) in [
            (cites, "`cites:`"),
            (otherwise, "`else`"),
            (draws, "`@never_draws`"),
            (open, "`@open`"),
        ] {
            let error = doc_of(item).unwrap_err();
            assert!(error.starts_with(&format!("found {expected}")), "{error}");
        }
    }
}
