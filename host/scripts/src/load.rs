//! Files of mods in the machine: an environment each, and `require`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use mlua::chunk::{Chunk, ChunkMode};
use mlua::{Lua, Table, Value as LuaValue};

use crate::code::Assigner;
use crate::mistyped;
use crate::registrar::ScriptRegistrar;
use crate::texts::{self, ScriptText};
use crate::vm::{Shared, limited, unlimited};
use rules::modset::relative;
use rules::rulebook::host::SavedFile;

/// A text to be run; what was compiled once is not compiled again. A text
/// that does not compile is loaded as it is, for its error.
pub(super) fn chunk(lua: &Lua, source: &str, name: String) -> Chunk<'static> {
    match texts::of(&Arc::from(source)).code() {
        Some(code) => lua
            .load(code.to_vec())
            .set_mode(ChunkMode::Binary)
            .set_name(name),
        None => lua.load(source.to_string()).set_name(name),
    }
}

/// A file by its mod and its path there.
type FileKey = (Name, String);

#[derive(Clone)]
struct LoadableFile {
    source: Arc<str>,
    is_exported: bool,
}

enum LoadState {
    Running,
    Done(LuaValue),
}

/// All files that may be loaded, and those that were.
pub(crate) struct ScriptFiles {
    modules: RefCell<BTreeMap<String, Table>>,
    files: RefCell<BTreeMap<FileKey, LoadableFile>>,
    loaded: RefCell<BTreeMap<FileKey, LoadState>>,
    codes: RefCell<BTreeMap<FileKey, Arc<ScriptText>>>,
    /// The files that required each of them.
    requirers: RefCell<BTreeMap<FileKey, BTreeSet<FileKey>>>,
    loading: Table,
    registrar: Rc<ScriptRegistrar>,
}

impl ScriptFiles {
    /// No files yet; the first item of `loading` says whether one is loaded.
    pub fn new(modules: Table, loading: Table, registrar: Rc<ScriptRegistrar>) -> ScriptFiles {
        let modules = modules.pairs::<String, Table>().flatten().collect();
        let (files, loaded, codes, requirers) = Default::default();
        ScriptFiles {
            modules: RefCell::new(modules),
            files,
            loaded,
            codes,
            requirers,
            loading,
            registrar,
        }
    }

    pub fn add_module(&self, name: &str, module: Table) -> mlua::Result<()> {
        module.set_readonly(true);
        self.modules.borrow_mut().insert(name.to_string(), module);
        Ok(())
    }

    pub fn add(&self, module: &Name, path: &str, source: &Arc<str>, is_exported: bool) {
        let file = LoadableFile {
            source: source.clone(),
            is_exported,
        };
        self.files
            .borrow_mut()
            .insert((module.clone(), path.to_string()), file);
    }

