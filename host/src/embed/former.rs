//! The machine of the rules before those of now, in which the next are composed.

use std::rc::Rc;

use crate::modset::selector::Active;
use crate::rulebook::{Rulebook, WarmHost};
use crate::workshop::{ComposedRules, Workshop};

/// The rules that a reload has put out of force, and the mods that they are made
/// from. Once nobody needs them any more their machine is warm for the rules of
/// the next reload: of those only what was saved is loaded again.
#[derive(Default)]
pub(super) enum FormerRules {
    /// There are none, or they are of no use.
    #[default]
    None,
    /// Somebody may need them yet.
    Needed(Rc<Rulebook>, Rc<Workshop>),
    /// Their machine.
    Warm(Box<WarmHost>, Rc<Workshop>),
}

impl FormerRules {
    /// Makes the machine ready, now that nobody should need the rules.
    pub fn warm(&mut self) {
        *self = match std::mem::take(self) {
            FormerRules::Needed(rulebook, workshop) => match Rc::into_inner(rulebook) {
                Some(rulebook) => FormerRules::Warm(Box::new(rulebook.into_warm_host()), workshop),
                None => FormerRules::None,
            },
            other => other,
        };
    }

    /// The rules of these mods, composed in the machine, where that is of use.
    pub fn composed(self, workshop: &Workshop, chosen: &Active) -> Option<ComposedRules> {
        match self {
            FormerRules::Warm(machine, of) => workshop.compose_saved(*machine, &of, chosen),
            FormerRules::None | FormerRules::Needed(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU32, Ordering};

    use kernel::value::Value;

    use super::*;
    use crate::embed::{ReloadMode, Start, Tabletop};

    /// A folder that is removed at the end of the test.
    struct Yard(PathBuf);

    impl Drop for Yard {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const FILES: [&str; 4] = [
        "mod.ron",
        "data/duel.ron",
        "rules/duel.luau",
        "scenarios/yard.ron",
    ];

    fn duel() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/duel")
    }

    /// A copy of the duel of its own for each test.
    fn yard() -> Yard {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("houserule-former-{}-{next}", std::process::id());
        let yard = Yard(std::env::temp_dir().join(name));
        for file in FILES {
            let path = yard.0.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::copy(duel().join(file), path).unwrap();
        }
        yard
    }

    fn save(yard: &Yard, points: u32) {
        let path = yard.0.join("rules/duel.luau");
        let text = fs::read_to_string(&path).unwrap();
        let (before, rest) = text.split_once("points - ").unwrap();
        let (_, rest) = rest.split_once(" else").unwrap();
        fs::write(path, format!("{before}points - {points} else{rest}")).unwrap();
    }

    #[test]
    fn the_machine_of_the_rules_before_takes_the_next() {
        let yard = yard();
        let start = Start {
            scenario: "yard".into(),
            ..Start::default()
        };
        let mut table = Tabletop::start(std::slice::from_ref(&yard.0), &start).unwrap();
        assert!(!table.is_cold(), "nobody said that mods would change");
        table.expect_reloads().unwrap();
        table.warm_up();
        takes_a_save(&yard, &mut table, 2);
        let rules = yard.0.join("rules/duel.luau");
        let whole = fs::read_to_string(&rules).unwrap();
        fs::write(&rules, format!("{whole}\nlocal =\n")).unwrap();
        assert!(table.reload(ReloadMode::AsAlways, "referee").is_err());
        fs::write(&rules, whole).unwrap();
        assert!(table.is_cold(), "who was refused has lost the machine");
        table.warm_up();
        takes_a_save(&yard, &mut table, 3);
        for (points, past) in [(3, ReloadMode::AsAlways), (4, ReloadMode::FromNow)] {
            save(&yard, points);
            table.reload(past, "referee").unwrap();
            table.tidy();
            assert!(matches!(table.former, FormerRules::Warm(..)), "{past:?}");
        }
        takes_a_save(&yard, &mut table, 5);
    }

    #[test]
    fn a_default_that_is_set_back_counts_though_the_machine_had_it_before() {
        let yard = yard();
        let save = |default: u32| {
            let option = format!(
                r#"Option(id: "duel.core.reach", title: "Reach", text: "How far.", type: "integer", default: {default}, clause: "duel.core.far")"#
            );
            let clause = r#"Clause(id: "duel.core.far", title: "Far", text: "They reach far.", effect: Adds)"#;
            let groups = format!(
                r#"groups: [Group(id: "core", title: "Core", clauses: [{clause}])], options: [{option}]"#
            );
            let manifest = fs::read_to_string(duel().join("mod.ron")).unwrap();
            let manifest = manifest.replace("groups: []", &groups);
            fs::write(yard.0.join("mod.ron"), manifest).unwrap();
        };
        save(1);
        let start = Start {
            scenario: "yard".into(),
            ..Start::default()
        };
        let mut table = Tabletop::start(std::slice::from_ref(&yard.0), &start).unwrap();
        for default in [3, 1, 3] {
            save(default);
            table.reload(ReloadMode::AsAlways, "referee").unwrap();
            table.tidy();
            assert!(matches!(table.former, FormerRules::Warm(..)));
            let now = table.active.options.get("duel.core.reach");
            assert_eq!(now, Some(&Value::Int(default.into())));
        }
    }

    /// Whether the machine of before takes a save: only the file is run that was
    /// saved.
    fn takes_a_save(yard: &Yard, table: &mut Tabletop, points: u32) {
        save(yard, points);
        assert!(!table.is_cold());
        let now = table.mods_now();
        let former = std::mem::take(&mut table.former);
        let composed = former.composed(&now.workshop, &table.active);
        assert!(composed.is_some(), "for {points} points all was composed");
    }
}
