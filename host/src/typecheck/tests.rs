use std::path::PathBuf;

use super::*;

fn workshop() -> Workshop {
    let mods = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../mods");
    let (workshop, faults) = Workshop::open(&[mods]);
    assert_eq!(faults, []);
    workshop
}

fn shown(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{}: {}", finding.place, finding.message)).collect()
}

#[test]
fn the_rules_of_the_games_are_well_typed() {
    let workshop = workshop();
    for id in ["dsii", "iceburg"] {
        let found = shown(&typecheck(&workshop, &Name::from(id)));
        println!("{id} {}\n{}", found.len(), found.join("\n"));
    }
}
