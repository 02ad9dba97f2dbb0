//! The header of a function: what it takes, gives and may do.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, FnArg, Ident, Pat, Result, ReturnType, Signature, Type};

use crate::doc::{Doc, plain};

/// An argument.
pub struct Arg {
    pub name: Ident,
    pub ty: Type,
}

impl Arg {
    /// What it is when it is owned: `String` of `&str`.
    pub fn owned(&self) -> TokenStream {
        match &self.ty {
            Type::Reference(reference) => {
                let inner = &reference.elem;
                quote!(<#inner as ::std::borrow::ToOwned>::Owned)
            }
            ty => quote!(#ty),
        }
    }

    /// It as a value.
    pub fn value(&self) -> TokenStream {
        let name = &self.name;
        match &self.ty {
            Type::Reference(_) => {
                quote!(::houserule_guest::Value::from(::std::borrow::ToOwned::to_owned(#name)))
            }
            _ => quote!(::houserule_guest::Value::from(#name)),
        }
    }

    /// It read from a value.
    pub fn read(&self, value: &TokenStream) -> TokenStream {
        let owned = self.owned();
        let read = quote!(::houserule_guest::parts::read::<#owned>(#value));
        match &self.ty {
            Type::Reference(_) => quote!(&#read),
            _ => read,
        }
    }

    pub fn plain(&self) -> String {
        plain(&self.name)
    }
}

/// What a function says of itself.
pub struct Header {
    pub name: Ident,
    /// `Reads`, `Draws`, `Writes` or `Acts`.
    pub handle: Ident,
    /// What the handle is called.
    pub game: Ident,
    /// What comes after it.
    pub args: Vec<Arg>,
    /// What is given back; nothing without it.
    pub output: Option<Type>,
}

const HANDLES: [&str; 4] = ["Reads", "Draws", "Writes", "Acts"];

impl Header {
    pub fn read(sig: &Signature, has_base: bool) -> Result<Header> {
        let mut args = sig
            .inputs
            .iter()
            .map(one)
            .collect::<Result<Vec<Arg>>>()?
            .into_iter();
        // The rule under a wrap stands before the handle.
        let game = if has_base { args.nth(1) } else { args.next() };
        let handle = game.as_ref().and_then(|game| handle_of(&game.ty));
        let (Some(game), Some(handle)) = (game, handle) else {
            let message = "expected the game first: `game: &Reads`, `&Draws`, `&Writes` or `&Acts`";
            return Err(Error::new_spanned(sig, message));
        };
        let output = match &sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some((**ty).clone()),
        };
        Ok(Header {
            name: sig.ident.clone(),
            handle,
            game: game.name,
            args: args.collect(),
            output,
        })
    }

    /// The effects that the handle allows, and the tags take away.
    pub fn effects(&self, doc: &Doc) -> String {
        let all: &[&str] = match self.handle.to_string().as_str() {
            "Reads" => &[],
            "Draws" => &["draws"],
            "Writes" => &["draws", "writes"],
            _ => &["draws", "writes", "asks"],
        };
        let is_left = |word: &&&str| {
            !(**word == "draws" && doc.never_draws || **word == "asks" && doc.never_asks)
        };
        all.iter()
            .filter(is_left)
            .copied()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The type of what is given back.
    pub fn given(&self) -> TokenStream {
        match &self.output {
            Some(ty) => quote!(#ty),
            None => quote!(()),
        }
    }

    /// `game: &Reads, unit: Unit`, for a function with the same header.
    pub fn params(&self) -> TokenStream {
        let (game, handle) = (&self.game, &self.handle);
        let names = self.args.iter().map(|arg| &arg.name);
        let types = self.args.iter().map(|arg| &arg.ty);
        quote!(#game: &::houserule_guest::#handle #(, #names: #types)*)
    }

    /// The types alone.
    pub fn types(&self) -> TokenStream {
        let handle = &self.handle;
        let types = self.args.iter().map(|arg| &arg.ty);
        quote!(&::houserule_guest::#handle #(, #types)*)
    }

    /// The arguments as values.
    pub fn values(&self) -> TokenStream {
        let values = self.args.iter().map(Arg::value);
        quote!(::std::vec![#(#values),*])
    }

    /// The arguments read from `args`, one after another.
    pub fn reads(&self) -> Vec<TokenStream> {
        let one =
            |(i, arg): (usize, &Arg)| arg.read(&quote!(::houserule_guest::parts::taken(args, #i)));
        self.args.iter().enumerate().map(one).collect()
    }

    /// The names and types of the arguments, as the contract writes them.
    pub fn fields(&self) -> TokenStream {
        let names = self.args.iter().map(Arg::plain);
        let types = self.args.iter().map(Arg::owned);
        quote!(&[#((#names, <#types as ::houserule_guest::Typed>::name())),*])
    }
}

fn one(arg: &FnArg) -> Result<Arg> {
    let FnArg::Typed(typed) = arg else {
        return Err(Error::new_spanned(arg, "expected a name and a type"));
    };
    match &*typed.pat {
        Pat::Ident(name) => Ok(Arg {
            name: name.ident.clone(),
            ty: (*typed.ty).clone(),
        }),
        other => Err(Error::new_spanned(other, "expected a name")),
    }
}

fn handle_of(ty: &Type) -> Option<Ident> {
    let Type::Reference(reference) = ty else {
        return None;
    };
    let Type::Path(path) = &*reference.elem else {
        return None;
    };
    let last = &path.path.segments.last()?.ident;
    HANDLES
        .contains(&last.to_string().as_str())
        .then(|| last.clone())
}
