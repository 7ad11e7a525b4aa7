//! Who may ask: not a page of somebody else that the same browser shows.
//!
//! Such a page can have the browser send requests here. It can't set the header `Host`, which then has the
//! name that the page was loaded by: a name that somebody else has in their hands may lead to this machine
//! (DNS rebinding), but an address or `localhost` can't be theirs. Nor can it set `Origin` and
//! `Sec-Fetch-Site`, by which a request of another site is known. Where others can reach the server it
//! asks for a token too, which the browser keeps in a cookie that is sent along from its own pages alone.

use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HOST, ORIGIN};
use std::net::{IpAddr, SocketAddr};

/// What a request must have.
pub struct Guard {
    port: u16,
    names: Vec<String>,
    token: Option<String>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It came by a name that is not this server's.
    ForeignHost,
    /// A page of another site sent it.
    ForeignOrigin,
    /// It has no token, or a wrong one.
    Token,
}

impl Refusal {
    /// What to do about it.
    pub fn words(self) -> &'static str {
        match self {
            Refusal::ForeignHost => {
                "This server does not answer to that name. Use the address that `zug serve` printed; \
                 `--name NAME` adds a name."
            }
            Refusal::ForeignOrigin => "Pages of other sites may not use this server.",
            Refusal::Token => {
                "This page needs its token: open the whole address that `zug serve` printed."
            }
        }
    }
}

impl Guard {
    /// A guard of a server at an address, which may be called by these names too.
    pub fn new(address: SocketAddr, names: Vec<String>, token: Option<String>) -> Guard {
        Guard { port: address.port(), names, token }
    }

    /// Whether a request may be answered.
    ///
    /// # Errors
    /// Why not.
    pub fn admit(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.admit_without_token(headers)?;
        match &self.token {
            Some(token) if !self.has_token(headers, token) => Err(Refusal::Token),
            _ => Ok(()),
        }
    }

    /// The same of a request that shows its token otherwise.
    ///
    /// # Errors
    /// Why not.
    pub fn admit_without_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, HOST.as_str()).ok_or(Refusal::ForeignHost)?;
        if !self.is_own(host) {
            return Err(Refusal::ForeignHost);
        }
        let own = |origin: &str| origin.strip_prefix("http://").is_some_and(|from| from == host);
        if text(headers, ORIGIN.as_str()).is_some_and(|origin| !own(origin)) {
            return Err(Refusal::ForeignOrigin);
        }
        // A link on another page may lead to this one: that is a navigation, which reads nothing.
        let from = text(headers, "sec-fetch-site").unwrap_or("none");
        let navigates = text(headers, "sec-fetch-mode") == Some("navigate")
            && text(headers, "sec-fetch-dest") == Some("document");
        if !matches!(from, "none" | "same-origin") && !navigates {
            return Err(Refusal::ForeignOrigin);
        }
        Ok(())
    }

    /// The same of a frame that has no origin, for a page whose name nobody guesses.
    ///
    /// # Errors
    /// Why not.
    pub fn admit_framed(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, HOST.as_str()).unwrap_or_default();
        if self.is_own(host) { Ok(()) } else { Err(Refusal::ForeignHost) }
    }

    /// Whether a token is the one that is asked for.
    pub fn is_token(&self, given: &str) -> bool {
        self.token.as_deref().is_some_and(|token| same(token, given))
    }

    /// The name of the cookie: cookies know no ports.
    pub fn cookie(&self) -> String {
        format!("zug-{}", self.port)
    }

    fn has_token(&self, headers: &HeaderMap, token: &str) -> bool {
        let name = self.cookie();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|all| all.to_str().ok());
        let mut pairs =
            cookies.flat_map(|all| all.split(';')).filter_map(|one| one.split_once('='));
        pairs.any(|(key, value)| key.trim() == name && same(token, value.trim()))
    }

    /// Whether a value of `Host` is this server's, and nobody else's.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (host, None),
        };
        if port.map_or(Ok(80), str::parse) != Ok(self.port) {
            return false;
        }
        let address = name.trim_start_matches('[').trim_end_matches(']');
        let known = self.names.iter().any(|own| own.eq_ignore_ascii_case(name));
        name.eq_ignore_ascii_case("localhost") || known || address.parse::<IpAddr>().is_ok()
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Whether two texts are the same, in a time that does not tell how far they are.
fn same(a: &str, b: &str) -> bool {
    let differs = a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    a.len() == b.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(*name, value.parse().expect("a value"));
        }
        map
    }

    fn guard(token: Option<&str>) -> Guard {
        let address = "127.0.0.1:7000".parse().expect("an address");
        Guard::new(address, vec!["board.local".to_owned()], token.map(str::to_owned))
    }

    #[test]
    fn only_own_names_are_answered() {
        for host in ["localhost:7000", "127.0.0.1:7000", "[::1]:7000", "board.local:7000"] {
            assert!(guard(None).is_own(host), "{host}");
        }
        for host in
            ["evil.example:7000", "localhost", "localhost:80", "127.0.0.1.evil.example:7000", ""]
        {
            assert!(!guard(None).is_own(host), "{host}");
        }
        assert_eq!(guard(None).admit(&headers(&[])), Err(Refusal::ForeignHost));
    }

    #[test]
    fn other_sites_are_refused() {
        let own = ("host", "localhost:7000");
        let admit = |pairs: &[_]| guard(None).admit(&headers(pairs));
        assert_eq!(admit(&[own]), Ok(()));
        assert_eq!(admit(&[own, ("origin", "http://localhost:7000")]), Ok(()));
        for origin in
            ["http://localhost:7001", "https://localhost:7000", "null", "http://a.example"]
        {
            assert_eq!(admit(&[own, ("origin", origin)]), Err(Refusal::ForeignOrigin), "{origin}");
        }
        let fetched = [own, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")];
        assert_eq!(admit(&fetched), Err(Refusal::ForeignOrigin));
        let framed = [
            own,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "iframe"),
        ];
        assert_eq!(admit(&framed), Err(Refusal::ForeignOrigin));
        let link = [
            own,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert_eq!(admit(&link), Ok(()));
    }

    #[test]
    fn a_token_is_asked_for_where_there_is_one() {
        let own = ("host", "localhost:7000");
        let admit = |pairs: &[_]| guard(Some("secret")).admit(&headers(pairs));
        assert_eq!(admit(&[own]), Err(Refusal::Token));
        assert_eq!(admit(&[own, ("cookie", "zug-7000=secre")]), Err(Refusal::Token));
        assert_eq!(admit(&[own, ("cookie", "zug-7001=secret")]), Err(Refusal::Token));
        assert_eq!(admit(&[own, ("cookie", "other=1; zug-7000=secret")]), Ok(()));
        assert!(guard(Some("secret")).is_token("secret") && !guard(None).is_token(""));
    }
}
