//! What files say of their rules: the headers with their types, in the names
//! that those have in the definitions.

use std::collections::BTreeMap;

use luau_syntax::ast::{
    Block, Expression, ExpressionKind, Function, Statement, StatementView, Type, TypeKind,
    TypePack, TypePackKind,
};

use super::names::{camel, is_name};
use crate::scope::{Scope, module_of, text_of};

/// Types that mean each other deeper than this go round.
const DEEPEST: usize = 16;

/// The header of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RuleHeader {
    /// What the game is taken as: `Reads`.
    pub handle: String,
    /// The names and types of the arguments.
    pub args: Vec<(String, String)>,
    /// What it gives.
    pub returns: String,
}

impl RuleHeader {
    /// The type of the function.
    pub fn function(&self) -> String {
        self.with_handle(&self.handle)
    }

    /// The same for who calls it with another handle.
    pub fn with_handle(&self, handle: &str) -> String {
        format!("(game: {handle}{}) -> {}", self.rest(), self.returns)
    }

    /// The arguments after the game.
    pub fn rest(&self) -> String {
        self.args
            .iter()
            .map(|(name, ty)| format!(", {name}: {ty}"))
            .collect()
    }
}

/// What a file gives to the chapters of its mod.
#[derive(Default, Debug)]
pub(crate) struct FileDeclarations {
    /// Types that it exports.
    pub exported: Vec<(String, String)>,
    /// Rules: chapter, name and header.
    pub rules: Vec<(String, String, RuleHeader)>,
    /// What is declared: chapter, name, and the word that declares it.
    pub things: Vec<(String, String, String)>,
}

impl FileDeclarations {
    /// Reads a file of a mod.
    pub fn read(module: &str, root: Block<'_>) -> FileDeclarations {
        let scope = Scope::read(root);
        let mut reader = HeaderReader {
            module,
            scope: &scope,
            aliases: BTreeMap::new(),
            modules: BTreeMap::new(),
        };
        root.as_slice()
            .iter()
            .for_each(|statement| reader.learn(*statement));
        let mut found = FileDeclarations::default();
        for statement in root.as_slice() {
            reader.member(*statement, &mut found);
        }
        found
    }
}

struct HeaderReader<'a, 'ast> {
    module: &'a str,
    scope: &'a Scope,
    aliases: BTreeMap<String, (bool, Type<'ast>)>,
    modules: BTreeMap<String, String>,
}

impl<'ast> HeaderReader<'_, 'ast> {
    /// Types that the file names, and locals that are mods.
    fn learn(&mut self, statement: Statement<'ast>) {
        match statement.view() {
            StatementView::TypeAlias(alias) => {
                self.aliases
                    .insert(text_of(alias.name.bytes()), (alias.exported, alias.ty));
            }
            StatementView::Local(local) => {
                for (binding, value) in local.bindings.iter().zip(local.values) {
                    let path = self.scope.path(*value).unwrap_or_default();
                    if let [only] = path.as_slice()
                        && let Some(module) = module_of(only)
                    {
                        self.modules
                            .insert(text_of(binding.name.bytes()), module.to_string());
                    }
                }
            }
            _ => {}
        }
    }

    fn member(&self, statement: Statement<'ast>, found: &mut FileDeclarations) {
        match statement.view() {
            StatementView::FunctionDeclaration(declared) => {
                if let Some((chapter, name)) = self.own(declared.name) {
                    found
                        .rules
                        .push((chapter, name, self.header(declared.function())));
                }
            }
            StatementView::Assign(assign) => {
                for (to, value) in assign.vars.iter().zip(assign.values) {
                    if let (Some((chapter, name)), Some(word)) =
                        (self.own(*to), self.declares(*value))
                    {
                        found.things.push((chapter, name, word));
                    }
                }
            }
            StatementView::TypeAlias(alias) if alias.exported => {
                found
                    .exported
                    .push((text_of(alias.name.bytes()), self.written(alias.ty, 0)));
            }
            _ => {}
        }
    }

