//! Questions to players.

use kernel::decision::{Domain, Question};
use kernel::error::{Fault, FaultCode};
use kernel::rules::Stop;
use kernel::value::Type;

use super::function::{Entry, Function, spec};
use super::types::{Answers, QuestionSpec};

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[&ASK];

/// What `@ask` is made of.
pub const ASK: Function<(QuestionSpec,), Answers> = Function {
    spec: spec(
        "@ask",
        "game.ask",
        &["question"],
        "Asks sides, all at once, and gives their answers in the order of the sides. F033 for more than 64 questions in a step, F045 for one without a possible answer.",
    )
    .asks("asks a player"),
    run: |call, (asking,)| {
        let bad = |message: String| Fault::new(FaultCode::BadQuestion, message);
        if !kernel::value::is_id(&asking.id) {
            return Err(bad(format!("expected the full id of a question, found `{}`", asking.id)));
        }
        let mut to = Vec::new();
        for (side, domain) in &asking.to {
            let domain = domain.fit(&Type::Any, format_args!("domain of `{}`", asking.id))?;
            to.push((call.side(side)?, Domain::from_value(&domain)?));
        }
        let (id, text, is_secret, about) = (asking.id, asking.text, asking.is_secret, asking.about);
        let reveals = asking.reveals.or_else(|| call.reveals());
        let answers = call.game.ask(Question { id, text, to, is_secret, about, reveals })?;
        if answers.is_none() {
            call.running.halt(Stop::Asked);
        }
        Ok(Answers(answers))
    },
};