    /// Takes in what files say now: they and those that required them are not
    /// loaded any more. Says which those are.
    pub fn replace(&self, saved: &[SavedFile<'_>]) -> BTreeSet<FileKey> {
        let mut left: Vec<FileKey> = Vec::new();
        for file in saved {
            let key = (file.module.clone(), file.path.to_string());
            if let Some(known) = self.files.borrow_mut().get_mut(&key) {
                known.source = file.text.clone();
            }
            left.push(key);
        }
        let requirers = self.requirers.borrow();
        let mut concerned = BTreeSet::new();
        while let Some(key) = left.pop() {
            if concerned.insert(key.clone()) {
                left.extend(requirers.get(&key).into_iter().flatten().cloned());
                self.loaded.borrow_mut().remove(&key);
                self.codes.borrow_mut().remove(&key);
            }
        }
        concerned
    }

    /// Runs a file once; a second time gives what it returned.
    pub fn run(
        self: &Rc<Self>,
        lua: &Lua,
        shared: &Rc<Shared>,
        module: &Name,
        path: &str,
    ) -> mlua::Result<LuaValue> {
        let key = (module.clone(), path.to_string());
        match self.loaded.borrow().get(&key) {
            Some(LoadState::Done(value)) => return Ok(value.clone()),
            Some(LoadState::Running) => {
                let fault = Fault::new(
                    FaultCode::Cycle,
                    format!("`{path}` requires itself, over other files"),
                );
                return Err(shared.fault(lua, fault));
            }
            None => {}
        }
        let source = self
            .files
            .borrow()
            .get(&key)
            .map(|file| file.source.clone());
        let Some(source) = source else {
            let fault = Fault::new(
                FaultCode::BadExport,
                format!("mod `{module}` has no file `{path}`"),
            );
            return Err(shared.fault(lua, fault));
        };
        self.loaded
            .borrow_mut()
            .insert(key.clone(), LoadState::Running);
        let environment = self.environment(lua, shared, module, path)?;
        let name = format!("={module}/{path}");
        // A file that does not compile is loaded as text, for its error.
        let text = texts::of(&source);
        if text.code().is_some() {
            self.check(lua, shared, &text)?;
            self.codes.borrow_mut().insert(key.clone(), text.clone());
        }
        let chunk = match text.code() {
            Some(code) => lua.load(code).set_mode(ChunkMode::Binary).set_name(name),
            None => lua.load(&*source).set_name(name),
        };
        let chunk = chunk.set_environment(environment);
        let depth = shared.loading.get();
        shared.loading.set(depth + 1);
        self.loading.raw_set(1, true)?;
        let outcome = limited(lua, || chunk.call::<LuaValue>(()));
        shared.loading.set(depth);
        self.loading.raw_set(1, depth > 0)?;
        let mut loaded = self.loaded.borrow_mut();
        match outcome {
            Ok(value) => {
                loaded.insert(key, LoadState::Done(value.clone()));
                Ok(value)
            }
            Err(error) => {
                loaded.remove(&key);
                Err(error)
            }
        }
    }

    /// A fault of a file, with what was meant where the file is no Luau.
    pub fn with_meaning(&self, fault: Fault) -> Fault {
        let key = |place: &Place| (place.module.clone(), place.file.to_string());
        let files = self.files.borrow();
        match fault
            .place
            .as_ref()
            .and_then(|place| files.get(&key(place)))
        {
            Some(file) => mistyped::with_meaning(fault, &file.source),
            None => fault,
        }
    }

    /// A line of a file.
    pub fn line(&self, place: &Place) -> Option<String> {
        let files = self.files.borrow();
        let file = files.get(&(place.module.clone(), place.file.to_string()))?;
        file.source
            .lines()
            .nth((place.line as usize).checked_sub(1)?)
            .map(str::to_string)
    }

    /// Whether it can be told of a text what its functions assign to.
    fn check(&self, lua: &Lua, shared: &Rc<Shared>, text: &ScriptText) -> mlua::Result<()> {
        match text.assigners() {
            Ok(_) => Ok(()),
            Err(reason) => Err(shared.fault(lua, Fault::new(FaultCode::Script, reason))),
        }
    }

    /// What files that were loaded have returned.
    pub fn loaded_values(&self) -> Vec<LuaValue> {
        let loaded = self.loaded.borrow();
        let value = |loaded: &LoadState| match loaded {
            LoadState::Done(value) => Some(value.clone()),
            LoadState::Running => None,
        };
        loaded.values().filter_map(value).collect()
    }

    /// The functions of files that were loaded that assign to locals outside of
    /// them: mod, path, and those of each file that has any.
    pub fn assigners(&self) -> Vec<(Name, String, Vec<Assigner>)> {
        let codes = self.codes.borrow();
        let of = |((module, path), text): (&FileKey, &Arc<ScriptText>)| {
            let assigners = text.assigners().as_ref().ok()?;
            (!assigners.is_empty()).then(|| (module.clone(), path.clone(), assigners.clone()))
        };
        codes.iter().filter_map(of).collect()
    }

    /// The environment of a file: the sealed globals and its own `require`.
    fn environment(
        self: &Rc<Self>,
        lua: &Lua,
        shared: &Rc<Shared>,
        module: &Name,
        path: &str,
    ) -> mlua::Result<Table> {
        let environment = lua.create_table()?;
        let (files, state) = (self.clone(), shared.clone());
        let (module, path) = (module.clone(), path.to_string());
        let require = lua.create_function(move |lua, wanted: String| {
            unlimited(lua, || match files.resolve(&module, &path, &wanted) {
                Ok(Target::Module(table)) => Ok(LuaValue::Table(table)),
                Ok(Target::Chapters(value)) => Ok(value.unwrap_or(LuaValue::Nil)),
                Ok(Target::File(other, file)) => {
                    files.note_requirer((&module, &path), (&other, &file));
                    files.run(lua, &state, &other, &file)
                }
                Err(fault) => Err(state.fault(lua, fault)),
            })
        })?;
        environment.set("require", require)?;
        let meta = lua.create_table()?;
        meta.set("__index", lua.globals())?;
        meta.set("__metatable", "environment")?;
        environment.set_metatable(Some(meta))?;
        environment.set_readonly(true);
        // Nothing in it or behind it can change, so that names such as
        // `math.max` are looked up once, when the file is loaded.
        environment.set_safeenv(true);
        Ok(environment)
    }

    fn note_requirer(&self, from: (&Name, &String), file: (&Name, &String)) {
        let key = |(module, path): (&Name, &String)| (module.clone(), path.clone());
        let mut requirers = self.requirers.borrow_mut();
        requirers.entry(key(file)).or_default().insert(key(from));
    }

    fn resolve(&self, module: &Name, from: &str, wanted: &str) -> Result<Target, Fault> {
        if let Some(name) = wanted.strip_prefix('@') {
            if let Some(table) = self.modules.borrow().get(name) {
                return Ok(Target::Module(table.clone()));
            }
            let Some((other, path)) = name.split_once('/') else {
                return self
                    .registrar
                    .chapters
                    .require(module, name)
                    .map(Target::Chapters);
            };
            let (other, path) = (Name::from(other), format!("{path}.luau"));
            return match self.files.borrow().get(&(other.clone(), path.clone())) {
                Some(file) if file.is_exported || other == *module => Ok(Target::File(other, path)),
                Some(_) => Err(missing(
                    wanted,
                    &format!("mod `{other}` does not export it"),
                )),
                None => Err(missing(
                    wanted,
                    "there is no such file in a mod that is loaded",
                )),
            };
        }
        let Some(path) = relative(from, wanted) else {
            return Err(missing(
                wanted,
                "expected a path that begins with `./`, `../` or `@`",
            ));
        };
        match self
            .files
            .borrow()
            .contains_key(&(module.clone(), path.clone()))
        {
            true => Ok(Target::File(module.clone(), path)),
            false => Err(missing(wanted, &format!("this mod has no file `{path}`"))),
        }
    }
}

enum Target {
    Module(Table),
    Chapters(Option<LuaValue>),
    File(Name, String),
}

fn missing(wanted: &str, why: &str) -> Fault {
    Fault::new(
        FaultCode::BadExport,
        format!("cannot require `{wanted}`: {why}"),
    )
}
