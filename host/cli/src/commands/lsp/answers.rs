//! What is answered of the word under the cursor.

use std::sync::Arc;

use houserule::cursor::{Meant, SymbolKind, Thing, completion, meant};
use houserule::kernel::value::{Name, owner_of};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, Hover, HoverContents,
    Location, MarkupContent, MarkupKind, Position, Range, TextEdit,
};

use super::survey::Survey;
use super::texts::{at, file_at, position, range_of, uri_of};
use crate::commands::rules::pages;

/// Where an editor's cursor stands.
pub(super) struct Here<'a> {
    pub module: &'a Name,
    pub path: &'a str,
    pub text: &'a str,
    pub position: Position,
}

impl Here<'_> {
    /// The file as the host reads it: what stands in it without being declared is
    /// what its mod has.
    fn read(&self, survey: &Survey) -> Arc<str> {
        let sources = survey.workshop.sources().get(self.module);
        sources.map_or_else(
            || self.text.into(),
            |sources| sources.reading(self.path, self.text),
        )
    }

    fn things(&self, survey: &Survey) -> Vec<Thing> {
        let text = self.read(survey);
        let meant: Option<Meant> = meant(self.path, &text, at(self.text, self.position));
        meant
            .map(|meant| survey.places.find(self.module, &meant))
            .unwrap_or_default()
    }

    /// Where the thing is written.
    pub fn definition(&self, survey: &Survey) -> Vec<Location> {
        let location = |thing: Thing| {
            let (path, text) = file_at(&thing.place, &survey.workshop)?;
            Some(Location {
                uri: uri_of(&path)?,
                range: range_of(&text, &thing.place, &thing.id),
            })
        };
        self.things(survey)
            .into_iter()
            .filter_map(location)
            .collect()
    }

    /// What the reference says of the thing.
    pub fn hover(&self, survey: &Survey) -> Option<Hover> {
        let library = survey.library();
        let mut parts: Vec<String> = Vec::new();
        for thing in self
            .things(survey)
            .iter()
            .filter(|thing| thing.sort != SymbolKind::Type)
        {
            let manifest = survey.workshop.manifests().get(owner_of(&thing.id));
            parts.extend(manifest.and_then(|manifest| pages::entry(&library, manifest, &thing.id)));
        }
        parts.dedup();
        let value = parts.join("\n");
        let contents = HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        });
        (!parts.is_empty()).then_some(Hover {
            contents,
            range: None,
        })
    }

    /// The clauses or actions that fit.
    pub fn completion(&self, survey: &Survey) -> Vec<CompletionItem> {
        let here = at(self.text, self.position);
        let Some(completion) = completion(self.path, &self.read(survey), here) else {
            return Vec::new();
        };
        let start = position(
            self.text,
            houserule::cursor::At {
                byte: completion.start,
                ..here
            },
        );
        let range = Range {
            start,
            end: self.position,
        };
        let action = |thing: &Thing| CompletionItem {
            label: thing.id.to_string(),
            kind: Some(CompletionItemKind::FUNCTION),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range,
                new_text: thing.id.to_string(),
            })),
            ..CompletionItem::default()
        };
        if completion.is_action() {
            return completion
                .actions(&survey.places)
                .into_iter()
                .map(action)
                .collect();
        }
        let offers = completion.offers(&survey.workshop, self.module).into_iter();
        let item = |offer: houserule::cursor::Offer<'_>| CompletionItem {
            label: offer.word.clone(),
            kind: Some(CompletionItemKind::REFERENCE),
            detail: Some(offer.clause.title.to_string()),
            documentation: Some(Documentation::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: pages::clause(offer.clause),
            })),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range,
                new_text: offer.word,
            })),
            ..CompletionItem::default()
        };
        offers.map(item).collect()
    }
}
