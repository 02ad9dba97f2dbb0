//! What a function of the contract is, and how it is called.

use kernel::audience::Audience;
use kernel::error::{Fault, FaultCode};
use kernel::event::Cause;
use kernel::game::{Effects, Game};
use kernel::value::{Name, Side};
use kernel::world::Viewers;

use super::types::{Arguments, AudienceSpec, ContractName, Give, Given, TakeAll};
use crate::hosting::Running;
use crate::limits::{CHECKS_A_CALL, CHECKS_A_CHANGE, CHECKS_A_LAYER};
use crate::trace::Note;

/// What there is to know of a function without calling it.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// How scripts write it: `game:distance`, `deck:draw`.
    pub luau: &'static str,
    /// What components call it: `geometry.distance`.
    pub wit: &'static str,
    /// What its arguments are called.
    pub args: &'static [&'static str],
    /// The effect that a signature must list.
    pub effect: Effects,
    /// What a rule is found to do that may not have that effect.
    found: &'static str,
    /// What it costs beyond a call, in checks.
    pub cost: &'static str,
    /// Whether the machine of scripts does it by itself, without leaving.
    pub is_native: bool,
    /// What it does.
    pub doc: &'static str,
}

/// A function that only reads.
pub(super) const fn spec(
    luau: &'static str,
    wit: &'static str,
    args: &'static [&'static str],
    doc: &'static str,
) -> Spec {
    let (effect, found, cost) = (Effects::READS, "", "");
    Spec {
        luau,
        wit,
        args,
        effect,
        found,
        cost,
        is_native: false,
        doc,
    }
}

impl Spec {
    pub(super) const fn writes(self, found: &'static str) -> Spec {
        Spec {
            effect: Effects::WRITES,
            found,
            ..self
        }
    }

    pub(super) const fn draws(self, found: &'static str) -> Spec {
        Spec {
            effect: Effects::DRAWS,
            found,
            ..self
        }
    }

    pub(super) const fn asks(self, found: &'static str) -> Spec {
        Spec {
            effect: Effects::ASKS,
            found,
            ..self
        }
    }

    pub(super) const fn costs(self, cost: &'static str) -> Spec {
        Spec { cost, ..self }
    }

    pub(super) const fn native(self) -> Spec {
        Spec {
            is_native: true,
            ..self
        }
    }
}

/// A function that rules can call, with what it takes (a tuple) and gives.
pub struct Function<A, R> {
    /// What there is to know of it.
    pub spec: Spec,
    /// What it does, once it is known that it may.
    pub(super) run: fn(&mut Call<'_>, A) -> Result<R, Fault>,
}

/// A function while it is called.
pub struct Call<'a> {
    /// What all who run rules share.
    pub running: &'a Running,
    /// The game.
    pub game: &'a mut Game,
    /// The layers that are running, innermost first; none for one that only reads.
    layers: Vec<u32>,
}

impl<A, R> Function<A, R> {
    /// Calls it for the rule that runs.
    ///
    /// # Errors
    /// When no rule runs, when one that runs may not have the effect, when it
    /// cannot be paid, or as the function says.
    pub fn call(
        &self,
        running: &Running,
        args: impl FnOnce() -> Result<A, Fault>,
    ) -> Result<R, Fault> {
        let layers = match self.spec.effect == Effects::READS {
            true => Vec::new(),
            false => permitted(running, &self.spec)?,
        };
        over_game(running, |game| {
            (self.run)(
                &mut Call {
                    running,
                    game,
                    layers,
                },
                args()?,
            )
        })
    }
}

/// Does something over the game for the rule that runs; it is charged as a call.
///
/// # Errors
/// When no rule runs, or it cannot be paid.
pub fn over_game<T>(
    running: &Running,
    work: impl FnOnce(&mut Game) -> Result<T, Fault>,
) -> Result<T, Fault> {
    if !running.is_running.get() {
        return Err(call_at_load());
    }
    running.spend(CHECKS_A_CALL)?;
    let Ok(mut game) = running.game.try_borrow_mut() else {
        let message =
            "expected plain data, found a metamethod that calls the game while its table is read";
        return Err(Fault::new(FaultCode::NotAllowed, message));
    };
    work(&mut game)
}

