//! Who takes the messages of an editor, and answers them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use houserule::kernel::value::Name;
use houserule::workshop::Workshop;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CompletionOptions, CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, GotoDefinitionParams, HoverParams,
    HoverProviderCapability, InitializeParams, InitializeResult, OneOf, SaveOptions,
    ServerCapabilities, ServerInfo, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::answers::Here;
use super::findings::FindingsThread;
use super::messages::{Incoming, send, send_json};
use super::survey::{Survey, Surveys};
use super::texts::{file_of, path_of};
use crate::config::mod_folders;

/// After these a clause may begin.
const TRIGGERS: [&str; 4] = ["\"", "[", ".", ","];

/// A server, from the first message to the last.
pub(super) struct LanguageServer {
    given: Vec<PathBuf>,
    /// Nothing until an editor says where it is.
    begun: Option<EditorState>,
    is_shut_down: bool,
    is_ended: bool,
}

struct EditorState {
    surveys: Surveys,
    findings: FindingsThread,
    /// Files as they are in the editor.
    open: BTreeMap<PathBuf, String>,
}

/// Why a request gets no answer.
type Refused = (ErrorCode, String);

impl LanguageServer {
    pub fn new(given: &[PathBuf]) -> LanguageServer {
        LanguageServer {
            given: given.to_vec(),
            begun: None,
            is_shut_down: false,
            is_ended: false,
        }
    }

    /// Whether an end was announced before it came, or there was nothing to end.
    pub fn ended_well(&self) -> bool {
        self.is_shut_down || !self.is_ended
    }

    /// Takes a message; whether it was the last.
    ///
    /// # Errors
    /// When nobody reads the answer.
    pub fn take(&mut self, incoming: Incoming) -> io::Result<bool> {
        match incoming {
            Incoming::Wrong(answer) => send_json(&answer)?,
            Incoming::Message(Message::Request(request)) => {
                let id = request.id.clone();
                send(&answered(id, self.answer(request)).into())?;
            }
            Incoming::Message(Message::Notification(one)) if one.method == "exit" => {
                self.is_ended = true;
            }
            Incoming::Message(Message::Notification(one)) => {
                // There is no answer to what nobody asked.
                let _ = self.notified(one);
            }
            Incoming::Message(Message::Response(_)) => {}
        }
        Ok(self.is_ended)
    }

    fn answer(&mut self, request: Request) -> Result<Json, Refused> {
        if self.is_shut_down {
            return Err((ErrorCode::InvalidRequest, "it is shut down".into()));
        }
        let Some(begun) = &mut self.begun else {
            return match &*request.method {
                "initialize" => self.initialize(read(&request.method, request.params)?),
                _ => Err((
                    ErrorCode::ServerNotInitialized,
                    "`initialize` comes first".into(),
                )),
            };
        };
        match &*request.method {
            "initialize" => Err((ErrorCode::InvalidRequest, "`initialize` came before".into())),
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Json::Null)
            }
            "textDocument/definition" => {
                let params: GotoDefinitionParams = read(&request.method, request.params)?;
                let at = params.text_document_position_params;
                begun.there(at, |here, survey| json!(here.definition(survey)))
            }
            "textDocument/hover" => {
                let params: HoverParams = read(&request.method, request.params)?;
                let at = params.text_document_position_params;
                begun.there(at, |here, survey| json!(here.hover(survey)))
            }
            "textDocument/completion" => {
                let params: CompletionParams = read(&request.method, request.params)?;
                let at = params.text_document_position;
                begun.there(at, |here, survey| json!(here.completion(survey)))
            }
            other => Err((
                ErrorCode::MethodNotFound,
                format!("there is no method `{other}`"),
            )),
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> Result<Json, Refused> {
        let root = root_of(&params);
        if let Some(root) = &root {
            // Where it cannot be entered, mods are looked for where we stand.
            let _ = std::env::set_current_dir(root);
        }
        let folders = mod_folders(&self.given)
            .map_err(|fault| (ErrorCode::RequestFailed, fault.message.clone()))?;
        let whole = |folder: PathBuf| match &root {
            Some(root) => root.join(folder),
            None => std::path::absolute(&folder).unwrap_or(folder),
        };
        let folders: Vec<PathBuf> = folders.into_iter().map(whole).collect();
        self.begun = Some(EditorState {
            surveys: Surveys::new(folders.clone()),
            findings: FindingsThread::begin(folders),
            open: BTreeMap::new(),
        });
        Ok(json!(InitializeResult {
            capabilities: capabilities(),
            server_info: Some(ServerInfo {
                name: "houserule".into(),
                version: Some(env!("CARGO_PKG_VERSION").into()),
            }),
        }))
    }

