//! Play that is taken back where players agree on it.

use super::{play, yard};

/// Whoever asks may withdraw, whoever is asked reads what would go, and agrees or declines.
#[test]
fn what_is_asked_to_be_taken_back_is_read_and_declined_or_withdrawn() {
    let typed = "view red\nstrike rufus\nview blue\nyes\nundo no\nview red\nundo\nundo no\nundo no\nundo\nview blue\n\
                 undo no\nview red\nundo\nview blue\nlook\nundo\nview spectator\nundo no\nview referee\nhistory\nquit\n";
    let ran = play(
        &yard(),
        "--mods duel play yard --undo agreed --view red --no-journal",
        typed,
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let told = [
        "nobody asks for that any longer",
        "blue must agree, by the same word; `undo no` withdraws it",
        "withdrawn: nobody is asked any longer",
        "nobody asks for that any longer",
        "blue must agree",
        "red asks to take back:\n  Red: Strike — rufus",
        "\n  `undo` agrees, `undo no` declines\n",
        "declined: all stands as it was",
        "blue must agree",
        "red asks to take back:",
        "taken back; 0 decisions stand",
        "no: nobody asks you to take anything back",
    ];
    let mut rest = &*ran.out;
    for one in told {
        let (_, after) = rest
            .split_once(one)
            .unwrap_or_else(|| panic!("{one}: {}", ran.out));
        rest = after;
    }
    assert_eq!(
        ran.out.matches("red asks to take back").count(),
        2,
        "each is told once: {}",
        ran.out
    );
}
