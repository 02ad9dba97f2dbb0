//! Stragglers.

use houserule_guest::prelude::*;

use crate::bindings::drill::fire::volley;
use crate::bindings::drill::kinds::Squad;

chapter!(echo.rally);

/// [fall_in] How many men may join a squad.
#[rule]
pub fn room(_game: &Reads, squad: Squad) -> i64 {
    missing(squad.strength())
}

/// What needs no game is a function like any, and is tested like any.
fn missing(strength: i64) -> i64 {
    (10 - strength).clamp(0, 3)
}

/// [fall_in] Fall in
#[action(at = volley, actor = Squad)]
mod fall_in {
    use super::*;

    pub fn allowed(game: &Reads, squad: Squad) -> Verdict {
        if squad.has_acted() {
            refuse!("it has acted");
        }
        if room(game, squad) == 0 {
            refuse!("it has no room");
        }
        Ok(())
    }

    /// How many?
    #[param]
    pub fn men(game: &Reads, squad: Squad) -> Domain<i64> {
        Domain::between(1, room(game, squad))
    }

    pub fn score(_game: &Reads, _squad: Squad, men: i64) -> i64 {
        men
    }

    pub fn perform(game: &Acts, squad: Squad, men: i64) {
        squad.set_has_acted(game, true);
        squad.set_strength(game, squad.strength() + men);
    }
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn three_men_at_most_fall_in() {
        assert_eq!([3, 8, 10].map(missing), [3, 2, 0]);
    }
}
