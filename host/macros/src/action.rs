//! Actions and reactions: modules whose functions are their parts.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, Item, ItemFn, ItemMod, LitStr, Path, Result, Token};

use crate::doc::{Doc, plain};
use crate::header::Header;
use crate::rule::piece;

/// What stands in the brackets: `at = seq::direct, actor = Unit, told`.
#[derive(Default)]
pub struct Options {
    at: Vec<Path>,
    actor: Option<Path>,
    compulsory: bool,
    narrated: bool,
    audience: Option<String>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Options> {
        let mut options = Options::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "compulsory" => options.compulsory = true,
                "told" => options.narrated = true,
                "at" => options.at.push(valued(input)?),
                "actor" => options.actor = Some(valued(input)?),
                "audience" => options.audience = Some(valued::<LitStr>(input)?.value()),
                _ => {
                    let message =
                        "expected `at = `, `actor = `, `audience = `, `told` or `compulsory`";
                    return Err(Error::new_spanned(word, message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        match options.at.is_empty() {
            true => Err(input.error("expected the phase or the window: `at = seq::direct`")),
            false => Ok(options),
        }
    }
}

fn valued<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// A parameter.
struct Param {
    function: ItemFn,
    doc: Doc,
    audience: Option<String>,
}

/// An action, or with `is_reaction` a reaction.
pub fn action(options: &Options, mut module: ItemMod, is_reaction: bool) -> Result<TokenStream> {
    let name = module.ident.clone();
    let doc = Doc::of_no_rule(&module.attrs, name.span())?;
    let Some((_, items)) = &mut module.content else {
        return Err(Error::new_spanned(
            &name,
            "expected the functions of it: `mod name { … }`",
        ));
    };
    let params = params(items)?;
    let function = |word: &str| {
        items.iter().find_map(|item| match item {
            Item::Fn(function) if function.sig.ident == word => Some(function.clone()),
            _ => None,
        })
    };
    let Some(perform) = function("perform") else {
        return Err(Error::new_spanned(
            &name,
            "expected a function `perform` in it",
        ));
    };
    let context = usize::from(options.actor.is_some()) + usize::from(is_reaction);
    let names: Vec<String> = params
        .iter()
        .map(|param| plain(&param.function.sig.ident))
        .collect();
    let call = |function: &ItemFn| called(&name, function, options, is_reaction, context, &names);
    let mut functions = vec![call(&perform)?];
    let mut place = |function: Option<ItemFn>| -> Result<TokenStream> {
        let Some(function) = function else {
            return Ok(quote!(None));
        };
        functions.push(call(&function)?);
        let number = functions.len() as u32 - 1;
        Ok(quote!(Some(#number)))
    };
    let (allowed, score) = (place(function("allowed"))?, place(function("score"))?);
    let mut declared_params = Vec::new();
    for param in &params {
        functions.push(call(&param.function)?);
        declared_params.push(param.declared(functions.len() as u32 - 1)?);
    }
    let id = plain(&name);
    let (origin, title) = (doc.origin(name.span()), &doc.text);
    let at = &options.at;
    let actor = match &options.actor {
        Some(actor) => quote!(Some(#actor::ID)),
        None => quote!(None),
    };
    let audience = option(&options.audience);
    let (compulsory, narrated) = (options.compulsory, options.narrated);
    let register = quote! {
        rules.action(&::houserule_guest::parts::Action {
            id: houserule_id!(#id),
            title: #title,
            at: &[#(#at::ID),*],
            actor: #actor,
            params: &[#(#declared_params),*],
            perform: 0,
            allowed: #allowed,
            score: #score,
            is_compulsory: #compulsory,
            is_narrated: #narrated,
            is_reaction: #is_reaction,
            audience: #audience,
            origin: #origin,
        });
    };
    let piece = piece(&register, &functions);
    Ok(quote!(#module #piece))
}

fn option(text: &Option<String>) -> TokenStream {
    match text {
        Some(text) => quote!(Some(#text)),
        None => quote!(None),
    }
}

/// Takes the marks off the functions that are parameters.
fn params(items: &mut [Item]) -> Result<Vec<Param>> {
    let mut found = Vec::new();
    for item in items {
        let Item::Fn(function) = item else { continue };
        let Some(place) = function
            .attrs
            .iter()
            .position(|attr| attr.path().is_ident("param"))
        else {
            continue;
        };
        let attr = function.attrs.remove(place);
        let mut audience = None;
        if !matches!(attr.meta, syn::Meta::Path(_)) {
            attr.parse_nested_meta(|meta| {
                if !meta.path.is_ident("audience") {
                    return Err(meta.error("expected `audience = \"…\"`"));
                }
                audience = Some(meta.value()?.parse::<LitStr>()?.value());
                Ok(())
            })?;
        }
        let doc = Doc::read(&function.attrs, function.sig.ident.span())?;
        found.push(Param {
            function: function.clone(),
            doc,
            audience,
        });
    }
    Ok(found)
}

impl Param {
    fn declared(&self, number: u32) -> Result<TokenStream> {
        let header = Header::read(&self.function.sig, false)?;
        let (name, title) = (plain(&header.name), &self.doc.text);
        let Some(given) = &header.output else {
            return Err(Error::new_spanned(
                &header.name,
                "expected a domain: `-> Domain<Unit>`",
            ));
        };
        let (audience, reveals) = (option(&self.audience), option(&self.doc.reveals));
        Ok(quote! {
            ::houserule_guest::parts::Param {
                name: #name,
                title: #title,
                ty: <#given as ::houserule_guest::parts::Chosen>::name(),
                domain: #number,
                audience: #audience,
                reveals: #reveals,
            }
        })
    }
}

/// The function of the host around one of them: who acts and the window come
/// first, then the parameters by their names.
fn called(
    module: &Ident,
    function: &ItemFn,
    options: &Options,
    is_reaction: bool,
    context: usize,
    params: &[String],
) -> Result<TokenStream> {
    let header = Header::read(&function.sig, false)?;
    let name = &header.name;
    if header.args.len() < context {
        let message = match (&options.actor, is_reaction) {
            (Some(_), true) => "expected the game, who acts, and the window",
            (Some(_), false) => "expected the game and who acts",
            _ => "expected the game and the window",
        };
        return Err(Error::new_spanned(&function.sig, message));
    }
    // The host gives the side in the place of who acts where nobody does.
    let skipped = usize::from(options.actor.is_none());
    let last = 1 + usize::from(is_reaction);
    let mut reads = Vec::new();
    for (i, arg) in header.args.iter().enumerate() {
        let place = i + skipped;
        let value = if i < context {
            quote!(::houserule_guest::parts::taken(args, #place))
        } else {
            let field = arg.plain();
            if !params.contains(&field) {
                let message =
                    format!("there is no parameter `{field}`: mark its function with `#[param]`");
                return Err(Error::new_spanned(&arg.name, message));
            }
            quote!(::houserule_guest::parts::field(args, #last, #field))
        };
        reads.push(arg.read(&value));
    }
    Ok(quote! {
        |game: &::houserule_guest::Acts, args: &mut [::houserule_guest::Value]| {
            let _ = &*args;
            ::houserule_guest::parts::answer(#module::#name(game #(, #reads)*))
        }
    })
}
