//! What can go wrong: a [`Refusal`] is said to a player, a [`Fault`] to the
//! author of a mod.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::nearest::closest;
use crate::value::{Mismatch, Name};

/// A move that the rules do not allow. The game goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What was refused: an action, an answer, an undo.
    pub what: String,
    /// Why, in words for the player.
    pub reason: String,
    /// The clause that gives the reason, or the rule where it carries out none;
    /// `None` where the reason is not one of the rules but of the table: it is
    /// not the side's go, a parameter is missing.
    pub clause: Option<Name>,
}

impl Refusal {
    /// A refusal of something for a reason.
    #[cold]
    pub fn new(what: impl Into<String>, reason: impl Into<String>) -> Refusal {
        Refusal {
            what: what.into(),
            reason: reason.into(),
            clause: None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.reason)?;
        self.clause
            .iter()
            .try_for_each(|clause| write!(f, " ({clause})"))
    }
}

macro_rules! codes {
    ($($variant:ident = $number:literal, $slug:literal, $doc:literal;)*) => {
        /// What sort of fault it is. A number never changes its meaning.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum FaultCode { $(#[doc = $doc] $variant = $number),* }

        impl FaultCode {
            /// Every code, by number.
            pub const ALL: &'static [FaultCode] = &[$(FaultCode::$variant),*];

            /// The short name, as in the page of the book about it.
            pub fn slug(self) -> &'static str {
                match self { $(FaultCode::$variant => $slug),* }
            }

            /// When it happens, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(FaultCode::$variant => $doc),* }
            }
        }
    };
}

codes! {
    Unreadable = 1, "unreadable", "A file cannot be read: missing, not UTF-8, too large, or a link that leads back to itself.";
    Syntax = 2, "syntax", "A file does not parse.";
    BadManifest = 3, "bad-manifest", "The manifest `mod.ron` says something that cannot be.";
    MissingDependency = 4, "missing-dependency", "A mod depends on a mod that is not there, or not in that version.";
    Cycle = 5, "cycle", "Mods, rules files or stated orders go round in a circle.";
    Conflict = 6, "conflict", "Two mods claim the same thing and no order between them is stated.";
    WrongOwner = 7, "wrong-owner", "A mod registers something under another mod's name.";
    Duplicate = 8, "duplicate", "Something is defined twice.";
    UnknownClause = 9, "unknown-clause", "A clause is cited or selected that no manifest lists.";
    UnknownMod = 10, "unknown-mod", "A mod or group is selected that is not there.";
    UnknownOption = 11, "unknown-option", "An option is read or set that no manifest lists.";
    UnknownKind = 12, "unknown-kind", "A kind of entity is named that no mod declares.";
    UnknownAttribute = 13, "unknown-attribute", "An attribute is read or written that the kind does not have.";
    UnknownEvent = 14, "unknown-event", "An event is emitted or listened to that no mod declares.";
    UnknownTable = 15, "unknown-table", "A table is named that no mod declares.";
    UnknownPhase = 16, "unknown-phase", "A phase is named that no mod declares.";
    UnknownWindow = 17, "unknown-window", "A window is named that no mod declares.";
    UnknownAction = 18, "unknown-action", "An action or reaction is named that no mod declares.";
    UnknownPot = 19, "unknown-pot", "A pot of chits or a deck of cards is named that no mod declares.";
    UnknownTemplate = 20, "unknown-template", "A scenario names a template that no mod has.";
    UnknownRule = 21, "unknown-rule", "A rule is called or wrapped that no mod defines.";
    WrongType = 22, "wrong-type", "A value has another type than its place asks for.";
    OutOfRange = 23, "out-of-range", "A number is outside the range of its place.";
    BadSignature = 24, "bad-signature", "A signature, type or set of effects does not parse.";
    BadRow = 25, "bad-row", "A row of a table is added that is there, amended that is not, or has the wrong columns.";
    BadReturn = 26, "bad-return", "A rule returned something else than its signature says.";
    NotAllowed = 27, "not-allowed", "A rule did something that its signature does not list: a write, a draw, a question.";
    HiddenRead = 28, "hidden-read", "A rule that answers for a side read what that side may not see.";
    Script = 29, "script", "A script raised an error.";
    TooLong = 30, "too-long", "A script ran past its instruction limit.";
    TooMuchMemory = 31, "too-much-memory", "A script used more memory than it may.";
    TooDeep = 32, "too-deep", "Calls went deeper than the limit.";
    TooManyQuestions = 33, "too-many-questions", "One step asked more than 64 questions.";
    TooManySteps = 34, "too-many-steps", "One input set off more steps than the limit.";
    NoSuchEntity = 35, "no-such-entity", "An entity was used that is not in the world.";
    NameTaken = 36, "name-taken", "An entity was made under a name that is in use.";
    BadDie = 37, "bad-die", "A die was shifted or rolled that cannot be.";
    BadPot = 38, "bad-pot", "A pot or a deck was asked for what it does not hold.";
    ScriptedDice = 39, "scripted-dice", "Scripted dice, chits or shuffles were missing, left over, or did not fit.";
    BadScenario = 40, "bad-scenario", "A scenario says something that cannot be.";
    BadJournal = 41, "bad-journal", "A journal was cut, changed, or belongs to other mods.";
    JournalBusy = 42, "journal-busy", "Another process writes this journal.";
    JournalUnwritten = 43, "journal-unwritten", "The journal could not be written, so the input was not taken.";
    HiddenState = 44, "hidden-state", "A script kept state of its own between two runs of one step.";
    BadQuestion = 45, "bad-question", "A question has no possible answer, or its domain is not one.";
    NotYours = 46, "not-yours", "In a secret phase something was written that the side does not own.";
    BadGeometry = 47, "bad-geometry", "A shape, length or point lies outside what the kernel can hold.";
    BadGolden = 48, "bad-golden", "A golden differs, is missing, or has no scenario.";
    BadCase = 49, "bad-case", "A case failed, or passes although its clause is off.";
    BadExport = 50, "bad-export", "A file is required that is not there or not exported.";
    BadComponent = 51, "bad-component", "A WebAssembly file of a mod is no component, or does not keep to the contract.";
    UnstatedReveal = 53, "unstated-reveal", "Something is told to more than may see what it rests on, and nothing says what it reveals.";
    OldJournal = 56, "old-journal", "A journal is in a format that this version does not play.";
    PlaysOtherwise = 57, "plays-otherwise", "A journal is played again, and a decision comes out otherwise than it was recorded.";
    TooSlow = 58, "too-slow", "The watchdog broke off what ran for two seconds, although all that it did was charged.";
    NoOrder = 59, "no-order", "A script walks through a table whose keys are tables, functions or points, which have no order.";
    Unreachable = 61, "unreachable", "A line of a script stands where nothing reaches it.";
    Swallowed = 62, "swallowed", "A wrap can answer without the rule under it, while another clause wraps the same rule.";
    Unused = 63, "unused", "A file that nothing reads, or a clause that no case cites.";
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F{:03}", *self as u16)
    }
}

