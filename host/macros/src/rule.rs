//! Rules, steps, wraps, replacements, listeners.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Block, Error, Ident, LitStr, Path, Result, Signature, Token, Visibility};

use crate::doc::{Doc, plain};
use crate::header::Header;

/// A function, with a body or, in bindings, without.
pub struct Function {
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub sig: Signature,
    pub block: Option<Block>,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Function> {
        let attrs = input.call(Attribute::parse_outer)?;
        let (vis, sig) = (input.parse()?, input.parse()?);
        let block = if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
            None
        } else {
            Some(input.parse()?)
        };
        Ok(Function {
            attrs,
            vis,
            sig,
            block,
        })
    }
}

impl Function {
    /// The id in quotes, of what bindings name, or else that of the chapter.
    fn id(&self, given_id: &Option<LitStr>) -> Result<TokenStream> {
        let name = plain(&self.sig.ident);
        match (given_id, &self.block) {
            (Some(id), None) => Ok(quote!(#id)),
            (None, Some(_)) => Ok(quote!(houserule_id!(#name))),
            (Some(id), Some(_)) => Err(Error::new_spanned(
                id,
                "a rule of a mod has its name from its chapter and its function",
            )),
            (None, None) => Err(Error::new_spanned(&self.sig, "expected what the rule does")),
        }
    }
}

/// Something that a mod registers, with the functions that it runs.
pub fn piece(register: &TokenStream, functions: &[TokenStream]) -> TokenStream {
    quote! {
        ::houserule_guest::parts::inventory::submit! {
            ::houserule_guest::parts::Piece {
                file: file!(),
                line: line!(),
                register: |rules: &::houserule_guest::Registrar| { #register },
                functions: &[#(#functions),*],
            }
        }
    }
}

/// The function of the host around a body.
fn run(call: &TokenStream) -> TokenStream {
    quote! {
        |game: &::houserule_guest::Acts, args: &mut [::houserule_guest::Value]| {
            let _ = &*args;
            ::houserule_guest::parts::answer(#call)
        }
    }
}

/// A rule or, with `is_step`, a step.
pub fn rule(given_id: Option<LitStr>, function: Function, is_step: bool) -> Result<TokenStream> {
    let header = Header::read(&function.sig, false)?;
    let doc = Doc::read(&function.attrs, header.name.span())?;
    let id = function.id(&given_id)?;
    let face = face(&function, &header, &id, is_step);
    let Some(block) = &function.block else {
        return Ok(face);
    };
    let (name, params, given) = (&header.name, header.params(), header.given());
    let (fields, effects, text) = (header.fields(), header.effects(&doc), &doc.text);
    let (origin, reads) = (doc.origin(name.span()), header.reads());
    let register = match is_step {
        true => quote!(rules.step(#name::ID, #fields, #text, &#origin, 0);),
        false => quote! {
            let returns = <#given as ::houserule_guest::parts::Given>::name();
            rules.rule(#name::ID, #fields, returns, #effects, #text, &#origin, 0);
        },
    };
    let more = amended(&doc, name)?;
    let piece = piece(
        &quote!(#register #more),
        &[run(&quote!(body(game #(, #reads)*)))],
    );
    Ok(quote! {
        #face
        const _: () = {
            fn body(#params) -> #given #block
            #piece
        };
    })
}

/// What is said of a rule besides: what it gives without its clauses, and how
/// lines of others combine in it.
fn amended(doc: &Doc, name: &Ident) -> Result<TokenStream> {
    let otherwise = match doc.otherwise.as_deref() {
        None => quote!(),
        Some(text) => {
            let value = neutral(text, name)?;
            quote!(rules.otherwise(#name::ID, #value);)
        }
    };
    let open = doc
        .open
        .as_ref()
        .map(|how| quote!(rules.open(#name::ID, #how);));
    Ok(quote!(#otherwise #open))
}

fn neutral(text: &str, name: &Ident) -> Result<TokenStream> {
    let word = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match (text, text.parse::<i64>(), word) {
        ("nil", ..) => Ok(quote!(::houserule_guest::Value::Nothing)),
        ("true", ..) => Ok(quote!(::houserule_guest::Value::Bool(true))),
        ("false", ..) => Ok(quote!(::houserule_guest::Value::Bool(false))),
        ("{}", ..) => Ok(quote!(::houserule_guest::Value::List(Vec::new()))),
        (_, Ok(n), _) => Ok(quote!(::houserule_guest::Value::Int(#n))),
        (_, _, Some(word)) => Ok(quote!(::houserule_guest::Value::from(#word))),
        _ => {
            let message = format!(
                "expected a whole number, `nil`, `true`, `false`, `{{}}` or a word in quotes after `else`, found `{text}`"
            );
            Err(Error::new(name.span(), message))
        }
    }
}

/// What others see of a rule: a function that calls it as it is composed, and
/// beside it, under the same name, what wraps and lines need to know of it.
fn face(function: &Function, header: &Header, id: &TokenStream, is_step: bool) -> TokenStream {
    let attrs = &function.attrs;
    let (vis, name) = (&function.vis, &header.name);
    let (game, params, types) = (&header.game, header.params(), header.types());
    let (given, values, reads) = (header.given(), header.values(), header.reads());
    let inner = match vis {
        Visibility::Inherited => quote!(pub(super)),
        vis => quote!(#vis),
    };
    let push = is_step.then(|| {
        let params = header
            .args
            .iter()
            .map(|arg| (&arg.name, &arg.ty))
            .map(|(name, ty)| quote!(, #name: #ty));
        quote! {
            /// Runs it after this step.
            #inner fn push(#game: &::houserule_guest::Writes #(#params)*) {
                ::houserule_guest::parts::pushed(#game, ID, #values)
            }
        }
    });
    quote! {
        #(#attrs)*
        #[allow(clippy::too_many_arguments)]
        #vis fn #name(#params) -> #given {
            ::houserule_guest::parts::called(#game, #name::ID, #values)
        }
        #[doc(hidden)]
        #[allow(dead_code, unused_imports, clippy::too_many_arguments)]
        #vis mod #name {
            use super::*;
            #inner const ID: &str = #id;
            #inner type Base = fn(#types) -> #given;
            #inner type Over = fn(Base, #types) -> #given;
            #inner type Same = fn(#types) -> #given;
            #inner fn base(#params) -> #given {
                ::houserule_guest::parts::under(#game, #values)
            }
            #inner fn over(
                over: Over,
                game: &::houserule_guest::Acts,
                args: &mut [::houserule_guest::Value],
            ) -> ::houserule_guest::parts::Outcome {
                let _ = &*args;
                ::houserule_guest::parts::answer(over(base, game #(, #reads)*))
            }
            #inner fn instead(
                instead: Same,
                game: &::houserule_guest::Acts,
                args: &mut [::houserule_guest::Value],
            ) -> ::houserule_guest::parts::Outcome {
                let _ = &*args;
                ::houserule_guest::parts::answer(instead(game #(, #reads)*))
            }
            #push
        }
    }
}

/// What `#[wrap(…)]` says: the rules, and among the wraps of which mods it
/// goes.
pub struct Around {
    rules: Vec<Path>,
    before: Vec<String>,
    after: Vec<String>,
}

impl Parse for Around {
    fn parse(input: ParseStream<'_>) -> Result<Around> {
        let mut around = Around {
            rules: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        };
        while !input.is_empty() {
            let path: Path = input.parse()?;
            if input.peek(syn::token::Paren) {
                let inside;
                syn::parenthesized!(inside in input);
                let mods = Punctuated::<Ident, Token![,]>::parse_terminated(&inside)?;
                let mods = mods.iter().map(plain).collect();
                match () {
                    () if path.is_ident("before") => around.before = mods,
                    () if path.is_ident("after") => around.after = mods,
                    () => {
                        return Err(Error::new_spanned(
                            path,
                            "expected `before(mods)` or `after(mods)`",
                        ));
                    }
                }
            } else {
                around.rules.push(path);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        match around.rules.is_empty() {
            true => Err(input.error("expected the rule: `#[wrap(fire::may)]`")),
            false => Ok(around),
        }
    }
}

/// A wrap, or with `is_instead` a replacement.
pub fn over(around: Around, function: Function, is_instead: bool) -> Result<TokenStream> {
    let header = Header::read(&function.sig, !is_instead)?;
    let doc = Doc::of_no_rule(&function.attrs, header.name.span())?;
    let name = &header.name;
    let origin = doc.origin(name.span());
    let (before, after) = (&around.before, &around.after);
    let rules = &around.rules;
    let numbers: Vec<u32> = (0..).take(rules.len()).collect();
    let order = quote!(&[#(#before),*], &[#(#after),*]);
    let verb = if is_instead {
        format_ident!("replace")
    } else {
        format_ident!("wrap")
    };
    let how = if is_instead {
        format_ident!("instead")
    } else {
        format_ident!("over")
    };
    let register = quote! {
        #(rules.#verb(#rules::ID, #order, &#origin, #numbers);)*
    };
    let one = |rule: &Path| quote!(|game, args| #rule::#how(#name, game, args));
    let functions: Vec<TokenStream> = rules.iter().map(one).collect();
    let piece = piece(&register, &functions);
    let Function {
        attrs,
        vis,
        sig,
        block,
    } = function;
    Ok(quote! {
        #(#attrs)*
        #vis #sig #block
        #piece
    })
}

/// A listener to an event.
pub fn on(event: &Path, function: Function) -> Result<TokenStream> {
    let header = Header::read(&function.sig, false)?;
    let doc = Doc::of_no_rule(&function.attrs, header.name.span())?;
    let (name, origin) = (&header.name, doc.origin(header.name.span()));
    let register = quote!(rules.on(<#event>::ID, &#origin, 0););
    let call = quote! {
        |game: &::houserule_guest::Acts, args: &mut [::houserule_guest::Value]| {
            let fields = ::houserule_guest::parts::read::<::houserule_guest::Record>(
                ::houserule_guest::parts::taken(args, 0),
            );
            ::houserule_guest::parts::answer(#name(game, <#event>::read(&fields)))
        }
    };
    let piece = piece(&register, &[call]);
    let Function {
        attrs,
        vis,
        sig,
        block,
    } = function;
    Ok(quote! {
        #(#attrs)*
        #vis #sig #block
        #piece
    })
}

/// A function that registers by itself.
pub fn register(function: Function) -> Result<TokenStream> {
    let name = &function.sig.ident;
    let doc = Doc::of_no_rule(&function.attrs, name.span())?;
    let origin = doc.origin(name.span());
    let piece = piece(&quote!(#name(&rules.within(&#origin))), &[]);
    let Function {
        attrs,
        vis,
        sig,
        block,
    } = &function;
    Ok(quote! {
        #(#attrs)*
        #vis #sig #block
        #piece
    })
}
