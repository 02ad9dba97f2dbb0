//! The attributes with which rules in Rust are written.
//!
//! They read the header of a function (its name, its types, its doc comment)
//! and make of it what the host is told, as the host itself does for Luau. Mods
//! do not use this crate, but what `houserule-guest` hands on of it.
//!
//! What it refuses to know: kinds, tables and rules of any mod; a name that is
//! not there is an error where its binding is used.
//!
//! Read [`rule`](macro@rule), then `header.rs`.

mod action;
mod doc;
mod fields;
mod header;
mod phase;
mod rule;

use proc_macro::TokenStream;
use quote::quote;
use syn::parse::{Nothing, Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, ItemEnum, ItemMod, ItemStruct, LitStr, Path, Result, Token, parse_macro_input};

fn out(made: Result<proc_macro2::TokenStream>) -> TokenStream {
    made.unwrap_or_else(|error| error.to_compile_error()).into()
}

/// An id in quotes, or nothing.
struct Id(Option<LitStr>);

impl Parse for Id {
    fn parse(input: ParseStream<'_>) -> Result<Id> {
        Ok(Id(if input.is_empty() {
            None
        } else {
            Some(input.parse()?)
        }))
    }
}

/// Says at the top of a file of which mod and chapter its rules are:
/// `chapter!(tcs.atgm)`.
#[proc_macro]
pub fn chapter(input: TokenStream) -> TokenStream {
    let words =
        parse_macro_input!(input with Punctuated::<Ident, Token![.]>::parse_separated_nonempty);
    let prefix: Vec<String> = words.iter().map(doc::plain).collect();
    let prefix = prefix.join(".");
    let names: Vec<&Ident> = words.iter().collect();
    let module = names[0];
    let chapter = &names[1..];
    quote! {
        #[allow(unused_macros)]
        macro_rules! houserule_id {
            ($name:literal) => {
                concat!(#prefix, ".", $name)
            };
        }
        #[allow(unused_macros)]
        macro_rules! houserule_clause {
            ($last:ident) => {
                crate::bindings::#module::clauses #(::#chapter)* ::$last
            };
            ($first:ident $($rest:ident)+) => {
                crate::bindings::#module::clauses::$first $(::$rest)+
            };
        }
    }
    .into()
}

/// A rule: its name, types, effects, clauses and doc are those of the function.
///
/// A call of the function is a call of the rule, with its lines and wraps.
#[proc_macro_attribute]
pub fn rule(attr: TokenStream, item: TokenStream) -> TokenStream {
    let id = parse_macro_input!(attr as Id);
    out(rule::rule(
        id.0,
        parse_macro_input!(item as rule::Function),
        false,
    ))
}

/// A step, which rules can push: `name::push(game, …)`.
#[proc_macro_attribute]
pub fn step(attr: TokenStream, item: TokenStream) -> TokenStream {
    let id = parse_macro_input!(attr as Id);
    out(rule::rule(
        id.0,
        parse_macro_input!(item as rule::Function),
        true,
    ))
}

/// Around a rule of any mod: `#[wrap(fire::may)]`; the function gets the rule
/// under it first, `base: fire::may::Base`.
#[proc_macro_attribute]
pub fn wrap(attr: TokenStream, item: TokenStream) -> TokenStream {
    let around = parse_macro_input!(attr as rule::Around);
    out(rule::over(
        around,
        parse_macro_input!(item as rule::Function),
        false,
    ))
}

/// In the place of a rule of any mod.
#[proc_macro_attribute]
pub fn replace(attr: TokenStream, item: TokenStream) -> TokenStream {
    let around = parse_macro_input!(attr as rule::Around);
    out(rule::over(
        around,
        parse_macro_input!(item as rule::Function),
        true,
    ))
}

/// Runs after the step that told an event: `#[on(events::Struck)]`.
#[proc_macro_attribute]
pub fn on(attr: TokenStream, item: TokenStream) -> TokenStream {
    let event = parse_macro_input!(attr as Path);
    out(rule::on(&event, parse_macro_input!(item as rule::Function)))
}

/// A function that registers by itself, for what has no header.
#[proc_macro_attribute]
pub fn register(attr: TokenStream, item: TokenStream) -> TokenStream {
    parse_macro_input!(attr as Nothing);
    out(rule::register(parse_macro_input!(item as rule::Function)))
}

/// What a side may do in a phase: a module with the functions `allowed`,
/// `perform` and `score`, and one with `#[param]` for each parameter.
#[proc_macro_attribute]
pub fn action(attr: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attr as action::Options);
    out(action::action(
        &options,
        parse_macro_input!(item as ItemMod),
        false,
    ))
}

/// What a side may do in a window: as an action, with the window after who
/// acts.
#[proc_macro_attribute]
pub fn reaction(attr: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attr as action::Options);
    out(action::action(
        &options,
        parse_macro_input!(item as ItemMod),
        true,
    ))
}

/// A phase: the function gives what it is made of, its doc is its title.
#[proc_macro_attribute]
pub fn phase(attr: TokenStream, item: TokenStream) -> TokenStream {
    parse_macro_input!(attr as Nothing);
    out(phase::phase(parse_macro_input!(item as rule::Function)))
}

/// A phase that no player starts: the function runs.
#[proc_macro_attribute]
pub fn automatic(attr: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attr as phase::Options);
    out(phase::automatic(
        &options,
        parse_macro_input!(item as rule::Function),
    ))
}

/// A window: a struct of what it carries. `others_first`, `acting_first` or
/// `others_only` says who is asked, `uniform` that every side is.
#[proc_macro_attribute]
pub fn window(attr: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attr as fields::Window);
    out(fields::window(
        &options,
        parse_macro_input!(item as ItemStruct),
    ))
}

/// An event: its heading, how it reads, and a struct of its fields.
#[proc_macro_attribute]
pub fn event(attr: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attr as fields::Event);
    out(fields::event(
        &options,
        parse_macro_input!(item as ItemStruct),
    ))
}

/// A record that the rules of other mods can name.
#[proc_macro_attribute]
pub fn record(attr: TokenStream, item: TokenStream) -> TokenStream {
    let id = parse_macro_input!(attr as Id);
    out(fields::record(
        id.0,
        parse_macro_input!(item as ItemStruct),
        false,
    ))
}

/// A record without a name of its own.
#[proc_macro_attribute]
pub fn fields(attr: TokenStream, item: TokenStream) -> TokenStream {
    parse_macro_input!(attr as Nothing);
    out(fields::record(
        None,
        parse_macro_input!(item as ItemStruct),
        true,
    ))
}

/// Words of which one holds: `Ready` is `ready`.
#[proc_macro_attribute]
pub fn words(attr: TokenStream, item: TokenStream) -> TokenStream {
    parse_macro_input!(attr as Nothing);
    out(fields::words(parse_macro_input!(item as ItemEnum)))
}

/// In bindings: a kind, with its attributes as fields.
#[proc_macro_attribute]
pub fn kind(attr: TokenStream, item: TokenStream) -> TokenStream {
    let id = parse_macro_input!(attr as LitStr);
    out(fields::kind(&id, parse_macro_input!(item as ItemStruct)))
}

/// In bindings: a row of a table; the fields of its key are marked.
#[proc_macro_attribute]
pub fn table(attr: TokenStream, item: TokenStream) -> TokenStream {
    let id = parse_macro_input!(attr as LitStr);
    out(fields::table(&id, parse_macro_input!(item as ItemStruct)))
}