/// Where in a mod's files a fault was met.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The mod.
    pub module: Name,
    /// The file inside the mod's folder.
    pub file: Name,
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
    /// The column, from 1; 0 where it is not known.
    pub column: u32,
}

impl Place {
    /// A place in a file of a mod.
    pub fn new(module: impl Into<Name>, file: impl Into<Name>, line: u32) -> Place {
        Place {
            module: module.into(),
            file: file.into(),
            line,
            column: 0,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.module.is_empty() {
            write!(f, "mod `{}`", self.module)?;
            if !self.file.is_empty() {
                f.write_str(", ")?;
            }
        }
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// A broken mod or file: what was expected, what was found, and where.
///
/// It is one word wide: whatever may fail gives one, and nearly always does not.
#[derive(Clone, PartialEq, Eq)]
pub struct Fault(Box<FaultText>);

/// What a [`Fault`] says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultText {
    /// What sort of fault.
    pub code: FaultCode,
    /// What was expected and what was found, lower case, no full stop.
    pub message: String,
    /// Where, if it is known.
    pub place: Option<Place>,
    /// The rule that was running.
    pub rule: Option<Name>,
    /// The clause that the function carries out in which it happened.
    pub clause: Option<Name>,
    /// The rule that called it, if another did.
    pub caller: Option<Name>,
    /// How to mend it, if we can guess.
    pub hint: Option<String>,
}

impl Deref for Fault {
    type Target = FaultText;

    fn deref(&self) -> &FaultText {
        &self.0
    }
}

impl DerefMut for Fault {
    fn deref_mut(&mut self) -> &mut FaultText {
        &mut self.0
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Fault {
    /// A fault whose place is not known yet.
    #[cold]
    pub fn new(code: FaultCode, message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultText {
            code,
            message: message.into(),
            place: None,
            rule: None,
            clause: None,
            caller: None,
            hint: None,
        }))
    }

    /// The same fault with its place, unless it has one.
    #[cold]
    #[must_use]
    pub fn at(mut self, place: Place) -> Fault {
        self.place.get_or_insert(place);
        self
    }

    /// The same fault with the rule that was running, unless it has one.
    #[cold]
    #[must_use]
    pub fn in_rule(mut self, rule: &Name) -> Fault {
        self.rule.get_or_insert_with(|| rule.clone());
        self
    }

    /// In what it happened, in words: the rule, the clause of its function, and
    /// which rule called it.
    pub fn within(&self) -> Option<String> {
        let mut text = format!("in rule `{}`", self.rule.as_ref()?);
        for (word, name) in [("for", &self.clause), ("called by", &self.caller)] {
            if let Some(name) = name {
                text.push_str(&format!(", {word} `{name}`"));
            }
        }
        Some(text)
    }

    /// The same fault with a hint.
    #[cold]
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }

    /// What was expected and what was found, alone.
    pub fn into_message(self) -> String {
        self.0.message
    }

    /// The same with how to mend it, if that is known, for one line.
    pub fn into_words(self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.into_message(),
        }
    }

    /// A value that does not fit its type.
    #[cold]
    pub fn mismatch(what: &str, mismatch: &Mismatch) -> Fault {
        let is_range =
            mismatch.expected.starts_with("integer ") && mismatch.found.starts_with("the integer ");
        let code = if is_range {
            FaultCode::OutOfRange
        } else {
            FaultCode::WrongType
        };
        let fault = Fault::new(code, format!("{what}: {mismatch}"));
        match meant(mismatch) {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }
}

/// What was meant by a text that does not fit, where that can be guessed.
fn meant(mismatch: &Mismatch) -> Option<String> {
    let text = mismatch.found.strip_prefix('`')?.strip_suffix('`')?;
    let expected = mismatch.expected.trim_end_matches('?');
    match expected {
        "length" => Some("a length is a number and its unit: `4in`, `2.5cm`".into()),
        "angle" => Some("an angle is a number and its unit: `30deg`".into()),
        _ if expected == "entity" || expected.starts_with("entity(") => {
            Some(format!("nothing that is set up here is called `{text}`"))
        }
        words => {
            let near = closest(text, words.split('|').filter(|word| *word != text))?;
            words
                .contains('|')
                .then(|| format!("did you mean `{near}`?"))
        }
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault {}", self.code)?;
        if let Some(place) = &self.place {
            write!(f, " in {place}")?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(within) = self.within() {
            write!(f, " ({within})")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}
