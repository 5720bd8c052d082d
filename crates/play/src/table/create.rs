//! Creating the registry and its tables.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use players::{roster, system};
use protocol::{
    ApiError, ErrorCode, Event, NewTable, Occupant, Opponent, Settings, SidePreference, Status, TableCreated,
};
use rules::AnyGame;
use store::{StoreError, TableKey, TableRow, TableStore, task};
use table::{Principal, State};
use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    actor::{self, Actor, LoadedTable},
    registry::Registry,
    turn::TurnRequest,
};
use crate::config::Config;

/// Letters and digits that cannot be confused with each other.
const CODE_ALPHABET: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 6;

impl Registry {
    /// A registry without tables, and the requests for moves of programs, which an engine pool has to serve.
    pub fn new(store: Arc<dyn TableStore>, config: Config) -> (Self, UnboundedReceiver<TurnRequest>) {
        Self::with_loader(store, config, |id, registry, mailbox| {
            task::boxed(actor::load_and_run(id, registry, mailbox))
        })
    }

    /// Creates a table.
    ///
    /// # Errors
    /// If the table is not allowed, or the store is unavailable.
    pub fn create<'a>(
        &'a self,
        principal: &'a Principal,
        new: NewTable,
    ) -> BoxFuture<'a, Result<TableCreated, ApiError>> {
        Box::pin(async move {
            let (game, mut settings) = table::check_new_table(&new)?;
            let creator = principal.id().to_owned();
            let me = self.person(principal, &settings).await;
            let (opponent, has_code) = match &new.opponent {
                Opponent::Here => (me.clone(), false),
                Opponent::Link => (Occupant::Open, true),
                Opponent::Program { name } => (program(&game, name)?, false),
                Opponent::Challenge { name } => {
                    let account = self.store().account_by_name(name).await.map_err(ApiError::from)?;
                    let account =
                        account.ok_or_else(|| ErrorCode::NotFound.because("there is no such account"))?;
                    if settings.rated && principal.bot && !account.bot {
                        let reason = "people choose for themselves whether they play rated games with bots";
                        return Err(ErrorCode::NotAllowed.because(reason));
                    }
                    // A challenge to a bot allows a rated game with it.
                    settings.bots |= account.bot;
                    settings.invited = Some(account.id);
                    (Occupant::Open, false)
                }
                Opponent::Demo { first, second } => {
                    if new.rated {
                        return Err(
                            ErrorCode::NotAllowed.because("a game between two programs cannot be rated")
                        );
                    }
                    let seats = [program(&game, first)?, program(&game, second)?];
                    return self.open(settings, seats, creator, false).await;
                }
            };
            table::check_rated(&settings, &game, principal, &opponent)?;
            if new.rated && matches!(new.opponent, Opponent::Here) {
                return Err(ErrorCode::NotAllowed.because("a game against yourself cannot be rated"));
            }
            let plays_first = match new.side {
                SidePreference::First => true,
                SidePreference::Second => false,
                SidePreference::Random => coin_flip(),
            };
            let seats = if plays_first { [me, opponent] } else { [opponent, me] };
            self.open(settings, seats, creator, has_code).await
        })
    }

    async fn person(&self, principal: &Principal, settings: &Settings) -> Occupant {
        let rating = self.shown_rating(principal, settings).await;
        principal.occupant(rating)
    }

    /// The rating shown beside a name, if the account has one.
    pub(crate) async fn shown_rating(&self, principal: &Principal, settings: &Settings) -> Option<i64> {
        let (account, game) = (principal.account.as_ref()?, settings.game.split(':').next()?);
        let rating = self.store().rating(account, game, settings.clock.kind()).await.ok()?;
        Some(rating.rating.round() as i64)
    }

    /// Runs a table that was just stored, without reading it from the store.
    fn start(&self, table: LoadedTable) {
        let id = table.key.id.clone();
        self.run(&id, |mailbox| task::boxed(actor::run(Actor::new(self.clone(), table, mailbox))));
    }

    /// Stores a new table and runs it.
    pub(super) async fn open(
        &self,
        settings: Settings,
        seats: [Occupant; 2],
        creator: String,
        has_code: bool,
    ) -> Result<TableCreated, ApiError> {
        loop {
            let code = has_code.then(code);
            let now = self.clock().now_ms();
            let (row, event) = new_row(&settings, &seats, &creator, code.clone(), now);
            match self.store().create_table(&row, vec![event.clone()]).await {
                Ok(()) => {
                    let id = row.key.id.clone();
                    if let Ok(state) = State::new(1, row.created, &event) {
                        self.start(LoadedTable { key: row.key, state, code: row.code, owns: true });
                    }
                    return Ok(TableCreated { table: id, code });
                }
                // The code or the number is in use.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Returns the stored form of a new table.
pub(crate) fn new_row(
    settings: &Settings,
    seats: &[Occupant; 2],
    creator: &str,
    code: Option<String>,
    now: u64,
) -> (TableRow, Event) {
    let (settings, seats, creator) = (settings.clone(), seats.clone(), creator.to_owned());
    let is_open = seats.contains(&Occupant::Open);
    let row = TableRow {
        key: TableKey::new(now),
        code,
        settings: settings.clone(),
        seats: seats.clone(),
        status: if is_open { Status::Open } else { Status::Playing },
        winner: None,
        reason: None,
        ply: 0,
        created: now,
        updated: now,
        needs_owner: !is_open && table::needs_owner(&seats, settings.clock),
    };
    (row, Event::Created { settings: settings.into(), seats, creator })
}

/// A program as the occupant of a seat.
pub(super) fn program(game: &AnyGame, name: &str) -> Result<Occupant, ApiError> {
    if name.contains("threads") {
        return Err(ErrorCode::NotAllowed.because("programs can only use one thread on this server"));
    }
    roster::program(game, name, &system::resources(0))
        .map_err(|error| ErrorCode::UnknownPlayer.because(error.to_string()))?;
    Ok(Occupant::program(game, name))
}

/// True or false with equal probability.
pub(crate) fn coin_flip() -> bool {
    store::random::<1>()[0].is_multiple_of(2)
}

/// A short code that people can read to each other.
fn code() -> String {
    let letter = |byte| char::from(CODE_ALPHABET[usize::from(byte) % CODE_ALPHABET.len()]);
    store::random::<CODE_LENGTH>().map(letter).iter().collect()
}
