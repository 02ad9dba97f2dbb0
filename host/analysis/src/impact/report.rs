//! What a house rule does, as a page for a forum: nothing on it is read from
//! anywhere else.

use rules::printable::markup;
use rules::printed::{Grid, Page, Piece, PrintedCell};

use super::chances::{MOST_RUNS, MOST_RUNS_OF_ONE};
use super::{Chances, Impact, MeasuredShift, ReplayOutcome};

/// The page of some house rules that were asked of together.
pub fn page(impacts: &[Impact]) -> Page {
    let subjects: Vec<&str> = impacts.iter().map(|one| &*one.subject).collect();
    let scenario = impacts
        .first()
        .map(|one| one.scenario[1].clone())
        .unwrap_or_default();
    let mut pieces = Vec::new();
    if impacts.len() > 1 {
        pieces.push(Piece::Heading {
            level: 1,
            text: "At a glance".into(),
        });
        pieces.push(Piece::Grid(glance(impacts)));
    }
    impacts.iter().for_each(|one| pieces.extend(of_one(one)));
    pieces.push(Piece::Heading {
        level: 1,
        text: "How this was counted".into(),
    });
    pieces.push(Piece::Words {
        text: method(impacts),
    });
    Page {
        title: format!("What {} does to {scenario}", subjects.join(", ")),
        // Of several the rules are told that all of them are held against.
        selector: match impacts {
            [] => String::new(),
            [one] => one.selectors[1].clone(),
            [one, ..] => one.selectors[0].clone(),
        },
        pieces,
    }
}

fn method(impacts: &[Impact]) -> String {
    let asked = impacts.first().map_or(1, |one| one.asked);
    let wider = match asked {
        0 | 1 => String::new(),
        many => format!(
            " {many} house rules were asked of at once, so each interval is widened until all of them \
             together hold 95 times in a hundred (Bonferroni)."
        ),
    };
    format!(
        "Each pair is two games of one seed, one without and one with the house rule, in which bots decide \
         afresh; a shift is the mean of what differs within the pairs. The interval beside it holds the truth \
         95 times in a hundred, for shares after Agresti and Min, for means by Student's distribution; where it \
         does not reach over nothing, chance alone would hardly do it. Of each line of a table of means it is \
         asked whether it shifted, also of those too unsure to be shown, so these intervals are widened until all \
         of a table together hold 95 times in a hundred (Bonferroni); and where so few pairs differ that all of \
         them may fall the same way by chance, they reach to nothing. Bots stand for players \
         of one kind: people may make more of a rule, or less.{wider}"
    )
}

fn of_one(one: &Impact) -> Vec<Piece> {
    let mut pieces = vec![
        Piece::Heading {
            level: 1,
            text: format!("{} in {}", one.subject, one.scenario[1]),
        },
        Piece::Words {
            text: in_words(one),
        },
    ];
    // Where no pair differs the words have said it all.
    if one.differing > 0 {
        pieces.extend(shifts(one));
    }
    pieces.extend(past(&one.past));
    pieces.extend(one.chances.iter().map(|chances| Piece::Grid(odds(chances))));
    pieces.extend(uncounted(one));
    for (seed, fault) in &one.broken {
        pieces.push(Piece::Words {
            text: format!("The game of seed {seed} broke off: {fault}"),
        });
    }
    pieces
}

/// What shifted from without it to with it.
fn shifts(one: &Impact) -> Vec<Piece> {
    let mut pieces = vec![
        Piece::Grid(shares("Who wins", &one.wins)),
        Piece::Picture {
            svg: plot(&one.wins),
            text: "Shares of wins without and with it".into(),
        },
        Piece::Grid(means(
            "How long games last, and how they end",
            &one.measures,
        )),
    ];
    if !one.happenings.is_empty() {
        pieces.push(Piece::Grid(means(
            "What is done and what happens in a game",
            &one.happenings,
        )));
    }
    pieces
}

/// Actions whose odds would have been too much to count.
fn uncounted(one: &Impact) -> Option<Piece> {
    let (last, others) = one.uncounted.split_last()?;
    let others: Vec<&str> = others.iter().map(|id| &**id).collect();
    let all = match others.len() {
        0 => last.to_string(),
        _ => format!("{} and {last}", others.join(", ")),
    };
    Some(Piece::Words {
        text: format!(
            "Whether the odds of {all} are others was not counted to its end: for all odds together there are \
             {MOST_RUNS} runs of steps, for those of one action {MOST_RUNS_OF_ONE}."
        ),
    })
}

