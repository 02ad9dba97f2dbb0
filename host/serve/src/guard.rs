//! What is turned away at the door: pages of others, hosts that are not us,
//! and clients that say too much.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;

/// A client may say so much at once, and then [`PER_SECOND`].
const BURST: u32 = 200;

/// Messages a second, over time.
const PER_SECOND: u32 = 50;

/// The names under which a server is reached.
#[derive(Clone, Debug, Default)]
pub struct ServerNames(Vec<String>);

impl ServerNames {
    /// The names of this machine itself, with a port; and those that the host
    /// adds, each as [`server_name`] has read it: `table.example.org`, which is meant
    /// with the same port and with that of the web, or one with another port.
    pub fn of(port: u16, others: &[String]) -> ServerNames {
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let mut names = own.to_vec();
        for name in others {
            names.push(with_port(name, port));
            names.push(name.clone());
        }
        ServerNames(names)
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

/// Reads a name under which a server is reached, as browsers write it: a name or an address, and a port where it is
/// neither the server's nor that of the web.
///
/// # Errors
/// What is no such name, with what one looks like.
pub fn server_name(text: &str) -> Result<String, String> {
    let is_name = text.parse::<Authority>().is_ok_and(|name| {
        // An address of many parts has colons of its own, in brackets.
        let after = text.rsplit(']').next().unwrap_or_default();
        let has_bad_port = after.contains(':') && name.port_u16().is_none();
        !name.host().is_empty() && !text.contains('@') && !has_bad_port
    });
    match is_name {
        true => Ok(text.to_ascii_lowercase()),
        false => Err("expected a name such as `table.example.org`, or one with a port: `table.example.org:8080`".into()),
    }
}

/// A name of a server with a port: its own, or else this one.
pub fn with_port(name: &str, port: u16) -> String {
    let has_port = name
        .parse::<Authority>()
        .is_ok_and(|name| name.port().is_some());
    match has_port {
        true => name.to_string(),
        false => format!("{name}:{port}"),
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
    /// Whether so many more messages are within bounds at this moment.
    pub fn admit(&mut self, messages: u32, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.since);
        let more = (passed.as_millis() * u128::from(PER_SECOND) / 1_000) as u32;
        if more > 0 {
            self.left = self.left.saturating_add(more).min(BURST);
            self.since += Duration::from_millis(u64::from(more) * 1_000 / u64::from(PER_SECOND));
        }
        let is_in = self.left >= messages;
        self.left = self.left.saturating_sub(messages);
        is_in
    }

    /// Whether it is as one of which nothing was said yet.
    fn is_full(&mut self, now: Instant) -> bool {
        self.admit(0, now);
        self.left == BURST
    }
}

/// So many are counted before those are forgotten who have said nothing for a while.
const MOST_COUNTED: usize = 1_024;

/// How much each of several clients may say. What is remembered of them does not grow
/// with how many there ever were: who has said nothing for as long as a bucket takes to
/// fill is as one who never came.
#[derive(Debug)]
pub struct Rates<K>(Mutex<BTreeMap<K, Rate>>);

impl<K: Ord> Default for Rates<K> {
    fn default() -> Rates<K> {
        Rates(Mutex::default())
    }
}

impl<K: Ord> Rates<K> {
    /// Whether so many more messages of one of them are within bounds now.
    pub fn admit(&self, who: K, messages: u32) -> bool {
        self.admit_at(who, messages, Instant::now())
    }

    fn admit_at(&self, who: K, messages: u32, now: Instant) -> bool {
        // Whoever panicked has left a whole rate.
        let mut rates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rates.len() >= MOST_COUNTED {
            rates.retain(|_, rate| !rate.is_full(now));
        }
        rates.entry(who).or_default().admit(messages, now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use axum::http::HeaderMap;

    use super::{BURST, MOST_COUNTED, Rate, Rates, ServerNames, server_name};

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
        let given = ["Table.example.org", "other.example.org:8080"];
        let names = given.map(|name| server_name(name).unwrap());
        let names = ServerNames::of(4717, &names);
        assert!(names.admit(&headers("127.0.0.1:4717", None)));
        assert!(names.admit(&headers("localhost:4717", Some("http://localhost:4717"))));
        assert!(names.admit(&headers(
            "table.example.org",
            Some("https://table.example.org")
        )));
        assert!(names.admit(&headers("table.example.org:4717", None)));
        assert!(names.admit(&headers("other.example.org:8080", None)));
        assert!(!names.admit(&headers("other.example.org", None)));
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
    fn what_no_browser_writes_is_no_name() {
        for wrong in ["", "a/b", "http://a", "me@a", "a b", ":80", "a:", "a:99999"] {
            assert!(server_name(wrong).is_err(), "{wrong}");
        }
        assert_eq!(server_name("[FE80::1]:80"), Ok("[fe80::1]:80".into()));
    }

    #[test]
    fn who_says_too_much_waits() {
        let (mut rate, start) = (Rate::default(), Instant::now());
        let taken = (0..BURST + 50).filter(|_| rate.admit(1, start)).count();
        assert_eq!(taken as u32, BURST);
        assert!(!rate.admit(1, start + Duration::from_millis(10)));
        assert!(rate.admit(1, start + Duration::from_millis(40)));
        assert!(
            !rate.admit(60, start + Duration::from_millis(1_040)),
            "a batch is many"
        );
        let later = start + Duration::from_secs(3_600);
        let again = (0..BURST + 50).filter(|_| rate.admit(1, later)).count();
        assert_eq!(
            again as u32, BURST,
            "it fills up to what it was, and no further"
        );
    }

    #[test]
    fn who_has_said_nothing_for_a_while_is_forgotten() {
        let (rates, start) = (Rates::default(), Instant::now());
        let later = start + Duration::from_secs(60);
        for who in 0..3 * MOST_COUNTED {
            assert!(rates.admit_at(who, 1, start), "{who}");
        }
        assert!(rates.admit_at(0, BURST, later));
        for who in 1..3 * MOST_COUNTED {
            assert!(rates.admit_at(who, 1, later));
        }
        assert!(rates.0.lock().unwrap().len() <= 3 * MOST_COUNTED);
        assert!(!rates.admit_at(0, 1, later), "who speaks is not forgotten");
        let end = later + Duration::from_secs(60);
        assert!(rates.admit_at(0, 1, end));
        assert_eq!(rates.0.lock().unwrap().len(), 1);
    }
}
