//! Phases.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, Path, Result, Token};

use crate::doc::{Doc, plain};
use crate::header::Header;
use crate::rule::{Function, piece};

/// What stands in the brackets of an automatic phase: `before = seq::action`.
#[derive(Default)]
pub struct Options {
    announced: bool,
    place: Option<(Ident, Path)>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Options> {
        let mut options = Options::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "announced" => options.announced = true,
                "before" | "after" | "around" => {
                    input.parse::<Token![=]>()?;
                    options.place = Some((format_ident!("{}", word), input.parse()?));
                }
                _ => {
                    let message = "expected `announced`, `before = `, `after = ` or `around = `";
                    return Err(Error::new_spanned(word, message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

/// What others see of a phase.
fn face(function: &Function) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let id = plain(name);
    let inner = match vis {
        syn::Visibility::Inherited => quote!(pub(super)),
        vis => quote!(#vis),
    };
    quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        #vis mod #name {
            #inner const ID: &str = houserule_id!(#id);
        }
    }
}

/// A phase that a function describes.
pub fn phase(function: Function) -> Result<TokenStream> {
    let name = &function.sig.ident;
    let doc = Doc::of_no_rule(&function.attrs, name.span())?;
    let (origin, title) = (doc.origin(name.span()), &doc.text);
    let piece = piece(
        &quote!(rules.phase(#name::ID, #title, #name(), &#origin);),
        &[],
    );
    let face = face(&function);
    let Function {
        attrs,
        vis,
        sig,
        block,
    } = &function;
    Ok(quote!(#(#attrs)* #vis #sig #block #face #piece))
}

/// A phase that no player starts.
pub fn automatic(options: &Options, function: Function) -> Result<TokenStream> {
    let header = Header::read(&function.sig, false)?;
    let name = &header.name;
    let doc = Doc::of_no_rule(&function.attrs, name.span())?;
    let (origin, title) = (doc.origin(name.span()), &doc.text);
    let announced = options.announced.then(|| quote!(.announced()));
    let place = options
        .place
        .as_ref()
        .map(|(word, path)| quote!(.#word(#path::ID)));
    let phase = quote!(::houserule_guest::Phase::automatic(0) #announced #place);
    let run = quote! {
        |game: &::houserule_guest::Acts, _: &mut [::houserule_guest::Value]| {
            ::houserule_guest::parts::answer(#name(game))
        }
    };
    let piece = piece(
        &quote!(rules.phase(#name::ID, #title, #phase, &#origin);),
        &[run],
    );
    let face = face(&function);
    let Function {
        attrs,
        vis,
        sig,
        block,
    } = &function;
    Ok(quote!(#(#attrs)* #vis #sig #block #face #piece))
}