/// How many pairs were played, and under which seeds; of how many, if it was stopped.
fn pairs_in_words(one: &Impact) -> String {
    let pairs = if one.pairs == 0 {
        one.played
    } else {
        one.pairs
    };
    let word = if pairs == 1 { "pair" } else { "pairs" };
    let seeds = match one.played {
        0 | 1 => format!("seed {}", one.seed),
        some => format!("seeds {} to {}", one.seed, one.seed.wrapping_add(some - 1)),
    };
    let stopped = match one.is_stopped() {
        true => format!(" It was stopped after {} of {}.", one.played, one.wanted),
        false => String::new(),
    };
    let broke = match one.played - one.pairs {
        0 => String::new(),
        _ if one.pairs == 0 => {
            " In each of them a game broke off, so that nothing can be told.".to_string()
        }
        1 => " In one more a game broke off.".to_string(),
        many => format!(" In {many} more a game broke off."),
    };
    format!("{pairs} {word} of games, {seeds}.{stopped}{broke}")
}

/// The first sentences: what a reader wants to know at once.
pub fn in_words(one: &Impact) -> String {
    let played = pairs_in_words(one);
    if one.pairs == 0 && one.played > 0 {
        return played;
    }
    let differ = match one.differing {
        0 => " Not one of them differs: who wins, how long games last and what happens in them is the same \
              with it."
            .to_string(),
        some => format!(
            " {some} {}, and {} won by somebody else.",
            if some == 1 { "differs" } else { "differ" },
            match one.turned {
                0 => "none was".to_string(),
                1 => "1 was".to_string(),
                many => format!("{many} were"),
            }
        ),
    };
    let sure: Vec<String> = one
        .wins
        .iter()
        .filter(|shift| shift.is_sure())
        .map(shifted)
        .collect();
    let sure = match (one.differing, sure.is_empty()) {
        (0, _) => String::new(),
        (_, true) => " No side can be said to win more often.".to_string(),
        (_, false) => format!(" {}.", sure.join("; ")),
    };
    played + &differ + &sure
}