/// The fault of a call of the game where no rule runs.
pub fn call_at_load() -> Fault {
    Fault::new(
        FaultCode::NotAllowed,
        "expected to run inside a rule, found a call at load",
    )
}

/// The layers that are running, if all of them may have the effect.
fn permitted(running: &Running, spec: &Spec) -> Result<Vec<u32>, Fault> {
    let layers = running
        .scripts()
        .map(|scripts| scripts.layers_running())
        .unwrap_or_default();
    // Looking down a deep stack takes its time.
    running.spend(layers.len() as u64 * CHECKS_A_LAYER + CHECKS_A_CHANGE)?;
    running.all_may(&layers, spec.effect, spec.found)?;
    Ok(layers)
}

/// A function of the contract, whatever it takes and gives.
pub trait Entry: Sync {
    /// What there is to know of it.
    fn spec(&self) -> &Spec;

    /// The types of its arguments.
    fn takes(&self) -> Vec<ContractName>;

    /// The type of its result; `None` if it gives nothing.
    fn gives(&self) -> Option<ContractName>;

    /// Calls it with arguments that are still in the form of a language.
    ///
    /// # Errors
    /// As [`Function::call`], and when an argument does not fit.
    fn call_with(&self, running: &Running, args: &mut dyn Arguments) -> Result<Given, Fault>;
}

impl<A: TakeAll, R: Give> Entry for Function<A, R> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn takes(&self) -> Vec<ContractName> {
        A::names()
    }

    fn gives(&self) -> Option<ContractName> {
        R::result()
    }

    fn call_with(&self, running: &Running, args: &mut dyn Arguments) -> Result<Given, Fault> {
        self.call(running, || A::take(args)).map(Give::give)
    }
}

impl Call<'_> {
    /// What brings about what is told as an event.
    pub(super) fn cause(&self) -> Cause {
        self.trace(Note::Event(self.game.noted()));
        self.running.cause_of(&self.layers)
    }

    /// What the rules that run give away of what others may not see.
    pub(super) fn reveals(&self) -> Option<Name> {
        self.running.cause_of(&self.layers).reveals
    }

    /// Pays for work that no machine counts.
    pub(super) fn spend(&self, checks: u64) -> Result<(), Fault> {
        self.running.spend(checks)
    }

    /// Tells the trace what the rule does.
    pub(super) fn trace(&self, note: Note) {
        self.running.trace(note);
    }

    /// The side of a name.
    pub(super) fn side(&self, name: &str) -> Result<Side, Fault> {
        let sides = self.game.world().sides();
        self.game.world().side(name).ok_or_else(|| {
            let message = format!(
                "expected a side, one of {}, found `{name}`",
                sides.join(", ")
            );
            Fault::new(FaultCode::WrongType, message)
        })
    }

    /// To whom something is told; everybody if nobody is named.
    pub(super) fn audience(&self, spec: Option<AudienceSpec>) -> Result<Audience, Fault> {
        let mut audience = Audience::default();
        let Some(spec) = spec else {
            return Ok(audience);
        };
        if let Some(sides) = &spec.to {
            audience.to = self.viewers(sides)?;
        }
        for (field, sides) in &spec.only {
            audience = audience.only(field, self.viewers(sides)?);
        }
        audience.reveals = spec.reveals;
        Ok(audience)
    }

    fn viewers(&self, sides: &[Name]) -> Result<Viewers, Fault> {
        sides.iter().try_fold(Viewers::NONE, |viewers, side| {
            Ok(viewers.and(Viewers::side(self.side(side)?)))
        })
    }

    /// A fault with the one of these names that comes nearest.
    pub(super) fn nearest(&self, fault: Fault, word: &str, id: &str) -> Fault {
        match self.running.nearest(word, id) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    }
}
