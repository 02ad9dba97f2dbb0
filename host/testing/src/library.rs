//! What `@test` gives to a test file, and what `t` gives to a case.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::chance::{Script, ScriptedDie, ScriptedOrder};
use kernel::decision::{Domain, Input};
use kernel::engine::{Occasion, Play, Rejected, Wanted};
use kernel::error::{Fault, FaultCode};
use kernel::event::Event;
use kernel::geometry::Length;
use kernel::value::{Name, Side, Type, Value};
use kernel::world::{Viewer, closest};
use mlua::{Function, LightUserData, Lua, MultiValue, Table, Value as LuaValue, Variadic};

use crate::case::{Case, CaseContext, CaseHead, CaseNotes, Situation, TestedOffer};
use crate::openings::BegunScenario;
use matches::scenario::scripted_die;
use rules::types::{print_value, write_value};
use scripts::LuaHost;
use scripts::taking::{describe, from_lua, whole};
use scripts::values::{entity_from_lua, entity_to_lua, to_lua};
use scripts::vm::{Shared, caller};

type Me = LuaValue;

/// The module `@test`.
pub(crate) fn test_module(host: &LuaHost, listed: &Rc<RefCell<Vec<Case>>>) -> mlua::Result<Table> {
    let lua = host.lua();
    let module = lua.create_table()?;
    let (listed, shared) = (listed.clone(), host.shared().clone());
    module.set(
        "case",
        lua.create_function(move |lua, args: MultiValue| {
            let args: Vec<LuaValue> = args.into_iter().collect();
            let (title, spec, function) = match args.as_slice() {
                [
                    LuaValue::String(title),
                    LuaValue::Table(spec),
                    LuaValue::Function(function),
                ] => (title, Some(spec), function),
                [LuaValue::String(title), LuaValue::Function(function)] => (title, None, function),
                _ => {
                    let message = "expected a title, a table with `cites`, and a function";
                    return Err(shared.fault(lua, Fault::new(FaultCode::BadCase, message)));
                }
            };
            if let Some(fault) = spec.and_then(unknown_field) {
                return Err(shared.fault(lua, fault));
            }
            let case = case_of(lua, title.to_string_lossy(), spec, function)?;
            listed.borrow_mut().push(case);
            Ok(())
        })?,
    )?;
    Ok(module)
}

/// What a case says of itself.
const FIELDS: [&str; 5] = ["cites", "with", "without", "options", "situation"];

/// A word among what a case says of itself that means nothing: it would take the
/// case's guard away without a word.
fn unknown_field(spec: &Table) -> Option<Fault> {
    let given = spec
        .pairs::<LuaValue, LuaValue>()
        .flatten()
        .map(|(key, _)| match key {
            LuaValue::String(name) => name.to_string_lossy(),
            other => describe(&other),
        });
    // In their order, for a table has none.
    let unknown: BTreeSet<String> = given
        .filter(|name| !FIELDS.contains(&name.as_str()))
        .collect();
    let name = unknown.first()?;
    let message = format!(
        "expected one of {} of a case, found `{name}`",
        FIELDS.join(", ")
    );
    let fault = Fault::new(FaultCode::BadCase, message);
    Some(match closest(name, FIELDS.into_iter()) {
        Some(meant) => fault.hint(format!("did you mean `{meant}`?")),
        None => fault,
    })
}

fn case_of(
    lua: &Lua,
    title: String,
    spec: Option<&Table>,
    function: &Function,
) -> mlua::Result<Case> {
    let list = |name: &str| -> mlua::Result<Vec<String>> {
        let Some(spec) = spec else {
            return Ok(Vec::new());
        };
        match spec.get::<LuaValue>(name)? {
            LuaValue::Nil => Ok(Vec::new()),
            LuaValue::String(one) => Ok(one
                .to_string_lossy()
                .split_whitespace()
                .map(str::to_string)
                .collect()),
            LuaValue::Table(list) => list.sequence_values().collect(),
            other => Err(mlua::Error::runtime(format!(
                "`{name}`: expected a list, found {}",
                describe(&other)
            ))),
        }
    };
    let mut options = Vec::new();
    if let Some(table) = spec
        .map(|spec| spec.get::<Option<Table>>("options"))
        .transpose()?
        .flatten()
    {
        for pair in table.pairs::<String, LuaValue>() {
            let (id, value) = pair?;
            let text = match &value {
                LuaValue::String(text) => text.to_string_lossy(),
                LuaValue::Boolean(yes) => yes.to_string(),
                other => whole(other).map_or_else(String::new, |n| n.to_string()),
            };
            options.push((Arc::from(id), text));
        }
    }
    options.sort();
    let situation = spec
        .map(|spec| spec.get::<Option<Table>>("situation"))
        .transpose()?
        .flatten();
    let situation = situation.map(situation_of).transpose()?;
    let head = CaseHead {
        title,
        cites: list("cites")?.into_iter().map(Arc::from).collect(),
        with: list("with")?,
        without: list("without")?,
        options,
        situation,
        place: caller(lua).unwrap_or_default(),
    };
    Ok(Case {
        head,
        function: function.clone(),
    })
}