fn shifted(shift: &MeasuredShift) -> String {
    let more = if shift.after > shift.before {
        "more"
    } else {
        "less"
    };
    let MeasuredShift {
        name,
        before,
        after,
        ..
    } = shift;
    format!(
        "{name} wins {more} often: {} of the games for {}",
        percent(*after),
        percent(*before)
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn points(shift: f64) -> String {
    format!("{:+.1}", shift * 100.0)
}

fn grid(title: &str, head: &[&str], rows: Vec<Vec<String>>) -> Grid {
    let cells = |row: Vec<String>| {
        row.into_iter()
            .map(|text| PrintedCell { text, note: None })
            .collect()
    };
    Grid {
        id: String::new(),
        title: title.to_string(),
        source: String::new(),
        head: head.iter().map(ToString::to_string).collect(),
        keys: 1,
        rows: rows.into_iter().map(cells).collect(),
        notes: Vec::new(),
    }
}

const HEAD: [&str; 5] = ["", "without", "with", "shift", "95 % interval"];

fn shares(title: &str, shifts: &[MeasuredShift]) -> Grid {
    let row = |shift: &MeasuredShift| {
        let interval = format!(
            "{} to {}",
            points(shift.interval.low),
            points(shift.interval.high)
        );
        let by = points(shift.after - shift.before);
        vec![
            shift.name.clone(),
            percent(shift.before),
            percent(shift.after),
            by,
            marked(interval, shift),
        ]
    };
    grid(title, &HEAD, shifts.iter().map(row).collect())
}

fn means(title: &str, shifts: &[MeasuredShift]) -> Grid {
    let row = |shift: &MeasuredShift| {
        let interval = match shift.interval.high < f64::MAX {
            true => format!("{:+.2} to {:+.2}", shift.interval.low, shift.interval.high),
            false => "unknown".into(),
        };
        let by = format!("{:+.2}", shift.after - shift.before);
        let (before, after) = (
            format!("{:.2}", shift.before),
            format!("{:.2}", shift.after),
        );
        vec![
            shift.name.clone(),
            before,
            after,
            by,
            marked(interval, shift),
        ]
    };
    grid(title, &HEAD, shifts.iter().map(row).collect())
}

/// An interval, with a sign where it is sure that something shifted.
fn marked(interval: String, shift: &MeasuredShift) -> String {
    if shift.is_sure() {
        format!("{interval}, sure")
    } else {
        interval
    }
}

/// A line for each of several house rules: what each does to wins and length.
fn glance(impacts: &[Impact]) -> Grid {
    let row = |one: &Impact| {
        let surest = one
            .wins
            .iter()
            .max_by(|a, b| a.sureness().total_cmp(&b.sureness()));
        let wins = surest.map_or_else(String::new, |shift| {
            let interval = format!(
                "{} to {}",
                points(shift.interval.low),
                points(shift.interval.high)
            );
            format!(
                "{} {} ({})",
                shift.name,
                points(shift.after - shift.before),
                marked(interval, shift)
            )
        });
        let length = one.measures.first().map_or_else(String::new, |shift| {
            format!("{:+.2}", shift.after - shift.before)
        });
        let [wins, length] = match (one.pairs, one.differing) {
            (1.., 0) => ["the same".into(), "the same".into()],
            _ => [wins, length],
        };
        let [pairs, differ, turned] =
            [one.pairs, one.differing, one.turned].map(|count| count.to_string());
        vec![one.subject.clone(), pairs, differ, turned, wins, length]
    };
    let head = [
        "",
        "pairs",
        "differ",
        "won by another",
        "wins, in points",
        "decisions",
    ];
    grid("All of them", &head, impacts.iter().map(row).collect())
}

fn past(all: &[ReplayOutcome]) -> Vec<Piece> {
    if all.is_empty() {
        return Vec::new();
    }
    let refused: Vec<&ReplayOutcome> = all.iter().filter(|past| past.refused.is_some()).collect();
    let text = match refused.len() {
        0 => format!(
            "All decisions of {} games that were played without it can be made with it too.",
            all.len()
        ),
        some => format!(
            "{} games that were played without it were made again with it; in {some} of them a decision cannot \
             be made any more.",
            all.len()
        ),
    };
    let row = |past: &&ReplayOutcome| {
        let refused = past.refused.as_ref()?;
        let place = format!("{} of {}", refused.decision, past.decisions);
        Some(vec![
            past.of.clone(),
            place,
            refused.words.clone(),
            refused.reason.clone(),
        ])
    };
    let rows: Vec<Vec<String>> = refused.iter().filter_map(row).collect();
    let mut pieces = vec![Piece::Words { text }];
    if !rows.is_empty() {
        let head = ["game", "decision", "what", "why not"];
        pieces.push(Piece::Grid(grid(
            "Decisions that became illegal",
            &head,
            rows,
        )));
    }
    pieces
}

fn odds(chances: &Chances) -> Grid {
    let rows = chances
        .told
        .iter()
        .zip(&chances.outcomes)
        .map(|(text, (_, [was, is]))| vec![text.clone(), was.clone(), is.clone()]);
    let title = format!(
        "Odds of decision {} of seed {}: {}",
        chances.decision, chances.seed, chances.words
    );
    let mut grid = grid(&title, &[&chances.by, "without", "with"], rows.collect());
    grid.notes = vec![chances.how.clone()];
    grid
}

/// Two bars for each side, without and with the house rule, and the interval of
/// the shift.
fn plot(shifts: &[MeasuredShift]) -> String {
    const ROW: usize = 54;
    const LEFT: f64 = 120.0;
    const WIDE: f64 = 420.0;
    let height = ROW * shifts.len() + 30;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 {height}\" width=\"660\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"660\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (place, shift) in shifts.iter().enumerate() {
        let y = place * ROW + 12;
        let x = |share: f64| LEFT + share.clamp(0.0, 1.0) * WIDE;
        let bar = |y: usize, share: f64, colour: &str| {
            format!(
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{:.1}\" height=\"14\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{}\">{}</text>\n",
                share * WIDE,
                x(share) + 60.0,
                y + 12,
                percent(share)
            )
        };
        svg += &format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
            LEFT - 8.0,
            y + 20,
            markup(&shift.name)
        );
        svg += &bar(y, shift.before, "#9aa7b8");
        svg += &bar(y + 16, shift.after, "#2f5f93");
        let (low, high) = (
            x(shift.before + shift.interval.low),
            x(shift.before + shift.interval.high),
        );
        svg += &format!(
            "<path d=\"M{low:.1} {0}H{high:.1}M{low:.1} {1}v8M{high:.1} {1}v8\" stroke=\"#111\" fill=\"none\"/>\n",
            y + 23,
            y + 19
        );
    }
    let y = height - 8;
    svg += &format!(
        "<rect x=\"{LEFT}\" y=\"{0}\" width=\"10\" height=\"10\" fill=\"#9aa7b8\"/><text x=\"135\" y=\"{y}\">without</text>\
         <rect x=\"200\" y=\"{0}\" width=\"10\" height=\"10\" fill=\"#2f5f93\"/><text x=\"215\" y=\"{y}\">with, and the \
         95 % interval of the shift</text>\n</svg>\n",
        y - 10
    );
    svg
}
