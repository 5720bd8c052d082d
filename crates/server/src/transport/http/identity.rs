//! Identifies the sender of a request by cookie or token.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ApiError, ErrorCode};
use store::Account;

use super::{
    AppState,
    client::Client,
    error::{HttpError, Result},
};
use crate::auth::{Accounts, Identity, Principal};

/// As long as browsers keep a cookie: without the cookie, a guest loses its seats.
const GUEST_AGE_S: u64 = 400 * 24 * 60 * 60;
const SESSION_AGE_S: u64 = 90 * 24 * 60 * 60;

/// Our cookies.
#[derive(Clone, Copy)]
pub(super) enum Cookie {
    Guest,
    Session,
}

impl Cookie {
    /// The prefix keeps other hosts and connections without TLS from setting the cookie.
    fn name(self, secure: bool) -> &'static str {
        match (self, secure) {
            (Self::Guest, false) => "alinea-guest",
            (Self::Guest, true) => "__Host-alinea-guest",
            (Self::Session, false) => "alinea-session",
            (Self::Session, true) => "__Host-alinea-session",
        }
    }

    fn read(self, headers: &HeaderMap, secure: bool) -> Option<&str> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies =
            cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        cookies.find(|&(name, _)| name == self.name(secure)).map(|(_, value)| value)
    }

    pub(super) fn set(self, value: &str, client: Client) -> HeaderValue {
        let age = match self {
            Self::Guest => GUEST_AGE_S,
            Self::Session => SESSION_AGE_S,
        };
        self.write(value, age, client)
    }

    pub(super) fn clear(self, client: Client) -> HeaderValue {
        self.write("", 0, client)
    }

    fn write(self, value: &str, age: u64, client: Client) -> HeaderValue {
        let name = self.name(client.secure);
        let site = match client {
            // Kept apart from the cookies of our own pages. Browsers accept it over TLS and from this machine.
            Client { is_foreign: true, .. } => "SameSite=None; Secure; Partitioned",
            Client { secure: true, .. } => "SameSite=Lax; Secure",
            _ => "SameSite=Lax",
        };
        let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; {site}");
        text.try_into().expect("tokens consist of letters, digits and dots")
    }
}

/// The identity behind a request, and the cookie to set if it is a new guest.
pub(crate) async fn identify(
    state: &AppState,
    headers: &HeaderMap,
    client: Client,
) -> std::result::Result<(Identity, Option<HeaderValue>), ApiError> {
    let identified = read_identity(&state.accounts, headers, client).await;
    if let Ok((identity, _)) = &identified {
        state.operations.check(client.address, &Principal::from(identity).ids)?;
    }
    if let Ok((identity, _)) = &identified
        && let Some(id) = identity.id()
    {
        state.addresses.note(id, client.share);
    }
    identified
}

async fn read_identity(
    accounts: &Accounts,
    headers: &HeaderMap,
    client: Client,
) -> std::result::Result<(Identity, Option<HeaderValue>), ApiError> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let token = value.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        let token = token.ok_or_else(|| {
            ErrorCode::SignInFirst.because("expected a header “Authorization: Bearer TOKEN”")
        })?;
        let program = accounts.bearer(token.trim()).await?;
        let program =
            program.ok_or_else(|| ErrorCode::SignInFirst.because("the token is unknown or was revoked"))?;
        return Ok((program, None));
    }
    let guest = Cookie::Guest.read(headers, client.secure).and_then(|cookie| accounts.guest(cookie));
    let account = match Cookie::Session.read(headers, client.secure) {
        Some(token) => accounts.session(token).await?,
        None => None,
    };
    Ok(match (account, guest) {
        // Seats that the guest took before signing in remain theirs.
        (Some(account), guest) => (Identity { guest: guest.and_then(|guest| guest.guest), ..account }, None),
        (None, Some(guest)) => (guest, None),
        (None, None) => {
            let (guest, cookie) = accounts.new_guest();
            (guest, Some(Cookie::Guest.set(&cookie, client)))
        }
    })
}

/// Identifies the sender of a request, and sets a cookie for a new guest.
pub(super) async fn require(
    State(state): State<Arc<AppState>>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<Client>().copied().unwrap_or(Client::UNKNOWN);
    let (identity, cookie) = match identify(&state, request.headers(), client).await {
        Ok(known) => known,
        Err(error) => return HttpError(error).into_response(),
    };
    let is_bot = request.headers().contains_key(header::AUTHORIZATION);
    let principal = Arc::new(Principal::from(&identity));
    request.extensions_mut().insert(Caller { principal, identity, is_bot });
    let mut response = next.run(request).await;
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    // The response depends on the identity.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The sender of a request.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) principal: Arc<Principal>,
    pub(super) identity: Identity,
    /// Authenticated by a token instead of a session.
    pub(super) is_bot: bool,
}

impl Caller {
    /// The session or token that the request came with.
    pub(super) fn session(&self) -> Option<String> {
        self.identity.session.clone()
    }

    /// The account, if there is one.
    pub(super) fn account(&self) -> Result<&Account> {
        let account = self.identity.account.as_ref();
        account.ok_or_else(|| ErrorCode::SignInFirst.because("sign in first").into())
    }

    /// The account of a person: a bot may play for an account, but not manage it.
    pub(super) fn person(&self) -> Result<&Account> {
        if self.is_bot {
            return Err(ErrorCode::NotAllowed.because("bots cannot manage accounts").into());
        }
        self.account()
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let caller = parts.extensions.get::<Self>().cloned();
        caller.ok_or_else(|| ErrorCode::Broken.because("internal server error").into())
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or(Self::UNKNOWN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_hidden_from_scripts_and_other_sites() {
        let over_tls = Client { secure: true, ..Client::UNKNOWN };
        let plain = Cookie::Session.set("abc", Client::UNKNOWN);
        assert_eq!(plain, "alinea-session=abc; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax");
        let secure = Cookie::Guest.set("g.1.2", over_tls);
        let secure = secure.to_str().unwrap();
        assert!(secure.starts_with("__Host-alinea-guest=g.1.2; Path=/; "), "{secure}");
        assert!(secure.ends_with("; HttpOnly; SameSite=Lax; Secure"), "{secure}");
        assert!(Cookie::Session.clear(over_tls).to_str().unwrap().contains("Max-Age=0"));
        let foreign = Cookie::Guest.set("g.1.2", Client { is_foreign: true, ..over_tls });
        assert!(foreign.to_str().unwrap().ends_with("; HttpOnly; SameSite=None; Secure; Partitioned"));
    }

    #[test]
    fn cookies_are_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; alinea-guest=g.1.2;alinea-session=s"));
        assert_eq!(Cookie::Guest.read(&headers, false), Some("g.1.2"));
        assert_eq!(Cookie::Session.read(&headers, false), Some("s"));
        // Over TLS a cookie without the prefix is ignored, since it may come from a connection without TLS.
        assert_eq!(Cookie::Session.read(&headers, true), None);
        assert_eq!(Cookie::Session.read(&HeaderMap::new(), false), None);
    }
}