fn situation_of(table: Table) -> mlua::Result<Situation> {
    Ok(Situation {
        of: table.get("of")?,
        state: table.get("state")?,
    })
}

/// What the functions of `t` share.
pub(super) struct Bench {
    pub context: Rc<CaseContext>,
    pub shared: Rc<Shared>,
}

impl Bench {
    pub fn fail<T>(&self, lua: &Lua, message: impl Into<String>) -> mlua::Result<T> {
        Err(self
            .shared
            .fault(lua, Fault::new(FaultCode::BadCase, message)))
    }

    /// Works on the game in play, which comes back from the machine for it.
    pub fn play<T>(
        &self,
        lua: &Lua,
        work: impl FnOnce(&mut Play, &rules::rulebook::Rulebook) -> T,
    ) -> mlua::Result<T> {
        self.shared.stopped()?;
        let rulebook = self.context.rulebook()?;
        let mut state = self.context.state.borrow_mut();
        let Some(mut play) = state.play.take() else {
            drop(state);
            return self.fail(lua, "expected `t:scenario` first");
        };
        drop(state);
        self.shared.swap_game(play.game_mut());
        let result = work(&mut play, &rulebook);
        let events = play.take_events();
        let asked = question(&play).is_some().then(|| play.hash());
        self.shared.swap_game(play.game_mut());
        let mut state = self.context.state.borrow_mut();
        state.play = Some(play);
        state.events.extend(events);
        state.asked = state.asked.filter(|_| asked.is_some()).or(asked);
        Ok(result)
    }

    /// Fails while a question is open: what runs now would be lost when the
    /// step that asks it runs again.
    fn no_question(&self, lua: &Lua) -> mlua::Result<()> {
        match self.play(lua, |play, _| question(play))? {
            None => Ok(()),
            Some(id) => self.fail(
                lua,
                format!("the question `{id}` is open: answer it first, with `t:give`"),
            ),
        }
    }

    /// Fails if something was written while a question was open.
    fn nothing_written(&self, lua: &Lua) -> mlua::Result<()> {
        let before = self.context.state.borrow_mut().asked.take();
        let now = self.play(lua, |play, _| play.hash())?;
        self.context.state.borrow_mut().asked = None;
        if before.is_none_or(|before| before == now) {
            return Ok(());
        }
        self.fail(
            lua,
            "expected nothing written while a question is open, for the step that asks runs again from its \
             start: write before it is asked, or after the answer",
        )
    }

    pub fn side(&self, lua: &Lua, name: &str) -> mlua::Result<Side> {
        if self.context.state.borrow().play.is_none() {
            return self.fail(lua, "expected `t:scenario` first");
        }
        let game = self.shared.game.borrow();
        if let Some(side) = game.world().side(name) {
            return Ok(side);
        }
        let fault = Fault::new(FaultCode::BadCase, format!("there is no side `{name}`"));
        let sides = game.world().sides().iter().map(|side| &**side);
        let fault = match closest(name, sides) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        };
        drop(game);
        Err(self.shared.fault(lua, fault))
    }

    pub fn any(&self, lua: &Lua, value: &LuaValue) -> mlua::Result<Value> {
        let tables = self.shared.tables()?;
        match from_lua(&tables, value, &Type::Any) {
            Ok(value) => Ok(value),
            Err(mismatch) => self.fail(lua, mismatch.to_string()),
        }
    }
}

fn add<A: mlua::FromLuaMulti + 'static, R: mlua::IntoLuaMulti + 'static>(
    lua: &Lua,
    table: &Table,
    name: &str,
    bench: &Rc<Bench>,
    body: fn(&Lua, &Bench, A) -> mlua::Result<R>,
) -> mlua::Result<()> {
    let bench = bench.clone();
    table.set(
        name,
        lua.create_function(move |lua, args: A| body(lua, &bench, args))?,
    )
}

/// The table `t` of a case.
pub(crate) fn case_table(host: &LuaHost, context: &Rc<CaseContext>) -> mlua::Result<Table> {
    let lua = host.lua();
    let bench = Rc::new(Bench {
        context: context.clone(),
        shared: host.shared().clone(),
    });
    let t = lua.create_table()?;
    t.set("game", host.game_handle()?)?;
    setting_up(lua, &t, &bench)?;
    playing(lua, &t, &bench)?;
    passing(lua, &t, &bench)?;
    answering(lua, &t, &bench)?;
    looking(lua, &t, &bench)?;
    expecting(lua, &t, &bench)?;
    t.set_readonly(true);
    Ok(t)
}

