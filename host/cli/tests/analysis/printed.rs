//! `houserule book`: the rules in force, printed.

use super::common::Scratch;

#[test]
fn the_book_is_that_of_the_rules_in_force() {
    let scratch = Scratch::new();
    let page = scratch.ok("book duel --format html").out;
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    for text in [
        "A shot hits on a 4 or more of a d6.",
        "Shake hands afterwards.",
        "12.0 in",
        "Shoot",
    ] {
        assert!(page.contains(text), "no `{text}` in\n{page}");
    }
    let without = scratch.ok("book duel --without duel.turn.manners").out;
    assert!(!without.contains("Shake hands"), "{without}");
    let with = scratch
        .ok("book duel --with snipers --option duel.fire.needed=6")
        .out;
    for line in [
        "## Options taken",
        "| Needed | 6 | 4 | What a shot needs. |",
        "| close | 8.0 in \\[1\\] |",
        "\\[1\\] Closer (snipers.aim.close)",
        "- **Sure.** Every shot hits. *(snipers.aim.sure, our club)*",
    ] {
        assert!(
            with.lines().any(|found| found == line),
            "no `{line}` in\n{with}"
        );
    }
    let json = scratch
        .ok("book duel --with snipers --format json")
        .document();
    assert_eq!(json["selector"], "duel snipers");
}

/// A game that measures in centimetres is printed in them, by every command that has no
/// table to go by.
#[test]
fn lengths_are_printed_as_they_were_written() {
    let scratch = Scratch::new();
    let mods = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    let asked = |line: &str| scratch.ok(&format!("{line} --mods {}", mods.display())).out;
    let book = asked("book netepic --option netepic.core.coherency=8cm --diff netepic");
    assert!(book.contains("~~6.0 cm~~ 8.0 cm"), "{book}");
    let rules = asked("rules netepic.stand.line-infantry");
    assert!(rules.contains("    move: 10.0 cm"), "{rules}");
    let inches = asked("rules dsii.fire.ranges");
    assert!(
        inches.contains(" in") && !inches.contains(" cm"),
        "{inches}"
    );
}

/// At the table nobody has to do with what runs by itself and is called nothing.
#[test]
fn a_phase_without_a_title_that_runs_by_itself_is_not_printed() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let sheet = scratch.ok("book yard --sheet --format md").out;
    assert!(sheet.contains("\n  - Volley "), "{sheet}");
    assert!(!sheet.contains("yard.turn."), "{sheet}");
    // Whoever writes rules finds it by its id, told once.
    let rules = scratch.ok("rules yard").out;
    assert!(
        rules.contains("  yard.turn.begin  (by itself)\n"),
        "{rules}"
    );
}

#[test]
fn a_book_that_cannot_be_written_says_so() {
    let scratch = Scratch::new();
    scratch
        .fails(1, "book duel --out nowhere/book.md")
        .says(&["cannot write nowhere/book.md: "]);
}

/// Whoever opens the book looks for rules: what nobody has changed stands in its chapter.
#[test]
fn options_as_usual_stand_in_their_chapters() {
    let scratch = Scratch::new();
    let book = scratch.ok("book duel").out;
    assert!(!book.contains("Options taken"), "{book}");
    let at = |text: &str| {
        book.find(text)
            .unwrap_or_else(|| panic!("no `{text}` in\n{book}"))
    };
    let option = at("| Needed | 4 |  | What a shot needs. |");
    let order = [
        at("Sequence of play"),
        at("### Fire"),
        at("Which range is close"),
        option,
        at("### Turn"),
    ];
    assert!(order.is_sorted(), "{order:?}");
}

/// Modifiers are read at the table: a word each, and not the sentence of the book again.
#[test]
fn modifiers_say_when_they_count_and_what_they_modify() {
    let scratch = Scratch::new();
    let rules = "mods/duel/rules/fire.luau";
    scratch.write(
        rules,
        &(scratch.read(rules)
            + "\n--- [hit] @open\nfunction duel.fire.lead(_game: Reads): Integer\n    return 0\nend\n\
               --- [hit] The die of a shot. @open\nfunction duel.fire.die(_game: Reads): Die\n    return rules.die(6)\nend\n"),
    );
    scratch.write(
        "mods/snipers/rules/lines.luau",
        "--!strict\nlocal over = require(\"@duel\").over\n\
         over.fire.lead:add(\"aim.sure\", 2)\n\
         over.fire.die:shift(\"aim.sure\", 1, \"a steady hand\", function(_game)\n    return true\nend)\n",
    );
    let book = scratch.ok("book duel --with snipers").out;
    for line in [
        "**Modifiers: Hit** *(duel.fire.lead)*",
        "| +2 | Sure | snipers.aim.sure |",
        "**Modifiers: The die of a shot** *(duel.fire.die)*",
        "| 1 up | a steady hand | snipers.aim.sure |",
    ] {
        assert!(
            book.lines().any(|found| found == line),
            "no `{line}` in\n{book}"
        );
    }
    let changes = scratch.ok("book duel --with snipers --diff duel").out;
    assert!(changes.contains("1 up (a steady hand)"), "{changes}");
}

