use super::*;

fn one(source: &str) -> (MemberHeader, Vec<HeaderFault>) {
    let mut headers = read(source);
    assert_eq!(headers.all.len(), 1, "{headers:?}");
    (headers.all.remove(0), headers.slips)
}

const TOP: &str =
    "--!strict\nlocal dsii = require(\"@dsii\")\nlocal fire, over = dsii.fire, dsii.over\n";

fn rule(rest: &str) -> (HeaderSignature, Doc) {
    let (header, slips) = one(&format!("{TOP}{rest}"));
    assert!(slips.is_empty(), "{slips:?}");
    match header.what {
        HeaderKind::Rule(signature) => (signature, header.doc),
        other => panic!("{other:?}"),
    }
}

fn slips(rest: &str) -> Vec<String> {
    read(&format!("{TOP}{rest}"))
        .slips
        .into_iter()
        .map(|(line, (text, _))| format!("{line}: {text}"))
        .collect()
}

#[test]
fn a_header_is_the_signature_the_effect_the_clause_and_the_doc() {
    let (signature, doc) = rule(
        "type Element = dsii.Element\ntype Band = \"close\" | \"long\"\n\
         --- [firecon, dsii.design.oversize else nil] The firer's die,\n--- or nothing. @reveals(what it is)\n--- cites: moving\n\
         function fire.die(game: Reads, firer: Element, _band: Band, much: { [string]: Integer }): Die?\n    return nil\nend\n",
    );
    assert_eq!(
        signature.args,
        "firer: <dsii.Element>, band: close|long, much: map(integer)"
    );
    assert_eq!(
        (signature.returns.as_deref(), signature.count),
        (Some("die?"), 3)
    );
    assert_eq!(
        (signature.effects.as_str(), signature.is_step),
        ("reads", false)
    );
    assert_eq!(
        (doc.gates, doc.cites),
        (
            vec!["firecon".into(), "dsii.design.oversize".into()],
            vec!["moving".into()]
        )
    );
    assert_eq!(
        (doc.otherwise.as_deref(), doc.text.as_str()),
        (Some("nil"), "The firer's die, or nothing.")
    );
    assert_eq!(doc.reveals.as_deref(), Some("what it is"));
}

#[test]
fn the_handle_is_a_chain_and_tags_take_from_it() {
    assert_eq!(
        rule("function dsii.fire.roll(game: Draws): Integer\nend")
            .0
            .effects,
        "draws"
    );
    assert_eq!(
        rule("--- Marks. @never_draws\nfunction fire.mark(game: Writes)\nend")
            .0
            .effects,
        "writes"
    );
    let (step, _) =
        rule("function fire.shoot(_game: Acts, shots: { { read by: Entity, n: Integer? } })\nend");
    assert_eq!(
        (step.effects.as_str(), step.is_step),
        ("draws writes asks", true)
    );
    assert_eq!(step.args, "shots: list({by: entity, n: integer?})");
    assert!(
        rule("type Why = Reason?\nfunction fire.usable(game: Reads): Why\nend")
            .0
            .is_reason
    );
}

#[test]
fn what_is_no_member_of_a_chapter_is_passed_over() {
    let source = "local words = {}\nfunction words.of(x)\nend\nlocal function f() end\nover.fire.die:shift(1)\n\
                  local text = [[\nfunction fire.fake(x)\n]]\nfunction fire.die:method()\nend\n";
    assert_eq!(read(&format!("{TOP}{source}")).all, []);
    let (thing, _) = one(&format!(
        "{TOP}--- [declare] Fires.\nfire.shoot = rules.action {{\n}}\n"
    ));
    assert_eq!(
        (thing.what, thing.doc.gates),
        (HeaderKind::Thing, vec!["declare".to_string()])
    );
}

#[test]
fn every_fault_of_a_file_is_told_at_once() {
    assert_eq!(
        slips(
            "function fire.a(firer: Element): Integer\nend\nfunction fire.b(game: Reads, n: number, x)\nend\n\
             --- [Fire Con] Why. @stays\nfunction fire.c(game: Reads): (boolean, string?)\nend\n\
             function fire.d(game: Reads, x: { Integer)\nend\n"
        ),
        [
            "4: `fire.a`: expected the game first, `game: Reads`, `Draws`, `Writes` or `Acts`, found `firer` with `Element`",
            "6: `fire.b`: parameter `n`: expected a type of the game, found `number`",
            "6: `fire.b`: parameter `x`: expected a type, found none",
            "9: `fire.c`: expected the id of a clause in a doc comment, found `Fire Con`",
            "9: `fire.c`: expected a clause in the brackets of a doc comment, found none",
            "9: `fire.c`: unknown tag `@stays` in a doc comment",
            "9: `fire.c`: the result: expected one value, found several",
            "11: `fire.d`: parameter `x`: expected `}`, found `)`",
        ]
    );
}

#[test]
fn a_type_that_stands_for_itself_is_a_fault_and_no_loop() {
    assert_eq!(
        slips("type A = B\ntype B = A\nfunction fire.a(game: Reads, a: A)\nend\n"),
        ["6: `fire.a`: parameter `a`: expected a type that does not stand for itself"]
    );
}

#[test]
fn a_member_of_an_action_has_its_clauses_and_a_sentence() {
    let source = "function fire.shoot_allowed(game: Reads, firer: Entity): Reason?\nend\n\
         --- @reveals(the flash)\nfunction fire.shoot_perform(game: Acts, firer: Entity, params: any)\nend\n\
         --- [aim] What may be hit.\nfunction fire.shoot_target_domain(game: Reads, firer: Entity, params: any): Domain\nend\n\
         function fire.shooter(game: Reads): boolean\nend\n\
         --- [declare]\nfire.shoot = rules.action { title = \"Shoot\" }\n";
    let headers = read(&format!("{TOP}{source}"));
    assert!(headers.slips.is_empty());
    let of = |header: &MemberHeader| {
        (
            header.name.clone(),
            header.doc.gates.join(" "),
            header.doc.text.clone(),
        )
    };
    let read: Vec<(String, String, String)> = headers.all.iter().map(of).collect();
    let line = |name: &str, gates: &str, text: &str| {
        (name.to_string(), gates.to_string(), text.to_string())
    };
    assert_eq!(
        read,
        [
            line("shoot_allowed", "declare", "Why not `Shoot`, or nothing."),
            line("shoot_perform", "declare", "Does `Shoot`."),
            line("shoot_target_domain", "aim", "What may be hit."),
            line("shooter", "", ""),
            line("shoot", "declare", ""),
        ]
    );
    assert_eq!(headers.all[1].doc.reveals.as_deref(), Some("the flash"));
}
