//! What is turned away at the door: pages of others, hosts that are not us,
//! and clients that say too much.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// A client may say so much at once, and then [`PER_SECOND`].
const BURST: u32 = 200;

/// Messages a second, over time.
const PER_SECOND: u32 = 50;

/// The names under which a server is reached.
#[derive(Clone, Debug, Default)]
pub struct ServerNames(Vec<String>);

impl ServerNames {
    /// The names of this machine itself, with a port; and those that the host
    /// adds, as browsers write them: `table.example.org`, or with a port.
    pub fn of(port: u16, others: &[String]) -> ServerNames {
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        ServerNames(
            own.into_iter()
                .chain(others.iter().map(|name| name.to_ascii_lowercase()))
                .collect(),
        )
    }

    /// Whether a request is meant for us and, if it comes from a page, from one
    /// of ours: a foreign page cannot leave its origin out.
    pub fn admit(&self, headers: &HeaderMap) -> bool {
        let text =
            |value: &axum::http::HeaderValue| value.to_str().map(str::to_ascii_lowercase).ok();
        let is_own = |name: &str| self.0.iter().any(|own| own == name);
        let host = headers.get(HOST).and_then(text);
        let from = headers
            .get(ORIGIN)
            .map(|origin| text(origin).unwrap_or_default());
        let is_ours = |origin: &str| {
            let name = origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"));
            name.is_some_and(is_own)
        };
        host.is_some_and(|host| is_own(&host)) && from.is_none_or(|origin| is_ours(&origin))
    }
}

/// How much a client may say: a bucket that fills up again.
#[derive(Debug)]
pub struct Rate {
    left: u32,
    since: Instant,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate {
            left: BURST,
            since: Instant::now(),
        }
    }
}

impl Rate {
    /// Whether one more message is within bounds at this moment.
    pub fn admit(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.since);
        let more = (passed.as_millis() * u128::from(PER_SECOND) / 1_000) as u32;
        if more > 0 {
            self.left = self.left.saturating_add(more).min(BURST);
            self.since += Duration::from_millis(u64::from(more) * 1_000 / u64::from(PER_SECOND));
        }
        let is_in = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_in
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use axum::http::HeaderMap;

    use super::{BURST, Rate, ServerNames};

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_our_own_pages_and_programs_come_in() {
        let names = ServerNames::of(4717, &["Table.example.org".into()]);
        assert!(names.admit(&headers("127.0.0.1:4717", None)));
        assert!(names.admit(&headers("localhost:4717", Some("http://localhost:4717"))));
        assert!(names.admit(&headers(
            "table.example.org",
            Some("https://table.example.org")
        )));
        for origin in [
            "http://evil.example",
            "null",
            "",
            "http://localhost:4718",
            "file://",
            "localhost:4717",
        ] {
            assert!(
                !names.admit(&headers("localhost:4717", Some(origin))),
                "{origin}"
            );
        }
        assert!(
            !names.admit(&headers("evil.example", None)),
            "a name that points here is not ours"
        );
        assert!(!names.admit(&HeaderMap::new()));
    }

    #[test]
    fn who_says_too_much_waits() {
        let (mut rate, start) = (Rate::default(), Instant::now());
        let taken = (0..BURST + 50).filter(|_| rate.admit(start)).count();
        assert_eq!(taken as u32, BURST);
        assert!(!rate.admit(start + Duration::from_millis(10)));
        assert!(rate.admit(start + Duration::from_millis(40)));
        let later = start + Duration::from_secs(3_600);
        let again = (0..BURST + 50).filter(|_| rate.admit(later)).count();
        assert_eq!(
            again as u32, BURST,
            "it fills up to what it was, and no further"
        );
    }
}
