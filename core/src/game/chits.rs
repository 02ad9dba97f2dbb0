//! Drawing chits.

use std::sync::Arc;

use super::{Effects, Game, known_fields};
use crate::audience::Audience;
use crate::chits::{ChitError, Drawn, Worths};
use crate::error::{Fault, FaultCode};
use crate::event::Cause;
use crate::value::{Name, Value};

impl Game {
    /// Draws chits: a handful that goes back at once, or (`keep`) for good. It
    /// is an event (`pot`, `chits`) for its audience, in a secret phase only
    /// for the side that draws.
    ///
    /// # Errors
    /// When the rule may not draw, the pot holds too few, or scripted chits do not fit.
    pub fn draw(
        &mut self,
        pot: &str,
        count: u32,
        keep: bool,
        audience: &Audience,
        cause: Cause,
    ) -> Result<Vec<Name>, Fault> {
        self.permit(Effects::DRAWS, "draws chits")?;
        if keep {
            self.not_in_secret("no chit may be kept")?;
        }
        known_fields("chits", audience, &["pot", "chits"])?;
        let mut state = self.pot(pot)?.clone();
        let mut draws = self.draws();
        let drawn = if keep {
            state.take(count, &mut draws)
        } else {
            state.draw_handful(count, &mut draws)
        };
        let drawn = drawn.map_err(bad_draw)?;
        let chits = drawn.iter().map(|drawn| drawn.chit.clone()).collect();
        if keep {
            Arc::make_mut(&mut self.pots).insert(Arc::from(pot), state);
        }
        self.tell_chits(pot, drawn, audience, cause);
        Ok(chits)
    }

    /// Draws chits that go back at once, and gives what they are worth together.
    /// It is told as [`Game::draw`] is.
    ///
    /// # Errors
    /// When the rule may not draw, the pot holds too few, or scripted chits do not fit.
    pub fn tally(
        &mut self,
        pot: &str,
        count: u32,
        worths: &Worths,
        audience: &Audience,
        cause: Cause,
    ) -> Result<Value, Fault> {
        self.permit(Effects::DRAWS, "draws chits")?;
        known_fields("chits", audience, &["pot", "chits"])?;
        let state = self.pot(pot)?.clone();
        let (drawn, sum) = state
            .tally(count, worths, &mut self.draws())
            .map_err(bad_draw)?;
        self.tell_chits(pot, drawn, audience, cause);
        Ok(sum)
    }

    /// Counts draws of chits, and tells of them.
    fn tell_chits(&mut self, pot: &str, drawn: Vec<Drawn>, audience: &Audience, mut cause: Cause) {
        let (first, count) = (self.flow.drawn + 1, drawn.len());
        self.running.draws += count as u32;
        self.flow.drawn += count as u32;
        self.note_draws(count);
        cause.draws = (count > 0).then_some((first, self.flow.drawn));
        let chits = Value::list(drawn.into_iter().map(|drawn| Value::Text(drawn.chit)));
        let fields = vec![("pot", Value::text(pot)), ("chits", chits)];
        self.announce_to("chits", fields, cause, audience);
    }

    /// Puts a chit that was kept back into its pot.
    ///
    /// # Errors
    /// When the rule may not draw, or none of these is out.
    pub fn put_back(&mut self, pot: &str, chit: &str) -> Result<(), Fault> {
        self.permit(Effects::DRAWS, "puts chits back")?;
        self.not_in_secret("no chit may be put back")?;
        let mut state = self.pot(pot)?.clone();
        state
            .put_back(chit)
            .map_err(|error| Fault::new(FaultCode::BadPot, error.to_string()))?;
        Arc::make_mut(&mut self.pots).insert(Arc::from(pot), state);
        Ok(())
    }
}

fn bad_draw(error: ChitError) -> Fault {
    let code = match error {
        ChitError::Chance(_) => FaultCode::ScriptedDice,
        ChitError::TooMuch => FaultCode::TooMuchMemory,
        ChitError::TooGreat => FaultCode::OutOfRange,
        _ => FaultCode::BadPot,
    };
    Fault::new(code, error.to_string())
}
