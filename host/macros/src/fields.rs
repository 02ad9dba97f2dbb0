//! Structs whose fields are those of something in the game: kinds, records,
//! windows, events, rows of tables; and enums of words.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Fields, Ident, ItemEnum, ItemStruct, LitStr, Result, Token, Type};

use crate::doc::{Doc, plain};
use crate::rule::piece;

/// A field.
struct Field {
    attrs: Vec<Attribute>,
    name: Ident,
    text: String,
    ty: Type,
    is_key: bool,
}

fn fields(item: &mut ItemStruct) -> Result<Vec<Field>> {
    let Fields::Named(named) = &mut item.fields else {
        return Err(Error::new_spanned(
            &item.ident,
            "expected fields with names",
        ));
    };
    let mut found = Vec::new();
    for field in &mut named.named {
        let before = field.attrs.len();
        field.attrs.retain(|attr| !attr.path().is_ident("key"));
        let is_key = field.attrs.len() < before;
        let Some(name) = field.ident.clone() else {
            continue;
        };
        let (attrs, ty) = (field.attrs.clone(), field.ty.clone());
        found.push(Field {
            attrs,
            text: plain(&name),
            name,
            ty,
            is_key,
        });
    }
    Ok(found)
}

/// A struct of fields as a value and back.
fn as_value(item: &ItemStruct, fields: &[Field]) -> TokenStream {
    let name = &item.ident;
    let (names, texts) = (
        fields.iter().map(|field| &field.name),
        fields.iter().map(|field| &field.text),
    );
    let (again, words) = (names.clone(), texts.clone());
    let fields = fields.iter().map(|field| {
        let (text, ty) = (&field.text, &field.ty);
        quote!((#text, <#ty as ::houserule_guest::Typed>::name()))
    });
    quote! {
        impl From<#name> for ::houserule_guest::Value {
            fn from(it: #name) -> ::houserule_guest::Value {
                ::houserule_guest::record([#((#texts, ::houserule_guest::Value::from(it.#names))),*]).into()
            }
        }
        impl ::houserule_guest::FromValue for #name {
            #[track_caller]
            fn from_value(value: ::houserule_guest::Value) -> #name {
                let mut it = ::houserule_guest::parts::read::<::houserule_guest::Record>(value);
                #name { #(#again: ::houserule_guest::parts::part(&mut it, #words)),* }
            }
        }
        impl #name {
            #[allow(dead_code)]
            fn fields() -> ::std::string::String {
                ::houserule_guest::parts::fields(&[#(#fields),*])
            }
        }
    }
}

/// The id in quotes, or that of the chapter with the name in lower case.
fn id(given_id: &Option<LitStr>, name: &Ident) -> TokenStream {
    let word = snake(&name.to_string());
    match given_id {
        Some(id) => quote!(#id),
        None => quote!(houserule_id!(#word)),
    }
}

fn derived(item: &ItemStruct) -> TokenStream {
    quote!(#[derive(Clone, Debug, PartialEq)] #[allow(missing_docs)] #item)
}

/// A record with an id; with `is_inline` one that is written out where it is
/// used.
pub fn record(
    given_id: Option<LitStr>,
    mut item: ItemStruct,
    is_inline: bool,
) -> Result<TokenStream> {
    let fields = fields(&mut item)?;
    let (item_out, values, name) = (derived(&item), as_value(&item, &fields), &item.ident);
    let id = id(&given_id, name);
    let ty = match is_inline {
        true => quote!(::std::format!("{{{}}}", #name::fields())),
        false => quote!(::std::string::String::from(#id)),
    };
    let doc = Doc::of_no_rule(&item.attrs, name.span())?;
    let origin = doc.origin(name.span());
    let registered = (given_id.is_none() && !is_inline)
        .then(|| piece(&quote!(rules.record(#id, &#name::fields(), &#origin);), &[]));
    Ok(quote! {
        #item_out
        #values
        impl ::houserule_guest::Typed for #name {
            fn name() -> ::std::string::String {
                #ty
            }
        }
        #registered
    })
}

/// What stands in the brackets of a window: an id, or who is asked and how.
pub struct Window {
    id: Option<LitStr>,
    order: Option<Ident>,
    is_uniform: bool,
}

impl Parse for Window {
    fn parse(input: ParseStream<'_>) -> Result<Window> {
        if input.peek(LitStr) {
            return Ok(Window {
                id: Some(input.parse()?),
                order: None,
                is_uniform: false,
            });
        }
        let words = input.parse_terminated(Ident::parse, Token![,])?;
        let mut window = Window {
            id: None,
            order: None,
            is_uniform: false,
        };
        for word in words {
            let order = match word.to_string().as_str() {
                "uniform" => {
                    window.is_uniform = true;
                    continue;
                }
                "others_first" => "OthersFirst",
                "acting_first" => "ActingFirst",
                "others_only" => "OthersOnly",
                _ => {
                    let message =
                        "expected `others_first`, `acting_first`, `others_only` or `uniform`";
                    return Err(Error::new_spanned(word, message));
                }
            };
            window.order = Some(Ident::new(order, word.span()));
        }
        match window.order {
            Some(_) => Ok(window),
            None => Err(input.error(
                "expected who is asked first: `others_first`, `acting_first` or `others_only`",
            )),
        }
    }
}

/// A window: what it carries.
pub fn window(options: &Window, mut item: ItemStruct) -> Result<TokenStream> {
    let fields = fields(&mut item)?;
    let (item_out, values, name) = (derived(&item), as_value(&item, &fields), &item.ident);
    let id = id(&options.id, name);
    let doc = Doc::of_no_rule(&item.attrs, name.span())?;
    let (origin, title) = (doc.origin(name.span()), doc.title());
    let is_uniform = options.is_uniform;
    let registered = options.order.as_ref().map(|order| {
        let order = quote!(::houserule_guest::register::AskedFirst::#order);
        piece(
            &quote!(rules.window(#id, #title, &#name::fields(), #order, #is_uniform, &#origin);),
            &[],
        )
    });
    Ok(quote! {
        #item_out
        #values
        impl #name {
            /// The id of the window.
            pub const ID: &str = #id;

            /// Opens the window after this step.
            #[allow(dead_code)]
            pub fn open(self, game: &::houserule_guest::Writes) {
                ::houserule_guest::parts::opened(game, #id, self.into())
            }
        }
        #registered
    })
}

/// What stands in the brackets of an event: an id, or a heading and how it
/// reads.
pub struct Event {
    id: Option<LitStr>,
    words: Vec<LitStr>,
}

impl Parse for Event {
    fn parse(input: ParseStream<'_>) -> Result<Event> {
        let words: Vec<LitStr> = input
            .parse_terminated(<LitStr as Parse>::parse, Token![,])?
            .into_iter()
            .collect();
        match words.len() {
            1 => Ok(Event {
                id: words.into_iter().next(),
                words: Vec::new(),
            }),
            2 => Ok(Event { id: None, words }),
            _ => Err(input.error(
                "expected a heading and how it reads: `#[event(\"hit\", \"{unit} is hit\")]`",
            )),
        }
    }
}

/// An event: its fields. Texts are borrowed.
pub fn event(options: &Event, mut item: ItemStruct) -> Result<TokenStream> {
    let fields = fields(&mut item)?;
    let name = &item.ident;
    let id = id(&options.id, name);
    let doc = Doc::of_no_rule(&item.attrs, name.span())?;
    let origin = doc.origin(name.span());
    let names: Vec<&Ident> = fields.iter().map(|field| &field.name).collect();
    let texts: Vec<&String> = fields.iter().map(|field| &field.text).collect();
    let reads = fields.iter().map(|field| {
        let text = &field.text;
        match &field.ty {
            Type::Reference(_) => quote!(::houserule_guest::parts::text(event, #text)),
            _ => quote!(event.get(#text)),
        }
    });
    let registered = (!options.words.is_empty()).then(|| {
        let (heading, reading) = (&options.words[0], &options.words[1]);
        let fields = fields.iter().map(|field| {
            let text = &field.text;
            let ty = match &field.ty {
                Type::Reference(_) => quote!(::std::string::String),
                ty => quote!(#ty),
            };
            quote!((#text, <#ty as ::houserule_guest::Typed>::name()))
        });
        let fields = quote!(&::houserule_guest::parts::fields(&[#(#fields),*]));
        piece(
            &quote!(rules.event(#id, #heading, #reading, #fields, &#origin);),
            &[],
        )
    });
    let (generics, _, _) = item.generics.split_for_impl();
    let lifetime = (!item.generics.params.is_empty()).then(|| quote!(<'t>));
    let borrow = if lifetime.is_some() {
        quote!(&'t)
    } else {
        quote!(&)
    };
    let item_out = quote!(#[derive(Clone, Debug)] #[allow(missing_docs)] #item);
    Ok(quote! {
        #item_out
        impl #generics From<#name #generics> for ::houserule_guest::Record {
            fn from(it: #name #generics) -> ::houserule_guest::Record {
                ::houserule_guest::record([#((#texts, ::houserule_guest::Value::from(it.#names))),*])
            }
        }
        #[allow(dead_code)]
        impl #lifetime #name #lifetime {
            /// The id of the event.
            pub const ID: &'static str = #id;

            /// Tells all that it happened.
            pub fn tell(self, game: &::houserule_guest::Writes) {
                ::houserule_guest::parts::announced(game, #id, self.into(), None, &[])
            }

            /// Tells it to some sides, or to all, and some fields to some only.
            pub fn tell_to(
                self,
                game: &::houserule_guest::Writes,
                to: Option<&[&str]>,
                only: &[(&str, &[&str])],
            ) {
                ::houserule_guest::parts::announced(game, #id, self.into(), to, only)
            }

            #[doc(hidden)]
            pub fn read(event: #borrow ::houserule_guest::Record) -> Self {
                let _ = event;
                #name { #(#names: #reads),* }
            }
        }
        #registered
    })
}

/// A row of a table, found by the fields of its key.
pub fn table(id: &LitStr, mut item: ItemStruct) -> Result<TokenStream> {
    let fields = fields(&mut item)?;
    let (item_out, values, name) = (derived(&item), as_value(&item, &fields), &item.ident);
    let keys: Vec<&Field> = fields.iter().filter(|field| field.is_key).collect();
    let names: Vec<&Ident> = keys.iter().map(|field| &field.name).collect();
    let types = keys.iter().map(|field| match &field.ty {
        Type::Path(path) if path.path.is_ident("String") => quote!(&str),
        ty => quote!(#ty),
    });
    let params = quote!(#(, #names: #types)*);
    Ok(quote! {
        #item_out
        #values
        #[allow(dead_code, clippy::too_many_arguments)]
        impl #name {
            /// The id of the table.
            pub const ID: &str = #id;

            /// The row of a key; a fault if there is none.
            #[track_caller]
            pub fn get(game: &::houserule_guest::Reads #params) -> #name {
                ::houserule_guest::parts::row_or_fault(#name::ID, #name::find(game #(, #names)*))
            }

            /// The row of a key, if there is one.
            #[track_caller]
            pub fn find(game: &::houserule_guest::Reads #params) -> Option<#name> {
                ::houserule_guest::parts::row(game, #id, ::std::vec![#(::houserule_guest::Value::from(#names)),*])
            }

            /// All rows, by key.
            #[track_caller]
            pub fn all(game: &::houserule_guest::Reads) -> Vec<#name> {
                ::houserule_guest::parts::rows(game, #id)
            }
        }
    })
}

/// A kind: a name for an entity, with what reads and writes its attributes.
pub fn kind(id: &LitStr, mut item: ItemStruct) -> Result<TokenStream> {
    let fields = fields(&mut item)?;
    let (attrs, vis, name) = (&item.attrs, &item.vis, &item.ident);
    let one = |field: &Field| {
        let Field {
            attrs,
            name: get,
            text,
            ty,
            ..
        } = field;
        let set = quote::format_ident!("set_{}", text);
        let attribute = quote::format_ident!("{}", text.to_uppercase());
        quote! {
            #(#attrs)*
            pub const #attribute: ::houserule_guest::Attribute<#name, #ty> =
                ::houserule_guest::Attribute::new(#text);

            #(#attrs)*
            #[track_caller]
            pub fn #get(self) -> #ty {
                self.0.get(#text)
            }

            #[doc = concat!("Writes `", #text, "`.")]
            pub fn #set(self, game: &::houserule_guest::Writes, to: #ty) {
                ::houserule_guest::parts::set(game, self.0, #text, to.into())
            }
        }
    };
    let attributes = fields.iter().map(one);
    Ok(quote! {
        #(#attrs)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #vis struct #name(::houserule_guest::Entity);

        #[allow(dead_code, missing_docs)]
        impl #name {
            /// The id of the kind.
            pub const ID: &str = #id;
            /// The side that it belongs to.
            pub const SIDE: ::houserule_guest::Attribute<#name, ::std::string::String> =
                ::houserule_guest::Attribute::new("side");

            #(#attributes)*
        }

        impl ::houserule_guest::Kind for #name {
            const ID: &str = #id;
            fn of(entity: ::houserule_guest::Entity) -> #name {
                #name(entity)
            }
        }
        impl ::std::ops::Deref for #name {
            type Target = ::houserule_guest::Entity;
            fn deref(&self) -> &::houserule_guest::Entity {
                &self.0
            }
        }
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        impl From<#name> for ::houserule_guest::Value {
            fn from(it: #name) -> ::houserule_guest::Value {
                it.0.into()
            }
        }
        impl From<#name> for ::houserule_guest::Where {
            fn from(it: #name) -> ::houserule_guest::Where {
                it.0.into()
            }
        }
        impl ::houserule_guest::FromValue for #name {
            #[track_caller]
            fn from_value(value: ::houserule_guest::Value) -> #name {
                #name(::houserule_guest::parts::read(value))
            }
        }
        impl ::houserule_guest::Typed for #name {
            fn name() -> ::std::string::String {
                ::std::string::String::from(concat!("entity(", #id, ")"))
            }
        }
        impl ::houserule_guest::Choice for #name {
            fn label(&self) -> ::std::string::String {
                self.0.label()
            }
        }
    })
}

/// Words of which one holds.
pub fn words(mut item: ItemEnum) -> Result<TokenStream> {
    let name = &item.ident.clone();
    let mut words = Vec::new();
    for variant in &mut item.variants {
        let position = variant
            .attrs
            .iter()
            .position(|attr| attr.path().is_ident("word"));
        let word = match position.map(|place| variant.attrs.remove(place)) {
            Some(attr) => attr.parse_args::<LitStr>()?.value(),
            None => snake(&variant.ident.to_string()),
        };
        words.push(word);
    }
    let variants: Vec<&Ident> = item.variants.iter().map(|variant| &variant.ident).collect();
    let all = words.join("|");
    Ok(quote! {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        #item

        #[allow(dead_code)]
        impl #name {
            /// All of them.
            pub const ALL: &[#name] = &[#(#name::#variants),*];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self {
                    #(#name::#variants => #words,)*
                }
            }
        }
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.word())
            }
        }
        impl From<#name> for ::houserule_guest::Value {
            fn from(it: #name) -> ::houserule_guest::Value {
                it.word().into()
            }
        }
        impl ::houserule_guest::FromValue for #name {
            #[track_caller]
            fn from_value(value: ::houserule_guest::Value) -> #name {
                let word = ::houserule_guest::parts::read::<::std::string::String>(value);
                let known = #name::ALL.iter().find(|known| known.word() == word);
                *::houserule_guest::parts::known(known, #all, &word)
            }
        }
        impl ::houserule_guest::Typed for #name {
            fn name() -> ::std::string::String {
                ::std::string::String::from(#all)
            }
        }
        impl ::houserule_guest::Choice for #name {
            fn label(&self) -> ::std::string::String {
                self.word().into()
            }
        }
    })
}

/// `FiredAt` is `fired_at`, `Tow2a` is `tow2a`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