fn setting_up(lua: &Lua, t: &Table, bench: &Rc<Bench>) -> mlua::Result<()> {
    add(
        lua,
        t,
        "scenario",
        bench,
        |lua, bench, (me, id): (Table, String)| {
            start(lua, bench, &id)?;
            me.get::<Table>("game")
        },
    )?;
    add(
        lua,
        t,
        "dice",
        bench,
        |lua, bench, (_, list): (Me, Table)| {
            let mut dice = Vec::new();
            for item in list.sequence_values::<LuaValue>() {
                dice.push(die(lua, bench, &item?)?);
            }
            add_script(bench, Script::new(dice, [""; 0]))
        },
    )?;
    add(
        lua,
        t,
        "chits",
        bench,
        |_, bench, (_, list): (Me, Vec<String>)| add_script(bench, Script::new([], list)),
    )?;
    add(
        lua,
        t,
        "shuffle",
        bench,
        |_, bench, (_, cards): (Me, Vec<String>)| {
            let order: ScriptedOrder = cards.into_iter().map(Arc::from).collect();
            add_script(bench, Script::default().with_orders([order]))
        },
    )?;
    add(
        lua,
        t,
        "answer",
        bench,
        |lua, bench, (_, question, value): (Me, String, LuaValue)| {
            let value = bench.any(lua, &value)?;
            bench
                .shared
                .game
                .borrow_mut()
                .queue_answers([(Arc::from(question), value)]);
            Ok(())
        },
    )
}

fn die(lua: &Lua, bench: &Bench, value: &LuaValue) -> mlua::Result<ScriptedDie> {
    let parsed = match value {
        LuaValue::String(text) => scripted_die(&text.to_string_lossy()),
        other => match whole(other).and_then(|n| u32::try_from(n).ok()) {
            Some(face) if face > 0 => Ok(ScriptedDie::any(face)),
            _ => Err(format!(
                "expected a die such as `d8=5` or 5, found {}",
                describe(other)
            )),
        },
    };
    parsed.or_else(|message| bench.fail(lua, message))
}

/// Adds to what is scripted.
fn add_script(bench: &Bench, script: Script) -> mlua::Result<()> {
    bench.shared.game.borrow_mut().extend_chance(script);
    Ok(())
}

fn start(lua: &Lua, bench: &Bench, id: &str) -> mlua::Result<()> {
    let context = &bench.context;
    let Some(scenario) = context.scenarios.get(id) else {
        let near = kernel::world::closest(id, context.scenarios.keys().map(String::as_str));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return bench.fail(lua, format!("there is no scenario `{id}`{hint}"));
    };
    // What is scripted before the scenario is for its first phases too.
    let script = bench.shared.game.borrow().chance().left_over().to_script();
    let rulebook = context.rulebook()?;
    let noting = LuaHost::of(rulebook.host()).filter(|_| context.notes == CaseNotes::All);
    let mut apart = BTreeSet::new();
    let openings = &context.openings;
    let begun = openings.begin(&rulebook, scenario, script, noting, &mut apart);
    context.state.borrow_mut().reached.append(&mut apart);
    let opening = match begun {
        Ok(opening) => opening,
        Err(faults) => return raise(lua, bench, faults.into_iter().next()),
    };
    let BegunScenario {
        mut play,
        events,
        reached,
        unit,
    } = opening;
    let asked = question(&play).is_some().then(|| play.hash());
    // The game is lent to the machine; the placeholder stays in the play.
    bench.shared.swap_game(play.game_mut());
    let mut state = context.state.borrow_mut();
    state.asked = asked;
    state.keep_widenings();
    state.reached.extend(reached);
    state.play = Some(play);
    state.events = events;
    state.unit = unit;
    Ok(())
}

/// The question that is open, if one is.
fn question(play: &Play) -> Option<Name> {
    match play.wanted() {
        Wanted::Answer { question, .. } => Some(question.id.clone()),
        _ => None,
    }
}

fn raise<T>(lua: &Lua, bench: &Bench, fault: Option<Fault>) -> mlua::Result<T> {
    let fault = fault.unwrap_or_else(|| Fault::new(FaultCode::BadCase, "something is wrong"));
    Err(bench.shared.fault(lua, fault))
}