    /// The chapter and the name of a member of the file's own mod.
    fn own(&self, to: Expression<'_>) -> Option<(String, String)> {
        match self.scope.in_mod(to)?.as_slice() {
            [module, chapter, name] if module == self.module => {
                Some((chapter.clone(), name.clone()))
            }
            _ => None,
        }
    }

    /// `action` in `rules.action { … }`.
    fn declares(&self, value: Expression<'_>) -> Option<String> {
        let ExpressionKind::Call { func, .. } = value.kind() else {
            return None;
        };
        match self.scope.path(func)?.as_slice() {
            [rules, word] if rules == "@rules" => Some(word.clone()),
            _ => None,
        }
    }

    fn header(&self, function: &Function<'ast>) -> RuleHeader {
        let ty = |annotation: Option<Type<'ast>>| {
            annotation.map_or("any".into(), |ty| self.written(ty, 0))
        };
        let mut args = function.args.iter().enumerate().map(|(place, local)| {
            let name = text_of(local.name.bytes())
                .trim_start_matches('_')
                .to_string();
            (
                if is_name(&name) {
                    name
                } else {
                    format!("a{place}")
                },
                ty(local.annotation),
            )
        });
        let handle = args.next().map_or("Reads".into(), |(_, ty)| ty);
        RuleHeader {
            handle,
            args: args.collect(),
            returns: function
                .return_annotation
                .map_or("()".into(), |pack| self.result(pack)),
        }
    }

    fn result(&self, pack: TypePack<'ast>) -> String {
        match pack.kind() {
            TypePackKind::Explicit { type_list } => match type_list.types {
                [] => "()".into(),
                [one] => self.written(*one, 0),
                several => {
                    let all: Vec<String> = several.iter().map(|ty| self.written(*ty, 0)).collect();
                    format!("({})", all.join(", "))
                }
            },
            _ => "...any".into(),
        }
    }

    /// A type in the names of the definitions.
    fn written(&self, ty: Type<'ast>, depth: usize) -> String {
        if depth > DEEPEST {
            return "any".into();
        }
        let inner = |ty: &Type<'ast>| self.written(*ty, depth + 1);
        match ty.kind() {
            TypeKind::Reference {
                prefix: Some(prefix),
                name,
                ..
            } => match self.modules.get(&text_of(prefix.bytes())) {
                Some(module) => format!("{}{}", camel(module), text_of(name.bytes())),
                None => "any".into(),
            },
            TypeKind::Reference { name, .. } => {
                let name = text_of(name.bytes());
                match self.aliases.get(&name) {
                    Some((true, _)) => format!("{}{name}", camel(self.module)),
                    Some((false, ty)) => inner(ty),
                    None => name,
                }
            }
            TypeKind::Table { props, indexer } => {
                let mut fields: Vec<String> = props
                    .iter()
                    .map(|prop| format!("read {}: {}", text_of(prop.name.bytes()), inner(&prop.ty)))
                    .collect();
                if let Some(indexer) = indexer {
                    let item = inner(&indexer.result_type);
                    match inner(&indexer.index_type).as_str() {
                        "number" if fields.is_empty() => return format!("{{ {item} }}"),
                        key => fields.push(format!("[{key}]: {item}")),
                    }
                }
                format!("{{ {} }}", fields.join(", "))
            }
            TypeKind::SingletonBool { value } => value.to_string(),
            TypeKind::SingletonString { value } => format!("\"{}\"", value.as_bstr()),
            TypeKind::Group { ty } => inner(&ty),
            TypeKind::Union { types } => {
                let is_optional = |ty: &&Type<'ast>| matches!(ty.kind(), TypeKind::Optional);
                let all: Vec<String> = types
                    .iter()
                    .filter(|ty| !is_optional(ty))
                    .map(inner)
                    .collect();
                let all = if all.len() == 1 {
                    all.concat()
                } else {
                    format!("({})", all.join(" | "))
                };
                if types.iter().any(|ty| is_optional(&ty)) {
                    format!("{}?", all.trim_end_matches('?'))
                } else {
                    all
                }
            }
            _ => "any".into(),
        }
    }
}
