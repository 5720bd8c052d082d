//! Who somebody is: cookies, accounts, sessions, tokens.

use std::sync::Arc;

use axum::{
    Json,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{
    ApiError, Credentials, Done, ErrorCode, Me, NewPassword, NewToken, SessionSummary, TokenCreated,
    TokenSummary,
};

use super::{
    Door,
    client::Client,
    error::{CannotDo, CannotTell, Refused, Result},
    extract::{Named, Sent},
    limits::Costly,
};
use crate::{
    app::App,
    auth::Principal,
    auth::{AccountError, Identity, SignedIn},
    store::{Account, ApiToken},
};

/// For as long as a browser keeps it: a guest's seats are lost with it.
const GUEST_AGE_S: u64 = 400 * 24 * 60 * 60;
const SESSION_AGE_S: u64 = 90 * 24 * 60 * 60;

/// The cookies that we set.
#[derive(Clone, Copy)]
enum Cookie {
    Guest,
    Session,
}

impl Cookie {
    /// The prefix lets no other host and no connection without TLS set it.
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

    fn set(self, value: &str, secure: bool) -> HeaderValue {
        let age = match self {
            Self::Guest => GUEST_AGE_S,
            Self::Session => SESSION_AGE_S,
        };
        self.write(value, age, secure)
    }

    fn clear(self, secure: bool) -> HeaderValue {
        self.write("", 0, secure)
    }

    fn write(self, value: &str, age: u64, secure: bool) -> HeaderValue {
        let name = self.name(secure);
        let secure = if secure { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
        text.try_into().expect("our tokens are letters, digits and dots")
    }
}

/// Who sends a request, and the cookie of a guest that is new.
pub(crate) async fn identify(
    app: &App,
    headers: &HeaderMap,
    client: Client,
) -> std::result::Result<(Identity, Option<HeaderValue>), ApiError> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let token = value.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        let token =
            token.ok_or_else(|| ErrorCode::SignInFirst.because("write Authorization: Bearer and a token"))?;
        let program = app.accounts.bearer(token.trim()).await?;
        let program = program.ok_or_else(|| ErrorCode::SignInFirst.because("there is no such token"))?;
        return Ok((program, None));
    }
    let guest = Cookie::Guest.read(headers, client.secure).and_then(|cookie| app.accounts.guest(cookie));
    let account = match Cookie::Session.read(headers, client.secure) {
        Some(token) => app.accounts.session(token).await?,
        None => None,
    };
    Ok(match (account, guest) {
        // Seats that were taken before signing in are still theirs.
        (Some(account), guest) => (Identity { guest: guest.and_then(|guest| guest.guest), ..account }, None),
        (None, Some(guest)) => (guest, None),
        (None, None) => {
            let (guest, cookie) = app.accounts.new_guest();
            (guest, Some(Cookie::Guest.set(&cookie, client.secure)))
        }
    })
}

/// Finds out who asks, and gives a cookie to those who come for the first time.
pub(super) async fn know(State(door): State<Arc<Door>>, mut request: Request, next: Next) -> Response {
    let client = request.extensions().get::<Client>().copied().unwrap_or(Client::UNKNOWN);
    let (identity, cookie) = match identify(&door.app, request.headers(), client).await {
        Ok(known) => known,
        Err(refusal) => return Refused(refusal).into_response(),
    };
    let is_program = request.headers().contains_key(header::AUTHORIZATION);
    let who = Arc::new(Principal::from(&identity));
    request.extensions_mut().insert(Caller { who, identity, is_program });
    let mut response = next.run(request).await;
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    // What one person sees is not for others.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Who asks.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) who: Arc<Principal>,
    identity: Identity,
    is_program: bool,
}

impl Caller {
    /// The session or token that the request came with.
    pub(super) fn session(&self) -> Option<String> {
        self.identity.session.clone()
    }