/// Running steps, and taking actions and reactions, be they refused.
fn playing(lua: &Lua, t: &Table, bench: &Rc<Bench>) -> mlua::Result<()> {
    type ActionCall = (Me, String, String, Option<LightUserData>, Option<Table>);
    add(
        lua,
        t,
        "step",
        bench,
        |lua, bench, (_, rule, args): (Me, String, Variadic<LuaValue>)| {
            step(lua, bench, rule, &args)
        },
    )?;
    add(lua, t, "settle", bench, |lua, bench, _: Me| {
        bench.no_question(lua)?;
        let outcome = bench.play(lua, |play, rules| play.settle(rules))?;
        outcome.or_else(|fault| raise(lua, bench, Some(fault)))
    })?;
    add(lua, t, "act", bench, |lua, bench, call: ActionCall| {
        taken(lua, bench, call, false)
    })?;
    add(lua, t, "react", bench, |lua, bench, call: ActionCall| {
        taken(lua, bench, call, true)
    })?;
    add(lua, t, "refuses", bench, |lua, bench, call: ActionCall| {
        refuses(lua, bench, call, false)
    })?;
    add(
        lua,
        t,
        "refuses_reaction",
        bench,
        |lua, bench, call: ActionCall| refuses(lua, bench, call, true),
    )
}

/// Going on without an action or a reaction.
fn passing(lua: &Lua, t: &Table, bench: &Rc<Bench>) -> mlua::Result<()> {
    add(
        lua,
        t,
        "decline",
        bench,
        |lua, bench, (_, side): (Me, String)| {
            let by = bench.side(lua, &side)?;
            must(
                lua,
                bench,
                &Input::Decline {
                    by,
                    standing: false,
                },
            )
        },
    )?;
    add(lua, t, "go_on", bench, |lua, bench, _: Me| {
        let gone_by = bench.play(lua, |play, rules| {
            play.settle(rules)?;
            let_windows_go(play, rules, None)
        })?;
        allowed(lua, bench, gone_by, None)
    })?;
    add(
        lua,
        t,
        "pass",
        bench,
        |lua, bench, (_, side): (Me, String)| {
            let by = bench.side(lua, &side)?;
            must(lua, bench, &Input::Pass { by })
        },
    )?;
    add(
        lua,
        t,
        "done",
        bench,
        |lua, bench, (_, side): (Me, String)| {
            let by = bench.side(lua, &side)?;
            must(lua, bench, &Input::Done { by })
        },
    )
}

/// Taking something back, and answering a question.
fn answering(lua: &Lua, t: &Table, bench: &Rc<Bench>) -> mlua::Result<()> {
    add(
        lua,
        t,
        "take_back",
        bench,
        |lua, bench, (_, side): (Me, String)| {
            let by = bench.side(lua, &side)?;
            must(lua, bench, &Input::TakeBack { by })
        },
    )?;
    add(
        lua,
        t,
        "give",
        bench,
        |lua, bench, (_, side, question, value): (Me, String, String, LuaValue)| {
            let by = bench.side(lua, &side)?;
            let value = answer_value(lua, bench, by, &value)?;
            bench.nothing_written(lua)?;
            must(
                lua,
                bench,
                &Input::Answer {
                    by,
                    question: Arc::from(question),
                    value,
                },
            )
        },
    )
}

fn step(lua: &Lua, bench: &Bench, rule: String, args: &[LuaValue]) -> mlua::Result<()> {
    let rule: Name = Arc::from(rule);
    let Some(signature) = bench
        .context
        .rulebook()?
        .rules()
        .get(&rule)
        .map(|entry| entry.signature.clone())
    else {
        return bench.fail(lua, format!("no mod defines the rule `{rule}`"));
    };
    let tables = bench.shared.tables()?;
    let mut values = Vec::new();
    for (i, field) in signature.args.iter().enumerate() {
        let arg = args.get(i).cloned().unwrap_or(LuaValue::Nil);
        match from_lua(&tables, &arg, &field.ty) {
            Ok(value) => values.push(value),
            Err(mismatch) => {
                return bench.fail(lua, format!("argument `{}`: {mismatch}", field.name));
            }
        }
    }
    bench.no_question(lua)?;
    let outcome = bench.play(lua, |play, rules| play.run_step(rules, &rule, &values))?;
    outcome.or_else(|fault| raise(lua, bench, Some(fault)))
}

fn input(
    lua: &Lua,
    bench: &Bench,
    call: (Me, String, String, Option<LightUserData>, Option<Table>),
    is_reaction: bool,
) -> mlua::Result<Input> {
    let (_, side, action, actor, params) = call;
    let by = bench.side(lua, &side)?;
    let actor = actor.map(entity_from_lua);
    let action: Name = Arc::from(action);
    let params = typed_params(lua, bench, &action, params, is_reaction)?;
    Ok(if is_reaction {
        Input::React {
            by,
            reaction: action,
            actor,
            params,
        }
    } else {
        Input::Act {
            by,
            action,
            actor,
            params,
        }
    })
}

