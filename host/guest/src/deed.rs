//! Actions and reactions.

use std::panic::Location;

use crate::bindings::houserule::contract::registration as wit;
use crate::rules::origin_at;
use crate::{Answer, Domain, Entity, Game, Record, Rules, Verdict};

/// What a side may do in a phase; [`Action::perform`] completes it.
pub struct Action<'r> {
    rules: &'r mut Rules,
    made: Made,
}

/// What a side may do in a window; [`Reaction::perform`] completes it.
pub struct Reaction<'r> {
    rules: &'r mut Rules,
    made: Made,
}

/// What is known of it so far. While functions only run, it stays empty.
struct Made {
    deed: Option<wit::Deed>,
    cites: &'static [&'static str],
    /// Parameters with the word for those who are told.
    audiences: Vec<(String, String)>,
    /// What parameters (or doing it, under no name) give away.
    reveals: Vec<(String, String)>,
}

impl Made {
    fn new(rules: &Rules, id: &str) -> Made {
        let deed = rules.is_registering.then(|| wit::Deed {
            id: id.into(),
            title: String::new(),
            at: Vec::new(),
            actor: None,
            params: Vec::new(),
            allowed: None,
            perform: 0,
            score: None,
            compulsory: false,
            told: false,
        });
        Made { deed, cites: &[], audiences: Vec::new(), reveals: Vec::new() }
    }

    fn change(&mut self, change: impl FnOnce(&mut wit::Deed)) {
        self.deed.as_mut().map(change);
    }

    fn last_param(&self) -> Option<String> {
        self.deed.as_ref()?.params.last().map(|param| param.name.clone())
    }

    fn param(&mut self, name: &str, title: &str, ty: &str, domain: u32) {
        self.change(|deed| {
            let (name, title, type_) = (name.into(), title.into(), ty.into());
            deed.params.push(wit::Param { name, title, type_, domain });
        });
    }
}

/// The words for both. A reaction also gets the window.
macro_rules! words {
    ($deed:ident, $register:ident, $given:literal $(, $window:ident: $record:ty)?) => {
        impl<'r> $deed<'r> {
            pub(crate) fn new(rules: &'r mut Rules, id: &'static str) -> $deed<'r> {
                let made = Made::new(rules, id);
                $deed { rules, made }
            }

            /// What players call it.
            #[must_use]
            pub fn title(mut self, title: &str) -> Self {
                self.made.change(|deed| deed.title = title.into());
                self
            }

            /// A phase (of an action) or the window (of a reaction) at which it
            /// can be taken.
            #[must_use]
            pub fn at(mut self, at: &str) -> Self {
                self.made.change(|deed| deed.at.push(at.into()));
                self
            }

            /// The kind that acts, or a rule that lists who might.
            #[must_use]
            pub fn actor(mut self, kind: &str) -> Self {
                self.made.change(|deed| deed.actor = Some(kind.into()));
                self
            }

            /// The clauses that it carries out.
            #[must_use]
            pub fn cites(mut self, clauses: &'static [&'static str]) -> Self {
                self.made.cites = clauses;
                self
            }

            /// The phase cannot end before it.
            #[must_use]
            pub fn compulsory(mut self) -> Self {
                self.made.change(|deed| deed.compulsory = true);
                self
            }

            /// Its own events tell it, so that a report need not.
            #[must_use]
            pub fn told(mut self) -> Self {
                self.made.change(|deed| deed.told = true);
                self
            }

            #[doc = concat!("Whether somebody may, given ", $given, ".")]
            #[must_use]
            pub fn allowed(mut self, allowed: impl Fn(Game, Entity $(, $record)?) -> Verdict + 'static) -> Self {
                let number = self.rules.keep(move |game, (actor, $($window,)?): (Entity, $($record,)?)| {
                    allowed(game, actor $(, $window)?)
                });
                self.made.change(|deed| deed.allowed = Some(number));
                self
            }

            #[doc = concat!(
                "A parameter: what there is to choose, given ", $given, " and the earlier parameters; ",
                "`None` if it is not asked for."
            )]
            #[must_use]
            pub fn param(
                mut self,
                name: &str,
                title: &str,
                ty: &str,
                domain: impl Fn(Game, Entity, $($record,)? Record) -> Option<Domain> + 'static,
            ) -> Self {
                let number = self.rules.keep(
                    move |game, (actor, $($window,)? params): (Entity, $($record,)? Record)| {
                        domain(game, actor, $($window,)? params)
                    },
                );
                self.made.param(name, title, ty, number);
                self
            }

            /// To whom the last parameter is told: `all`, `owner` (the side
            /// that acts) or `nobody`; before the first, who learns what is
            /// done.
            #[must_use]
            pub fn audience(mut self, audience: &str) -> Self {
                let param = self.made.last_param().unwrap_or_default();
                self.made.audiences.push((param, audience.to_string()));
                self
            }

            /// What the last parameter gives away, by the printed rule, of what
            /// others may not see; before the first, what doing it does.
            #[must_use]
            pub fn reveals(mut self, what: &str) -> Self {
                let param = self.made.last_param().unwrap_or_default();
                self.made.reveals.push((param, what.to_string()));
                self
            }

            /// What it is worth to a greedy bot.
            #[must_use]
            pub fn score(mut self, score: impl Fn(Game, Entity, $($record,)? Record) -> i64 + 'static) -> Self {
                let number = self.rules.keep(
                    move |game, (actor, $($window,)? params): (Entity, $($record,)? Record)| {
                        score(game, actor, $($window,)? params)
                    },
                );
                self.made.change(|deed| deed.score = Some(number));
                self
            }

            /// Does it.
            #[track_caller]
            pub fn perform<R: Answer>(self, perform: impl Fn(Game, Entity, $($record,)? Record) -> R + 'static) {
                let $deed { rules, mut made } = self;
                let number = rules.keep(
                    move |game, (actor, $($window,)? params): (Entity, $($record,)? Record)| {
                        perform(game, actor, $($window,)? params)
                    },
                );
                made.change(|deed| deed.perform = number);
                if let Some(deed) = &made.deed {
                    wit::$register(deed, &origin_at(made.cites, Location::caller()));
                    for (param, audience) in &made.audiences {
                        wit::audience(&deed.id, param, audience);
                    }
                    for (param, what) in &made.reveals {
                        let id = if param.is_empty() { deed.id.clone() } else { format!("{}.{param}", deed.id) };
                        wit::reveals(&id, what);
                    }
                }
            }
        }
    };
}
words!(Action, action, "the actor");
words!(Reaction, reaction, "the actor and the window", window: Record);
