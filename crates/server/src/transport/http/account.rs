//! Accounts: sign-up, sessions, the tokens of bots, and the data about a person.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{
    AccountData, ApiError, Confirmation, Credentials, Done, ErrorCode, GuestName, GuestWords, KeptGame, Me,
    NewPassword, NewToken, Recovery, RecoveryCode, SessionSummary, TokenCreated, TokenSummary,
};
use sentences::{english, guest_words};
use store::{Account, ApiToken, TableFilter};

#[cfg(test)]
use super::openapi::{ReadErrors, WriteErrors};
use super::{
    AppState,
    client::Client,
    error::Result,
    extract::PathParams,
    identity::{Caller, Cookie},
    json::Json,
    tables::summary,
};
use crate::{
    auth::{AccountError, Identity, Principal, SignedIn},
    rate::RateClass,
};

/// Tables in one answer about an account.
const MAX_TABLES: u32 = 10_000;

fn me(identity: &Identity) -> Json<Me> {
    let principal = Principal::from(identity);
    Json(Me { id: principal.id().to_owned(), account: identity.account.is_some(), name: principal.name })
}

/// Returns who you are.
#[cfg_attr(test, utoipa::path(get, path = "/api/me", tag = "people",
    responses((status = 200, body = Me), ReadErrors)))]
pub(super) async fn me_now(caller: Caller) -> Json<Me> {
    me(&caller.identity)
}

/// Gives a guest another name. Seats that were taken before keep the old one.
#[cfg_attr(test, utoipa::path(put, path = "/api/me", tag = "people", request_body = GuestName,
    responses((status = 200, body = Me), WriteErrors)))]
pub(super) async fn rename(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(new): Json<GuestName>,
) -> Result<Response> {
    state.limits.check(RateClass::Create, client.share)?;
    let Identity { account: None, guest: Some(guest), .. } = &caller.identity else {
        return Err(ErrorCode::NotAllowed.because("only guests can change their name").into());
    };
    let (identity, cookie) = state.accounts.rename_guest(guest, &new.name)?;
    let cookie = [(header::SET_COOKIE, Cookie::Guest.set(&cookie, client))];
    Ok((cookie, me(&identity)).into_response())
}

/// Lists the words that the names of guests consist of, in English.
#[cfg_attr(test, utoipa::path(get, path = "/api/guest-names", tag = "people",
    responses((status = 200, body = GuestWords))))]
pub(super) async fn guest_names() -> Json<GuestWords> {
    let [first, second] = guest_words(english()).map(|list| list.into_iter().map(str::to_owned).collect());
    Json(GuestWords { first, second })
}

/// Creates an account and signs in.
#[cfg_attr(test, utoipa::path(post, path = "/api/account", tag = "people", request_body = Credentials,
    responses((status = 201, body = Me), WriteErrors)))]
pub(super) async fn sign_up(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    headers: HeaderMap,
    Json(credentials): Json<Credentials>,
) -> Result<Response> {
    state.limits.check(RateClass::Password, client.share)?;
    if !state.config.sign_up {
        return Err(ErrorCode::NotAllowed.because("sign-up is disabled on this server").into());
    }
    let Credentials { name, password } = credentials;
    let signed_in = state.accounts.sign_up(&name, &password, agent(&headers), client.share).await;
    state.start_session(client, &caller, "account_created", &name, signed_in, StatusCode::CREATED).await
}

/// Signs in.
#[cfg_attr(test, utoipa::path(post, path = "/api/session", tag = "people", request_body = Credentials,
    responses((status = 200, body = Me), WriteErrors)))]
pub(super) async fn sign_in(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    headers: HeaderMap,
    Json(credentials): Json<Credentials>,
) -> Result<Response> {
    state.limits.check(RateClass::Password, client.share)?;
    let Credentials { name, password } = credentials;
    let signed_in = state.accounts.sign_in(&name, &password, agent(&headers), client.share).await;
    state.start_session(client, &caller, "signed_in", &name, signed_in, StatusCode::OK).await
}

fn agent(headers: &HeaderMap) -> &str {
    headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default()
}

impl AppState {
    /// Ends the previous session and sets the cookie of the new one; records this, or the failure.
    async fn start_session(
        &self,
        client: Client,
        caller: &Caller,
        action: &'static str,
        name: &str,
        signed_in: std::result::Result<SignedIn, AccountError>,
        status: StatusCode,
    ) -> Result<Response> {
        let SignedIn { identity, token } = match signed_in {
            Ok(signed_in) => signed_in,
            Err(error) => {
                self.record_failure(client, name, &error).await;
                return Err(error.into());
            }
        };
        self.audit(action, identity.id().unwrap_or_default(), "", "");
        self.end_own_session(caller).await?;
        let cookie = [(header::SET_COOKIE, Cookie::Session.set(&token, client))];
        Ok((status, cookie, me(&identity)).into_response())
    }