/// Parameters by the types that the action declares.
pub(super) fn typed_params(
    lua: &Lua,
    bench: &Bench,
    action: &Name,
    params: Option<Table>,
    is_reaction: bool,
) -> mlua::Result<Value> {
    let mut map = BTreeMap::new();
    let book = bench.context.rulebook()?.book().clone();
    let known = if is_reaction {
        book.reactions.get(action)
    } else {
        book.actions.get(action)
    };
    let tables = bench.shared.tables()?;
    for pair in params.map_or(Vec::new(), |table| {
        table.pairs::<String, LuaValue>().collect()
    }) {
        let (name, value) = pair?;
        let declared =
            known.and_then(|known| known.params.iter().find(|param| *param.name == *name));
        let ty = declared.map_or(Type::Any, |param| param.ty.clone());
        match from_lua(&tables, &value, &ty) {
            Ok(value) => map.insert(Arc::from(name), value),
            Err(mismatch) => return bench.fail(lua, format!("`{name}`: {mismatch}")),
        };
    }
    Ok(Value::Map(Arc::new(map)))
}

/// Windows that a case does not mention are let go by.
fn let_windows_go(
    play: &mut Play,
    rules: &rules::rulebook::Rulebook,
    input: Option<&Input>,
) -> Result<(), Rejected> {
    let reacts = |input: &&Input| matches!(input, Input::React { .. } | Input::Decline { .. });
    let by = input.filter(reacts).map(Input::by);
    while let Wanted::React { side, .. } = play.wanted() {
        if by == Some(side) {
            break;
        }
        play.submit(
            rules,
            &Input::Decline {
                by: side,
                standing: false,
            },
        )?;
    }
    Ok(())
}

fn submit(lua: &Lua, bench: &Bench, input: &Input) -> mlua::Result<Result<(), Rejected>> {
    bench.play(lua, |play, rules| {
        play.settle(rules)?;
        let_windows_go(play, rules, Some(input))?;
        play.submit(rules, input)
    })
}

fn must(lua: &Lua, bench: &Bench, input: &Input) -> mlua::Result<()> {
    let done = submit(lua, bench, input)?;
    allowed(lua, bench, done, Some(input))
}

/// Fails if something was refused: an input, or the windows that should go by.
fn allowed(
    lua: &Lua,
    bench: &Bench,
    done: Result<(), Rejected>,
    input: Option<&Input>,
) -> mlua::Result<()> {
    match done {
        Ok(()) => Ok(()),
        Err(Rejected::Refusal(refusal)) => {
            let message = format!("expected it to be allowed, found a refusal: {refusal}");
            let fault = Fault::new(FaultCode::BadCase, message);
            let input = input.filter(|_| refusal.clause.is_none());
            let of_table = input.map_or(Ok(None), |input| incomplete_action(bench, input))?;
            raise(
                lua,
                bench,
                Some(match of_table {
                    Some(id) => fault.hint(format!("`houserule rules {id}` says what it takes")),
                    None => fault,
                }),
            )
        }
        Err(Rejected::Fault { fault, .. }) => raise(lua, bench, Some(fault)),
    }
}

/// The action or reaction of an input that does not say all that it might.
fn incomplete_action<'a>(bench: &Bench, input: &'a Input) -> mlua::Result<Option<&'a Name>> {
    let rulebook = bench.context.rulebook()?;
    let book = rulebook.book();
    let (known, id, given) = match input {
        Input::Act { action, params, .. } => (book.actions.get(action), action, params),
        Input::React {
            reaction, params, ..
        } => (book.reactions.get(reaction), reaction, params),
        _ => return Ok(None),
    };
    let is_incomplete = known.is_some_and(|known| {
        known
            .params
            .iter()
            .any(|param| given.field(&param.name).is_none())
    });
    Ok(is_incomplete.then_some(id))
}

fn taken(
    lua: &Lua,
    bench: &Bench,
    call: (Me, String, String, Option<LightUserData>, Option<Table>),
    is_reaction: bool,
) -> mlua::Result<()> {
    let input = input(lua, bench, call, is_reaction)?;
    must(lua, bench, &input)
}

fn refuses(
    lua: &Lua,
    bench: &Bench,
    call: (Me, String, String, Option<LightUserData>, Option<Table>),
    is_reaction: bool,
) -> mlua::Result<(String, Option<String>)> {
    let input = input(lua, bench, call, is_reaction)?;
    match submit(lua, bench, &input)? {
        Err(Rejected::Refusal(refusal)) => Ok((
            refusal.reason,
            refusal.clause.map(|clause| clause.to_string()),
        )),
        Ok(()) => bench.fail(lua, "expected a refusal, found that it is allowed"),
        Err(Rejected::Fault { fault, .. }) => raise(lua, bench, Some(fault)),
    }
}