    /// Takes what an editor tells of its files.
    fn notified(&mut self, notice: Notification) -> Result<(), Refused> {
        let Some(begun) = &mut self.begun else {
            return Ok(());
        };
        match &*notice.method {
            "textDocument/didOpen" => {
                let params: DidOpenTextDocumentParams = read(&notice.method, notice.params)?;
                if let Some(path) = path_of(&params.text_document.uri) {
                    begun.open.insert(path.clone(), params.text_document.text);
                    begun.findings.look(BTreeSet::from([path]));
                }
            }
            "textDocument/didChange" => {
                let params: DidChangeTextDocumentParams = read(&notice.method, notice.params)?;
                let last = params.content_changes.into_iter().last();
                if let (Some(path), Some(change)) = (path_of(&params.text_document.uri), last) {
                    begun.open.insert(path, change.text);
                }
            }
            "textDocument/didClose" => {
                let params: DidCloseTextDocumentParams = read(&notice.method, notice.params)?;
                path_of(&params.text_document.uri).and_then(|path| begun.open.remove(&path));
            }
            "textDocument/didSave" => {
                let params: DidSaveTextDocumentParams = read(&notice.method, notice.params)?;
                begun.saved(path_of(&params.text_document.uri));
            }
            "workspace/didChangeWatchedFiles" => begun.saved(None),
            _ => {}
        }
        Ok(())
    }
}

impl EditorState {
    /// A save in one file may change what is found in all that are open.
    fn saved(&mut self, path: Option<PathBuf>) {
        self.surveys.saved();
        let open = self.open.keys().cloned();
        self.findings.look(open.chain(path).collect());
    }

    /// What is answered of a place; of files outside of all mods nothing is known.
    fn there(
        &mut self,
        at: TextDocumentPositionParams,
        answer: impl Fn(&Here<'_>, &Survey) -> Json,
    ) -> Result<Json, Refused> {
        let Some(path) = path_of(&at.text_document.uri) else {
            return Ok(Json::Null);
        };
        let workshop = self.surveys.workshop();
        let Some((module, file)) = file_of(&path, &workshop) else {
            return Ok(Json::Null);
        };
        let Some(survey) = self.surveys.of(&module) else {
            return Ok(Json::Null);
        };
        let text = match self.open.get(&path) {
            Some(text) => text.clone(),
            None => saved_text(&workshop, &module, &file),
        };
        let here = Here {
            module: &module,
            path: &file,
            text: &text,
            position: at.position,
        };
        Ok(answer(&here, &survey))
    }
}

fn saved_text(workshop: &Workshop, module: &Name, file: &str) -> String {
    let text = workshop
        .sources()
        .get(module)
        .and_then(|sources| sources.get(file));
    text.map(ToString::to_string).unwrap_or_default()
}

/// The folder that an editor has open.
fn root_of(params: &InitializeParams) -> Option<PathBuf> {
    #[allow(deprecated, reason = "editors that know no folders say it so")]
    let old = params.root_uri.as_ref();
    let folders = params.workspace_folders.as_deref().unwrap_or_default();
    let uri: Option<&Uri> = folders.first().map(|folder| &folder.uri).or(old);
    uri.and_then(path_of).filter(|path| path.is_dir())
}

fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::FULL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
            include_text: Some(false),
        })),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(TRIGGERS.map(str::to_string).to_vec()),
            ..CompletionOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

fn read<P: DeserializeOwned>(method: &str, params: Json) -> Result<P, Refused> {
    serde_json::from_value(params).map_err(|wrong| {
        (
            ErrorCode::InvalidParams,
            format!("`{method}` does not take this: {wrong}"),
        )
    })
}

fn answered(id: RequestId, answer: Result<Json, Refused>) -> Response {
    match answer {
        Ok(result) => Response {
            id,
            response_result: Ok(result),
        },
        Err((code, message)) => Response::new_err(id, code as i32, message),
    }
}
