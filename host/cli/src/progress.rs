//! How far something has come that takes long, in one line of a terminal that is as narrow as it may be.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::globals::Format;
use crate::ui::Ui;

/// What stands beside a bar that counts games.
pub const GAMES: &str = "{pos} of {len} games, {per_sec}, {eta} left";
/// From here on a bar of its full length has room beside what is told.
const WIDE: usize = 90;
/// Below this what is told has no room either, but for the numbers.
const NARROW: usize = 60;

/// A bar that counts games, with their rate and the time that is left; hidden
/// where nobody looks.
pub fn bar(ui: &Ui, games: u64) -> ProgressBar {
    if ui.format != Format::Text || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(games);
    tells(&bar, GAMES);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Lets a bar tell this beside itself, as far as there is room.
pub fn tells(bar: &ProgressBar, text: &str) {
    let size = terminal_size::terminal_size_of(io::stderr());
    let columns = size.map_or(WIDE, |(width, _)| width.0.into());
    if let Ok(style) = ProgressStyle::with_template(&template(text, columns)) {
        bar.set_style(style);
    }
}

fn template(text: &str, columns: usize) -> String {
    match columns {
        WIDE.. => format!("{{bar:30.cyan}} {text}"),
        NARROW.. => format!("{{wide_bar:.cyan}} {text}"),
        _ => "{wide_bar:.cyan} {pos} of {len}".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal that keeps what is written.
    #[derive(Debug)]
    struct Paper {
        columns: u16,
        written: Arc<Mutex<String>>,
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            self.columns
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.written.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.written.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// How many columns a bar takes that has come as far as it can, in a terminal of some.
    fn taken(text: &str, columns: u16) -> usize {
        let written = Arc::new(Mutex::new(String::new()));
        let paper = Paper {
            columns,
            written: written.clone(),
        };
        let target = ProgressDrawTarget::term_like(Box::new(paper));
        let bar = ProgressBar::with_draw_target(Some(100_000), target);
        bar.set_message("without two");
        let style = ProgressStyle::with_template(&template(text, columns.into())).unwrap();
        bar.set_style(style);
        bar.set_position(99_999);
        bar.force_draw();
        let written = written.lock().unwrap();
        let bare = anstream::adapter::strip_str(&written).to_string();
        bare.trim_end().chars().count()
    }

    #[test]
    fn a_bar_stands_in_one_line() {
        for text in [
            GAMES,
            "{pos} of at most {len} tries, {msg} left",
            "{pos} of {len} {msg}, {eta} left",
        ] {
            for columns in [20, 30, 40, 59, 60, 80, 89, 90, 120] {
                let taken = taken(text, columns);
                assert!(
                    (10..=usize::from(columns)).contains(&taken),
                    "{text}: {taken} of {columns}"
                );
            }
        }
    }
}