/// An answer by the domain of the open question: choices by their label too.
fn answer_value(lua: &Lua, bench: &Bench, by: Side, value: &LuaValue) -> mlua::Result<Value> {
    let plain = bench.any(lua, value)?;
    let wanted = bench.shared.game.borrow().wanted();
    let Wanted::Answer { question, .. } = wanted else {
        return Ok(plain);
    };
    let domain = question
        .to
        .iter()
        .find(|(side, _)| *side == by)
        .map(|(_, domain)| domain.clone());
    if let (Some(Domain::Choices { of: choices, .. }), Some(text)) = (domain, plain.as_text())
        && let Some(choice) = choices.iter().find(|choice| &*choice.label == text)
    {
        return Ok(choice.value.clone());
    }
    Ok(plain)
}

fn looking(lua: &Lua, t: &Table, bench: &Rc<Bench>) -> mlua::Result<()> {
    add(
        lua,
        t,
        "events",
        bench,
        |lua, bench, (_, kind): (Me, Option<String>)| events(lua, bench, kind.as_deref()),
    )?;
    add(
        lua,
        t,
        "told",
        bench,
        |lua, bench, (_, side, kind): (Me, String, Option<String>)| {
            let viewer = Viewer::Side(bench.side(lua, &side)?);
            shown_events(lua, bench, viewer, kind.as_deref())
        },
    )?;
    add(
        lua,
        t,
        "legal",
        bench,
        |lua, bench, (_, side): (Me, String)| legal(lua, bench, &side),
    )?;
    add(
        lua,
        t,
        "may",
        bench,
        |lua, bench, (_, side, of): (Me, String, Option<Table>)| {
            may(lua, bench, &side, of.as_ref())
        },
    )?;
    add(lua, t, "asked", bench, |lua, bench, _: Me| {
        asked(lua, bench)
    })?;
    add(
        lua,
        t,
        "view",
        bench,
        |lua, bench, (_, side): (Me, String)| {
            let viewer = Viewer::Side(bench.side(lua, &side)?);
            view(lua, bench, viewer)
        },
    )?;
    add(lua, t, "hash", bench, |lua, bench, _: Me| {
        bench.play(lua, |play, _| play.hash().to_string())
    })?;
    add(lua, t, "result", bench, |lua, bench, _: Me| {
        let result = bench.shared.game.borrow().finished().cloned();
        to_lua(lua, &*bench.shared.tables()?, &result.unwrap_or_default())
    })
}

/// What a side could do, each with its actor, and why it may not.
fn legal(lua: &Lua, bench: &Bench, side: &str) -> mlua::Result<Table> {
    let by = bench.side(lua, side)?;
    let legal = bench.play(lua, |play, rules| play.legal(rules, by))?;
    let legal = legal.or_else(|fault| raise(lua, bench, Some(fault)))?;
    let list = lua.create_table()?;
    for one in legal {
        let row = lua.create_table()?;
        row.set("action", &*one.action)?;
        row.set("actor", one.actor.map_or(LuaValue::Nil, entity_to_lua))?;
        row.set("refused", one.refused.as_deref())?;
        list.push(row)?;
    }
    Ok(list)
}

/// The actions that a side may take, each once; what it may not is noted too.
fn may(lua: &Lua, bench: &Bench, side: &str, of: Option<&Table>) -> mlua::Result<Vec<String>> {
    let by = bench.side(lua, side)?;
    let occasion = occasion(lua, bench, of)?;
    let only = of
        .map(|of| of.get::<Option<LightUserData>>("actor"))
        .transpose()?
        .flatten();
    let only = only.map(entity_from_lua);
    let offers = bench.play(lua, |play, rules| {
        let prospects = play.prospects(rules, by, occasion.as_ref())?;
        let asked = prospects
            .into_iter()
            .filter(|one| only.is_none() || one.legal.actor == only);
        Ok(asked
            .map(|one| TestedOffer::new(one, play.game()))
            .collect::<Vec<_>>())
    })?;
    let offers = offers.or_else(|fault| raise(lua, bench, Some(fault)))?;
    let allowed: BTreeSet<String> = offers
        .iter()
        .filter(|one| one.refused.is_none())
        .map(|one| one.action.to_string())
        .collect();
    bench.context.state.borrow_mut().offers.extend(offers);
    Ok(allowed.into_iter().collect())
}

/// The phase or window that a case asks about as if it were open, if it names one.
fn occasion(lua: &Lua, bench: &Bench, of: Option<&Table>) -> mlua::Result<Option<Occasion>> {
    let Some(of) = of else { return Ok(None) };
    let (phase, window): (Option<String>, Option<String>) = (of.get("phase")?, of.get("window")?);
    Ok(match (phase, window) {
        (Some(phase), _) => Some(Occasion::Phase(Arc::from(phase))),
        (None, Some(window)) => Some(Occasion::Window(
            Arc::from(window),
            bench.any(lua, &of.get("data")?)?,
        )),
        (None, None) => None,
    })
}

