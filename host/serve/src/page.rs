//! The page: built files that are part of the program, so that a table needs
//! nothing else to be installed.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::response::IntoResponse;

/// Scripts and styles are ours alone, none stand in the page, and it talks to
/// nobody else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page.
pub struct PageFile {
    kind: &'static str,
    bytes: &'static [u8],
}

/// The page itself.
pub const INDEX: PageFile = PageFile {
    kind: "text/html; charset=utf-8",
    bytes: include_bytes!("../table/dist/index.html"),
};

/// What it does.
pub const SCRIPT: PageFile = PageFile {
    kind: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../table/dist/table.js"),
};

/// How it looks.
pub const STYLE: PageFile = PageFile {
    kind: "text/css; charset=utf-8",
    bytes: include_bytes!("../table/dist/table.css"),
};

impl IntoResponse for PageFile {
    fn into_response(self) -> axum::response::Response {
        let headers: [(HeaderName, HeaderValue); 5] = [
            (CONTENT_TYPE, HeaderValue::from_static(self.kind)),
            (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
        (headers, self.bytes).into_response()
    }
}