#[test]
fn house_rules_are_printed_as_changes() {
    let scratch = Scratch::new();
    let changes = scratch
        .ok("book duel --with snipers --option duel.fire.needed=6 --diff duel")
        .out;
    for line in [
        "- **Needed (duel.fire.needed)**: ~~4~~ 6",
        "- **close: up to**: ~~12.0 in~~ 8.0 in *(snipers.aim.close)*",
        "- **Sure.** Every shot hits. *(snipers.aim.sure, our club)*",
    ] {
        assert!(
            changes.lines().any(|found| found == line),
            "no `{line}` in\n{changes}"
        );
    }
    assert!(!changes.contains("Shake hands"), "{changes}");
    let fewer = scratch
        .ok("book duel --without duel.turn.manners --diff duel")
        .out;
    assert!(fewer.contains("~~Shake hands afterwards.~~"), "{fewer}");
    scratch
        .ok("book duel --diff duel")
        .says(&["Nothing is different."]);
}

/// Options and tables of clauses that are off say nothing of the rules in force.
#[test]
fn what_belongs_to_clauses_that_are_off_is_not_printed() {
    let scratch = Scratch::new();
    scratch.edit(
        "mods/snipers/mod.ron",
        "    depends:",
        "    options: [Option(id: \"snipers.aim.eye\", title: \"Eye\", text: \"With which eye.\", type: \"left|right\", \
         default: \"left\", clause: \"snipers.aim.close\")],\n    depends:",
    );
    scratch.write(
        "mods/snipers/data/aim.ron",
        "[Table(id: \"snipers.aim.calm\", title: \"Calm\", on_sheet: true, cites: [], key: [(\"hour\", \"integer\")], \
         columns: [(\"breaths\", \"integer\")], rows: [{\"hour\": 6, \"breaths\": 9, \"cites\": [\"snipers.aim.close\"]}])]",
    );
    for more in ["", " --sheet", " --diff duel"] {
        let of = |with: &str| scratch.ok(&format!("book duel --with {with}{more}")).out;
        let (all, sure) = (of("snipers"), of("snipers.aim.sure"));
        assert!(all.contains("**Calm**"), "{all}");
        assert!(!sure.contains("Calm"), "{sure}");
        let has_options = more != " --sheet";
        assert_eq!(all.contains("Eye"), has_options, "{all}");
        assert!(!sure.contains("Eye"), "{sure}");
    }
}

#[test]
fn the_play_sheet_has_the_tables_that_are_put_on_it() {
    let scratch = Scratch::new();
    let sheet = scratch.ok("book duel --sheet").out;
    assert!(
        sheet.contains("Shoot") && !sheet.contains("Ranges"),
        "{sheet}"
    );
    scratch.edit(
        "mods/duel/data/guns.ron",
        "source: \"p. 2\",",
        "source: \"p. 2\", on_sheet: true,",
    );
    let sheet = scratch.ok("book duel --with snipers --sheet").out;
    assert!(
        sheet.contains("**Ranges**") && sheet.contains("8.0 in"),
        "{sheet}"
    );
    assert!(!sheet.contains("Shake hands"), "{sheet}");
}

#[test]
fn what_cannot_be_printed_is_said_plainly() {
    let scratch = Scratch::new();
    scratch
        .fails(2, "book")
        .says(&["expected a mod whose rules are printed"]);
    scratch
        .fails(1, "book dual")
        .says(&["did you mean `duel`?"]);
    scratch
        .fails(2, "book duel --out duel.pdf")
        .says(&["ends in `.html`, `.md` or `.json`"]);
    scratch
        .fails(1, "book duel --out nowhere/duel.html")
        .says(&["nowhere/duel.html"]);
    scratch.edit(
        "mods/duel/mod.ron",
        "Shake hands afterwards.",
        "Shake <script>alert(1)</script> & hands.",
    );
    scratch
        .ok("book duel --out duel.html")
        .says(&["wrote duel.html"]);
    let page = scratch.read("duel.html");
    assert!(
        page.contains("Shake &lt;script&gt;alert(1)&lt;/script&gt; &amp; hands."),
        "{page}"
    );
    assert!(!page.contains("<script>"));
}

/// Whoever plays by the page must know what lies in a pot and in a deck.
#[test]
fn pots_and_decks_stand_beside_their_clauses() {
    let scratch = Scratch::new();
    let deck = "Deck(id: \"snipers.aim.weathers\", title: \"Weather\", cites: [\"snipers.aim.sure\"], of: Side, cards: \
                {\"fog\": 2, \"sun\": 3})";
    let pot = "Pot(id: \"duel.turn.falls\", title: \"Who falls\", cites: [\"duel.fire.hit\"], chits: {\"lame\": 2, \
               \"well\": 4})";
    scratch.write("mods/snipers/data/decks.ron", &format!("[{deck}]"));
    scratch.write("mods/duel/data/pots.ron", &format!("[{pot}]"));
    let book = scratch.ok("book duel --with snipers").out;
    let place = |text: &str| book.find(text).unwrap_or_else(|| panic!("{text}: {book}"));
    for text in ["| lame | 2 |", "| well | 4 |", "| in all | 6 |"] {
        // With the clause that it cites, not in the chapter of its id.
        assert!(place("**Hit.**") < place(text) && place(text) < place("**In turn.**"));
    }
    assert!(place("Weather, one for each side") < place("| fog | 2 |"));
    let changes = scratch.ok("book duel --with snipers --diff duel").out;
    assert!(changes.contains("| sun | 3 |"), "{changes}");
    assert!(!changes.contains("lame"), "{changes}");
}