fn events(lua: &Lua, bench: &Bench, kind: Option<&str>) -> mlua::Result<Table> {
    let tables = bench.shared.tables()?;
    let mut state = bench.context.state.borrow_mut();
    let fresh = bench.shared.game.borrow_mut().take_events();
    state.events.extend(fresh);
    let game = bench.shared.game.borrow();
    let open = game.open_events();
    let list = lua.create_table()?;
    for event in state
        .events
        .iter()
        .chain(open)
        .filter(|event| kind.is_none_or(|kind| kind == &*event.kind))
    {
        let row = lua.create_table()?;
        row.set("event", &*event.kind)?;
        row.set("rule", event.cause.rule.as_deref())?;
        for field in &event.fields {
            row.set(&*field.name, to_lua(lua, &tables, &field.value)?)?;
        }
        list.push(row)?;
    }
    Ok(list)
}

/// The events as a viewer is told of them: hidden fields are left out.
fn shown_events(
    lua: &Lua,
    bench: &Bench,
    viewer: Viewer,
    kind: Option<&str>,
) -> mlua::Result<Table> {
    let tables = bench.shared.tables()?;
    let mut state = bench.context.state.borrow_mut();
    let fresh = bench.shared.game.borrow_mut().take_events();
    state.events.extend(fresh);
    let game = bench.shared.game.borrow();
    let all: Vec<Event> = state
        .events
        .iter()
        .chain(game.open_events())
        .cloned()
        .collect();
    let list = lua.create_table()?;
    for event in game
        .show_events(viewer, &all)
        .iter()
        .filter(|event| kind.is_none_or(|k| k == &*event.kind))
    {
        let row = lua.create_table()?;
        row.set("event", &*event.kind)?;
        for (name, value) in &event.fields {
            if let Some(value) = value {
                row.set(&**name, to_lua(lua, &tables, value)?)?;
            }
        }
        list.push(row)?;
    }
    Ok(list)
}

fn asked(lua: &Lua, bench: &Bench) -> mlua::Result<LuaValue> {
    let game = bench.shared.game.borrow();
    let row = lua.create_table()?;
    match game.wanted() {
        Wanted::Answer { sides, question } => {
            row.set("question", &*question.id)?;
            row.set("text", &*question.text)?;
            row.set(
                "side",
                sides.first().map(|side| game.side_name(*side).to_string()),
            )?;
            let options = lua.create_table()?;
            for (_, domain) in question
                .to
                .iter()
                .filter(|(side, _)| sides.first() == Some(side))
            {
                if let Domain::Choices { of: choices, .. } | Domain::Several { of: choices, .. } =
                    domain
                {
                    for choice in choices.iter() {
                        options.push(&*choice.label)?;
                    }
                }
            }
            row.set("options", options)?;
        }
        Wanted::React { side, window, .. } => {
            row.set("window", &*window)?;
            row.set("side", &*game.side_name(side))?;
        }
        Wanted::Act { sides, phase } => {
            row.set("phase", &*phase)?;
            row.set(
                "side",
                sides.first().map(|side| game.side_name(*side).to_string()),
            )?;
        }
        Wanted::Over => return Ok(LuaValue::Nil),
    }
    Ok(LuaValue::Table(row))
}

fn view(lua: &Lua, bench: &Bench, viewer: Viewer) -> mlua::Result<Table> {
    let tables = bench.shared.tables()?;
    let game = bench.shared.game.borrow();
    let list = lua.create_table()?;
    for seen in game.view(viewer).entities {
        let row = lua.create_table()?;
        row.set("kind", &*seen.kind)?;
        row.set("name", seen.name.as_deref())?;
        let attributes = lua.create_table()?;
        for (name, value) in &seen.attributes {
            if let Some(value) = value {
                attributes.set(&**name, to_lua(lua, &tables, value)?)?;
            }
        }
        row.set("attributes", attributes)?;
        list.push(row)?;
    }
    Ok(list)
}