    /// The account, if there is one.
    pub(super) fn account(&self) -> Result<&Account> {
        let account = self.identity.account.as_ref();
        account.ok_or_else(|| ErrorCode::SignInFirst.because("one has to be signed in").into())
    }

    /// The account of a person: a program may play in its name, but not change who may.
    fn person(&self) -> Result<&Account> {
        if self.is_program {
            return Err(ErrorCode::NotAllowed.because("that is for people, not for programs").into());
        }
        self.account()
    }
}

fn me(identity: &Identity) -> Json<Me> {
    let who = Principal::from(identity);
    Json(Me { id: who.id().to_owned(), account: identity.account.is_some(), name: who.name })
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let caller = parts.extensions.get::<Self>().cloned();
        caller.ok_or_else(|| ErrorCode::Broken.because("the server made a mistake").into())
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or(Self::UNKNOWN))
    }
}

/// Tells who one is.
#[utoipa::path(get, path = "/api/me", tag = "people", responses((status = 200, body = Me), CannotTell))]
pub(super) async fn me_now(caller: Caller) -> Json<Me> {
    me(&caller.identity)
}

/// Makes an account and signs in.
#[utoipa::path(post, path = "/api/account", tag = "people", request_body = Credentials,
    responses((status = 201, body = Me), CannotDo))]
pub(super) async fn sign_up(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    Sent(credentials): Sent<Credentials>,
) -> Result<Response> {
    door.limits.take(Costly::Password, client.counted())?;
    let Credentials { name, password } = credentials;
    let signed_in = door.app.accounts.sign_up(&name, &password, agent(&headers), client.counted()).await;
    door.enter(client, &caller, signed_in, StatusCode::CREATED).await
}

/// Signs in.
#[utoipa::path(post, path = "/api/session", tag = "people", request_body = Credentials,
    responses((status = 200, body = Me), CannotDo))]
pub(super) async fn sign_in(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    Sent(credentials): Sent<Credentials>,
) -> Result<Response> {
    door.limits.take(Costly::Password, client.counted())?;
    let Credentials { name, password } = credentials;
    let signed_in = door.app.accounts.sign_in(&name, &password, agent(&headers), client.counted()).await;
    door.enter(client, &caller, signed_in, StatusCode::OK).await
}

fn agent(headers: &HeaderMap) -> &str {
    headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default()
}

impl Door {
    /// Gives the cookie of a new session, and ends the one before.
    async fn enter(
        &self,
        client: Client,
        caller: &Caller,
        signed_in: std::result::Result<SignedIn, AccountError>,
        status: StatusCode,
    ) -> Result<Response> {
        let SignedIn { identity, token } = signed_in?;
        self.leave(caller).await?;
        let cookie = [(header::SET_COOKIE, Cookie::Session.set(&token, client.secure))];
        Ok((status, cookie, me(&identity)).into_response())
    }

    async fn leave(&self, caller: &Caller) -> Result<()> {
        if let (Some(session), false) = (&caller.identity.session, caller.is_program) {
            self.app.accounts.end_session(&caller.identity, session).await?;
        }
        Ok(())
    }
}

/// Signs out; the connections of the session are closed.
#[utoipa::path(delete, path = "/api/session", tag = "people", responses((status = 200, body = Done), CannotDo))]
pub(super) async fn sign_out(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
) -> Result<Response> {
    door.leave(&caller).await?;
    let cookie = [(header::SET_COOKIE, Cookie::Session.clear(client.secure))];
    Ok((cookie, Json(Done::new())).into_response())
}

/// Changes the password; all other sessions end.
#[utoipa::path(put, path = "/api/account/password", tag = "people", request_body = NewPassword,
    responses((status = 200, body = Done), CannotDo))]
pub(super) async fn change_password(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Sent(change): Sent<NewPassword>,
) -> Result<Json<Done>> {
    door.limits.take(Costly::Password, client.counted())?;
    caller.person()?;
    let NewPassword { old, new } = change;
    door.app.accounts.change_password(&caller.identity, &old, &new, client.counted()).await?;
    Ok(Json(Done::new()))
}