    /// Records that somebody could not sign in. Of the name only the account is recorded, if there is one: people type
    /// passwords into the wrong field.
    async fn record_failure(&self, client: Client, name: &str, error: &AccountError) {
        let is_about_secret = matches!(
            error,
            AccountError::WrongPassword | AccountError::Banned | AccountError::TooManyAttempts
        );
        if !is_about_secret {
            return;
        }
        let account = self.store.account_by_name(name).await.ok().flatten();
        let account = account.map(|account| account.id).unwrap_or_default();
        // The log has the address, so that a firewall can act on it; the database does not.
        tracing::info!(client = %client.share, account, reason = %error, "sign_in_refused");
        self.audit("sign_in_failed", "", &account, error.to_string());
    }

    async fn tokens(&self, account: &Account) -> Result<Vec<TokenSummary>> {
        let tokens = self.store.api_tokens(&account.id).await.map_err(ApiError::from)?;
        let line =
            |token: ApiToken| TokenSummary { id: token.id, label: token.label, created_at: token.created };
        Ok(tokens.into_iter().map(line).collect())
    }

    async fn end_own_session(&self, caller: &Caller) -> Result<()> {
        if let (Some(session), false) = (&caller.identity.session, caller.is_bot) {
            self.accounts.end_session(&caller.identity, session).await?;
        }
        Ok(())
    }
}

/// Signs out; the connections of the session are closed.
#[cfg_attr(test, utoipa::path(delete, path = "/api/session", tag = "people",
    responses((status = 200, body = Done), WriteErrors)))]
pub(super) async fn sign_out(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
) -> Result<Response> {
    state.end_own_session(&caller).await?;
    let cookie = [(header::SET_COOKIE, Cookie::Session.clear(client))];
    Ok((cookie, Json(Done::new())).into_response())
}

/// Changes the password; all other sessions and all tokens end.
#[cfg_attr(test, utoipa::path(put, path = "/api/account/password", tag = "people", request_body = NewPassword,
    responses((status = 200, body = Done), WriteErrors)))]
pub(super) async fn change_password(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(change): Json<NewPassword>,
) -> Result<Json<Done>> {
    state.limits.check(RateClass::Password, client.share)?;
    caller.person()?;
    let NewPassword { old, new } = change;
    state.accounts.change_password(&caller.identity, &old, &new, client.share).await?;
    state.audit("password_changed", caller.principal.id(), "", "");
    Ok(Json(Done::new()))
}

/// Creates a code that replaces the password once, should you forget it.
#[cfg_attr(test, utoipa::path(post, path = "/api/account/recovery-code", tag = "people", request_body = Confirmation,
    responses((status = 201, body = RecoveryCode), WriteErrors)))]
pub(super) async fn make_recovery_code(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(confirmation): Json<Confirmation>,
) -> Result<impl IntoResponse> {
    state.limits.check(RateClass::Password, client.share)?;
    caller.person()?;
    let password = &confirmation.password;
    let code = state.accounts.create_recovery_code(&caller.identity, password, client.share).await?;
    state.audit("recovery_code_created", caller.principal.id(), "", "");
    Ok((StatusCode::CREATED, Json(RecoveryCode { code })))
}

/// Signs in with a recovery code instead of the password, which is replaced.
#[cfg_attr(test, utoipa::path(post, path = "/api/session/recovery", tag = "people", request_body = Recovery,
    responses((status = 200, body = Me), WriteErrors)))]
pub(super) async fn recover(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    headers: HeaderMap,
    Json(recovery): Json<Recovery>,
) -> Result<Response> {
    state.limits.check(RateClass::Password, client.share)?;
    let Recovery { name, code, password } = recovery;
    let agent = agent(&headers);
    let signed_in = state.accounts.recover(&name, &code, &password, agent, client.share).await;
    state.start_session(client, &caller, "account_recovered", &name, signed_in, StatusCode::OK).await
}

/// Deletes your account with all data about you. Your games stay, without your name.
#[cfg_attr(test, utoipa::path(delete, path = "/api/account", tag = "people", request_body = Confirmation,
    responses((status = 200, body = Done), WriteErrors)))]