fn expecting(lua: &Lua, t: &Table, bench: &Rc<Bench>) -> mlua::Result<()> {
    type Compare = (Me, LuaValue, LuaValue, Option<String>);
    add(
        lua,
        t,
        "eq",
        bench,
        |lua, bench, (_, found, expected, what): Compare| {
            if same(bench, &found, &expected)? {
                return Ok(());
            }
            let what = what.map_or(String::new(), |what| format!("{what}: "));
            let message = format!(
                "{what}expected {}, found {}{}",
                show(bench, &expected)?,
                show(bench, &found)?,
                as_lengths(bench, &expected, &found)
            );
            bench.fail(lua, message)
        },
    )?;
    add(
        lua,
        t,
        "odds",
        bench,
        |lua, bench, (_, spec, expected): (Me, Table, Option<Table>)| {
            super::odds::odds(lua, bench, &spec, expected)
        },
    )?;
    add(
        lua,
        t,
        "ok",
        bench,
        |lua, bench, (_, found, what): (Me, LuaValue, Option<String>)| match found {
            LuaValue::Nil | LuaValue::Boolean(false) => {
                bench.fail(lua, what.unwrap_or_else(|| "expected it to hold".into()))
            }
            _ => Ok(()),
        },
    )?;
    add(
        lua,
        t,
        "because",
        bench,
        |lua, bench, (_, die, reason): (Me, Option<Table>, String)| {
            because(lua, bench, die.as_ref(), &reason)
        },
    )?;
    add(
        lua,
        t,
        "faults",
        bench,
        |lua, bench, (_, code, work): (Me, String, Function)| faults(lua, bench, &code, &work),
    )
}

/// Fails if a die was not shifted for a reason, or is none.
fn because(lua: &Lua, bench: &Bench, die: Option<&Table>, reason: &str) -> mlua::Result<()> {
    let Some(die) = die else {
        let message = format!("expected a die with the reason `{reason}`, found nothing");
        return bench.fail(lua, message);
    };
    let reasons: Vec<String> = die
        .get::<Table>("reasons")?
        .sequence_values()
        .collect::<mlua::Result<_>>()?;
    if reasons.iter().any(|one| one == reason) {
        return Ok(());
    }
    let found = match reasons.as_slice() {
        [] => "none".to_string(),
        some => some.join(", "),
    };
    bench.fail(
        lua,
        format!("expected the reason `{reason}`, found: {found}"),
    )
}

/// Fails unless a function comes to this fault, whose message it gives.
fn faults(lua: &Lua, bench: &Bench, code: &str, work: &Function) -> mlua::Result<String> {
    if FaultCode::ALL.iter().all(|one| one.to_string() != code) {
        return bench.fail(lua, format!("there is no fault `{code}`"));
    }
    let outcome = work.call::<()>(());
    let stop = bench.shared.stop.borrow_mut().take();
    let fault = match (stop, outcome) {
        (Some(kernel::rules::Stop::Fault(fault)), _) => Some(fault),
        (_, Err(error)) => Some(bench.shared.fault_of(&error)),
        _ => None,
    };
    match fault {
        Some(fault) if fault.code.to_string() == code => Ok(fault.into_message()),
        Some(fault) => bench.fail(lua, format!("expected a fault {code}, found: {fault}")),
        None => bench.fail(lua, format!("expected a fault {code}, found none")),
    }
}

/// Whether two values are the same: dice by their text too, tables by content.
fn same(bench: &Bench, a: &LuaValue, b: &LuaValue) -> mlua::Result<bool> {
    if let (LuaValue::Table(die), LuaValue::String(text)) = (a, b)
        && let Ok(sides) = die.raw_get::<LuaValue>("sides")
        && let Some(sides) = whole(&sides)
    {
        return Ok(format!("d{sides}") == text.to_string_lossy());
    }
    let tables = bench.shared.tables()?;
    match (
        from_lua(&tables, a, &Type::Any),
        from_lua(&tables, b, &Type::Any),
    ) {
        (Ok(a), Ok(b)) => Ok(a == b),
        _ => Ok(a == b),
    }
}

/// What two numbers are as lengths, if they may be some: none of a game's other numbers
/// reaches the micrometres of an inch.
fn as_lengths(bench: &Bench, expected: &LuaValue, found: &LuaValue) -> String {
    let (Some(expected), Some(found)) = (whole(expected), whole(found)) else {
        return String::new();
    };
    if expected.abs().max(found.abs()) < Length::INCH.um() {
        return String::new();
    }
    let unit = bench.context.state.borrow().unit;
    let [expected, found] = [expected, found].map(|um| unit.print(Length::from_um(um)));
    format!(" (as lengths {expected} and {found})")
}

fn show(bench: &Bench, value: &LuaValue) -> mlua::Result<String> {
    let tables = bench.shared.tables()?;
    let game = bench.shared.game.borrow();
    Ok(match from_lua(&tables, value, &Type::Any) {
        // In micrometres nobody finds it on the table, nor by coordinates that no map has.
        Ok(value @ (Value::Point(_) | Value::Hex(_))) => {
            print_value(&value, &*game, bench.context.state.borrow().unit)
        }
        Ok(value) => write_value(&value, &*game),
        Err(_) => describe(value),
    })
}
