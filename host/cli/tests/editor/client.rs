//! An editor, as far as a server sees one.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::common::Scratch;

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Editor {
    root: PathBuf,
    server: Child,
    input: ChildStdin,
    messages: Receiver<Json>,
    last: i32,
    /// What was sent beside answers.
    notifications: Vec<Json>,
}

impl Editor {
    /// Starts the server in another folder than that of the mods.
    pub fn start(scratch: &Scratch) -> Editor {
        let mut server = scratch
            .command("lsp --stdio")
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = server.stdin.take().unwrap();
        Editor {
            root: scratch.0.clone(),
            server,
            input,
            messages,
            last: 0,
            notifications: Vec::new(),
        }
    }

    /// The same with the mods opened.
    pub fn open(scratch: &Scratch) -> Editor {
        let mut editor = Editor::start(scratch);
        let root = editor.uri("");
        let began = editor.ask(
            "initialize",
            &json!({ "capabilities": {}, "rootUri": root }),
        );
        assert_eq!(
            began["result"]["capabilities"]["hoverProvider"], true,
            "{began}"
        );
        editor.tell("initialized", &json!({}));
        editor
    }

    pub fn uri(&self, path: &str) -> String {
        format!("file://{}", self.root.join(path).display())
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    pub fn send(&mut self, json: &Json) {
        let text = json.to_string();
        self.raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    pub fn tell(&mut self, method: &str, params: &Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks, and gives the whole answer.
    pub fn ask(&mut self, method: &str, params: &Json) -> Json {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.answer(&json!(id))
    }

    /// The answer with an id.
    pub fn answer(&mut self, id: &Json) -> Json {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            if message.get("method").is_none() && message["id"] == *id {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// Opens a file as it is.
    pub fn opens(&mut self, path: &str) {
        let text = std::fs::read_to_string(self.root.join(path)).unwrap();
        let file =
            json!({ "uri": self.uri(path), "languageId": "luau", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": file }));
    }

    /// Has a file otherwise than it is saved.
    pub fn types(&mut self, path: &str, text: &str) {
        let file = json!({ "uri": self.uri(path), "version": 2 });
        let params = json!({ "textDocument": file, "contentChanges": [{ "text": text }] });
        self.tell("textDocument/didChange", &params);
    }

    pub fn saves(&mut self, path: &str, text: &str) {
        self.types(path, text);
        std::fs::write(self.root.join(path), text).unwrap();
        self.tell(
            "textDocument/didSave",
            &json!({ "textDocument": { "uri": self.uri(path) } }),
        );
    }

    /// Asks something of a place: where a text begins in a file, so many letters on.
    pub fn at(&mut self, what: &str, path: &str, wanted: &str, on: usize) -> Json {
        let text = std::fs::read_to_string(self.root.join(path)).unwrap();
        self.at_in(what, path, &text, wanted, on)
    }

    /// The same in a text that is not saved.
    pub fn at_in(&mut self, what: &str, path: &str, text: &str, wanted: &str, on: usize) -> Json {
        let found = text
            .lines()
            .enumerate()
            .find_map(|(line, one)| Some((line, one.find(wanted)?)));
        let (line, start) = found.unwrap_or_else(|| panic!("{path} has no {wanted}"));
        let position = json!({ "line": line, "character": start + on });
        let file = json!({ "uri": self.uri(path) });
        let answer = self.ask(
            &format!("textDocument/{what}"),
            &json!({ "textDocument": file, "position": position }),
        );
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// Where a definition is: the file and line, from 1, or nothing.
    pub fn definition(&mut self, path: &str, wanted: &str, on: usize) -> Vec<String> {
        let found = self.at("definition", path, wanted, on);
        let place = |one: &Json| {
            let uri = one["uri"].as_str().unwrap();
            let file = uri.strip_prefix(&self.uri("")).unwrap().to_string();
            format!(
                "{file}:{}",
                one["range"]["start"]["line"].as_u64().unwrap() + 1
            )
        };
        found.as_array().into_iter().flatten().map(place).collect()
    }

    /// What is shown of a place.
    pub fn hover(&mut self, path: &str, wanted: &str, on: usize) -> String {
        let found = self.at("hover", path, wanted, on);
        found["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_string()
    }

    /// What is underlined in a file, when that is told next.
    pub fn findings(&mut self, path: &str) -> Vec<Json> {
        let uri = self.uri(path);
        let is_it = |message: &Json| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == *uri
        };
        let message = match self.notifications.iter().position(is_it) {
            Some(place) => self.notifications.remove(place),
            None => loop {
                let message = self.messages.recv_timeout(PATIENCE).unwrap();
                if is_it(&message) {
                    break message;
                }
                self.notifications.push(message);
            },
        };
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Ends it as editors do; its exit code.
    pub fn ends(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", &Json::Null)["result"], Json::Null);
        self.tell("exit", &Json::Null);
        self.server.wait().unwrap().code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Json> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().ok()?,
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