pub(super) async fn delete(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(confirmation): Json<Confirmation>,
) -> Result<Response> {
    state.limits.check(RateClass::Password, client.share)?;
    caller.person()?;
    state.accounts.delete(&caller.identity, &confirmation.password, client.share).await?;
    state.audit("account_deleted", "", "", "");
    let cookie = [(header::SET_COOKIE, Cookie::Session.clear(client))];
    Ok((cookie, Json(Done::new())).into_response())
}

/// Returns all data about you, except the games.
#[cfg_attr(test, utoipa::path(get, path = "/api/account/data", tag = "people",
    responses((status = 200, body = AccountData), WriteErrors)))]
pub(super) async fn data(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
) -> Result<impl IntoResponse> {
    state.limits.check(RateClass::Create, client.share)?;
    let account = caller.person()?;
    let player = Some(account.id.clone());
    let filter = TableFilter { player, limit: MAX_TABLES, ..TableFilter::default() };
    let tables = state.store.tables(&filter).await.map_err(ApiError::from)?;
    let data = AccountData {
        profile: state.profile(account).await?,
        sessions: state.accounts.sessions(&caller.identity).await?,
        tokens: state.tokens(account).await?,
        tables: tables.iter().map(summary).collect(),
        puzzles: state.puzzle_progress(&account.id).await?,
        learned: state.all_learned(&account.id).await?,
    };
    let name = format!("attachment; filename=\"{}.json\"", account.name);
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(data)))
}

/// Saves a finished game that you played without the server. A game that is sent twice is saved once.
#[cfg_attr(test, utoipa::path(post, path = "/api/account/games", tag = "people", request_body = KeptGame,
    responses((status = 201, body = protocol::TableCreated), WriteErrors)))]
pub(super) async fn keep_game(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(game): Json<KeptGame>,
) -> Result<impl IntoResponse> {
    state.limits.check(RateClass::Create, client.share)?;
    caller.person()?;
    Ok((StatusCode::CREATED, Json(state.tables.keep(&caller.principal, game).await?)))
}

/// Lists your sessions.
#[cfg_attr(test, utoipa::path(get, path = "/api/sessions", tag = "people",
    responses((status = 200, body = Vec<SessionSummary>), WriteErrors)))]
pub(super) async fn sessions(
    caller: Caller,
    State(state): State<Arc<AppState>>,
) -> Result<Json<Vec<SessionSummary>>> {
    caller.person()?;
    Ok(Json(state.accounts.sessions(&caller.identity).await?))
}

/// Ends a session.
#[cfg_attr(test, utoipa::path(delete, path = "/api/sessions/{id}", tag = "people", params(("id" = String, Path,)),
    responses((status = 200, body = Done), WriteErrors)))]
pub(super) async fn end_session(
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<Done>> {
    caller.person()?;
    if !state.accounts.end_session(&caller.identity, &id).await? {
        return Err(ErrorCode::NotFound.because("there is no session with this id").into());
    }
    Ok(Json(Done::new()))
}

/// Lists the tokens of your bots.
#[cfg_attr(test, utoipa::path(get, path = "/api/tokens", tag = "people",
    responses((status = 200, body = Vec<TokenSummary>), WriteErrors)))]
pub(super) async fn tokens(
    caller: Caller,
    State(state): State<Arc<AppState>>,
) -> Result<Json<Vec<TokenSummary>>> {
    Ok(Json(state.tokens(caller.person()?).await?))
}

/// Creates a token for a bot, which can then play for your account.
#[cfg_attr(test, utoipa::path(post, path = "/api/tokens", tag = "people", request_body = NewToken,
    responses((status = 201, body = TokenCreated), WriteErrors)))]
pub(super) async fn make_token(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(new): Json<NewToken>,
) -> Result<impl IntoResponse> {
    state.limits.check(RateClass::Create, client.share)?;
    let (token, secret) = state.accounts.create_token(caller.person()?, new.label.trim()).await?;
    state.audit("token_created", caller.principal.id(), "", format!("token {}", token.id));
    Ok((StatusCode::CREATED, Json(TokenCreated { id: token.id, token: secret })))
}

/// Revokes a token.
#[cfg_attr(test, utoipa::path(delete, path = "/api/tokens/{id}", tag = "people", params(("id" = String, Path,)),
    responses((status = 200, body = Done), WriteErrors)))]
pub(super) async fn end_token(
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<Done>> {
    let account = &caller.person()?.id;
    if !state.store.end_api_token(account, &id).await.map_err(ApiError::from)? {
        return Err(ErrorCode::NotFound.because("there is no token with this id").into());
    }
    Ok(Json(Done::new()))
}