/// Lists where one is signed in.
#[utoipa::path(get, path = "/api/sessions", tag = "people",
    responses((status = 200, body = Vec<SessionSummary>), CannotDo))]
pub(super) async fn sessions(
    caller: Caller,
    State(door): State<Arc<Door>>,
) -> Result<Json<Vec<SessionSummary>>> {
    caller.person()?;
    Ok(Json(door.app.accounts.sessions(&caller.identity).await?))
}

/// Signs out somewhere else.
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "people", params(("id" = String, Path,)),
    responses((status = 200, body = Done), CannotDo))]
pub(super) async fn end_session(
    caller: Caller,
    State(door): State<Arc<Door>>,
    Named(id): Named<String>,
) -> Result<Json<Done>> {
    caller.person()?;
    if !door.app.accounts.end_session(&caller.identity, &id).await? {
        return Err(ErrorCode::NotFound.because("there is no such session").into());
    }
    Ok(Json(Done::new()))
}

/// Lists the programs that may play in one's name.
#[utoipa::path(get, path = "/api/tokens", tag = "people",
    responses((status = 200, body = Vec<TokenSummary>), CannotDo))]
pub(super) async fn tokens(caller: Caller, State(door): State<Arc<Door>>) -> Result<Json<Vec<TokenSummary>>> {
    let tokens = door.app.store.api_tokens(&caller.person()?.id).await.map_err(ApiError::from)?;
    let line = |token: ApiToken| TokenSummary { id: token.id, label: token.label, created_at: token.created };
    Ok(Json(tokens.into_iter().map(line).collect()))
}

/// Lets a program play in one's name.
#[utoipa::path(post, path = "/api/tokens", tag = "people", request_body = NewToken,
    responses((status = 201, body = TokenCreated), CannotDo))]
pub(super) async fn make_token(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Sent(new): Sent<NewToken>,
) -> Result<impl IntoResponse> {
    door.limits.take(Costly::Table, client.counted())?;
    let (token, secret) = door.app.accounts.create_token(caller.person()?, new.label.trim()).await?;
    Ok((StatusCode::CREATED, Json(TokenCreated { id: token.id, token: secret })))
}

/// Lets a program play no longer.
#[utoipa::path(delete, path = "/api/tokens/{id}", tag = "people", params(("id" = String, Path,)),
    responses((status = 200, body = Done), CannotDo))]
pub(super) async fn end_token(
    caller: Caller,
    State(door): State<Arc<Door>>,
    Named(id): Named<String>,
) -> Result<Json<Done>> {
    let account = &caller.person()?.id;
    if !door.app.store.end_api_token(account, &id).await.map_err(ApiError::from)? {
        return Err(ErrorCode::NotFound.because("there is no such token").into());
    }
    Ok(Json(Done::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_for_the_server_alone() {
        let plain = Cookie::Session.set("abc", false);
        assert_eq!(plain, "alinea-session=abc; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax");
        let secure = Cookie::Guest.set("g.1.2", true);
        let secure = secure.to_str().unwrap();
        assert!(secure.starts_with("__Host-alinea-guest=g.1.2; Path=/; "), "{secure}");
        assert!(secure.ends_with("; HttpOnly; SameSite=Lax; Secure"), "{secure}");
        assert!(Cookie::Session.clear(false).to_str().unwrap().contains("Max-Age=0"));
    }

    #[test]
    fn cookies_are_read_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; alinea-guest=g.1.2;alinea-session=s"));
        assert_eq!(Cookie::Guest.read(&headers, false), Some("g.1.2"));
        assert_eq!(Cookie::Session.read(&headers, false), Some("s"));
        // One that anybody on the way could have set does not count where TLS is used.
        assert_eq!(Cookie::Session.read(&headers, true), None);
        assert_eq!(Cookie::Session.read(&HeaderMap::new(), false), None);
    }
}
