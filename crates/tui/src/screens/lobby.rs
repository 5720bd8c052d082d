//! A server before a game: identity, pairing, invitations, games to watch.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use protocol::{Clock, Me, NewTable, Opponent, Seek, SidePreference};
use ratatui::layout::Rect;
use rules::GAMES;
use sentences::{clock_text, person_name, title};

use super::{Go, Screen, Tables, Tournament, Tournaments, frame, scrolled, setup::CLOCKS, step};
use crate::{
    context::{Canvas, Context, Hit},
    online::{Address, AddressTarget, Client, Failure, Told, Work},
    prompt::{Asks, Prompt, Typed},
};

/// Maximum rating difference of paired players at first.
const RATING_RANGE: u32 = 150;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Server,
    Game,
    Clock,
    Rated,
    Seek,
    Link,
    Code,
    Mine,
    Watch,
    Tournaments,
    SignIn,
    SignUp,
    SignOut,
}

pub(crate) struct Lobby {
    client: Option<Arc<Client>>,
    me: Option<Me>,
    /// The open request; dropping it notifies the server.
    work: Option<Work>,
    is_seeking: bool,
    row: usize,
    game: usize,
    clock: usize,
    rated: bool,
    prompt: Option<Prompt>,
    /// The name whose password is prompted for.
    name: String,
    makes_account: bool,
    message: Option<String>,
}

impl Lobby {
    pub(crate) fn new(address: &Address, cx: &mut Context) -> Self {
        let mut lobby = Self {
            client: None,
            me: None,
            work: None,
            is_seeking: false,
            row: 0,
            game: 1.min(GAMES.len() - 1),
            clock: CLOCKS.len() - 2,
            rated: false,
            prompt: None,
            name: String::new(),
            makes_account: false,
            message: None,
        };
        lobby.connect(&address.server, cx);
        lobby.row = lobby.rows().iter().position(|row| *row == Row::Seek).unwrap_or(0);
        lobby
    }

    fn connect(&mut self, server: &str, cx: &mut Context) {
        self.me = None;
        match cx.connect(server) {
            Ok(client) => {
                self.message = Some(cx.words.t("tui.connecting").to_owned());
                self.work = Some(client.ask_me());
                self.client = Some(client);
            }
            Err(why) => self.message = Some(why),
        }
    }

    /// Goes to the table or the tournament of an address.
    pub(crate) fn arrive(&self, address: &Address) -> Go {
        match (&address.target, &self.client) {
            (Some(AddressTarget::Table(table)), _) => Go::Table(table.clone()),
            (Some(AddressTarget::Tournament(id)), Some(client)) => {
                Go::open(Screen::Tournament(Box::new(Tournament::new(client, id))))
            }
            _ => Go::Stay,
        }
    }

    pub(crate) fn client(&self) -> Option<&Arc<Client>> {
        self.client.as_ref()
    }

    /// Handles a message of the server.
    pub(crate) fn told(&mut self, told: Told, cx: &mut Context) -> Go {
        self.work = None;
        self.is_seeking = false;
        self.message = None;
        match told {
            Told::Me(Ok(me)) => {
                self.rated &= me.account;
                self.me = Some(me);
            }
            Told::Found(Ok(table)) => return Go::Table(table),
            Told::Me(Err(failure)) | Told::Found(Err(failure)) => self.failed(&failure, cx),
            _ => {}
        }
        Go::Stay
    }

    pub(crate) fn failed(&mut self, failure: &Failure, cx: &Context) {
        self.message = Some(failure.text(&cx.words));
    }

    fn is_account(&self) -> bool {
        self.me.as_ref().is_some_and(|me| me.account)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Server, Row::Game, Row::Clock];
        if self.is_account() {
            rows.push(Row::Rated);
        }
        rows.extend([Row::Seek, Row::Link, Row::Code, Row::Mine, Row::Watch, Row::Tournaments]);
        if self.is_account() {
            rows.push(Row::SignOut);
        } else {
            rows.extend([Row::SignIn, Row::SignUp]);
        }
        rows
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.row = row.min(self.rows().len() - 1);
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        if let Some(prompt) = &mut self.prompt {
            match prompt.key(key) {
                Typed::More => {}
                Typed::Cancelled => self.prompt = None,
                Typed::Done(text) => return self.typed(&text, cx),
            }
            return Go::Stay;
        }
        if self.is_seeking {
            if matches!(key.code, KeyCode::Esc | KeyCode::Char('q')) {
                self.work = None;
                self.is_seeking = false;
                self.message = None;
            }
            return Go::Stay;
        }
        let rows = self.rows();
        let row = rows[self.row.min(rows.len() - 1)];
        match key.code {
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => self.row = step(self.row, 1, rows.len()),
            KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => self.row = step(self.row, -1, rows.len()),
            KeyCode::Left => self.change(row, -1),
            KeyCode::Right => self.change(row, 1),
            KeyCode::Enter | KeyCode::Char(' ') => return self.act(row, cx),
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            _ => {}
        }
        Go::Stay
    }

    pub(crate) fn paste(&mut self, text: &str) {
        if let Some(prompt) = &mut self.prompt {
            prompt.paste(text);
        }
    }

    fn change(&mut self, row: Row, by: isize) {
        match row {
            Row::Game => self.game = step(self.game, by, GAMES.len()),
            Row::Clock => self.clock = step(self.clock, by, CLOCKS.len()),
            Row::Rated => self.rated = !self.rated,
            _ => {}
        }
    }

    fn clock(&self) -> Clock {
        CLOCKS[self.clock]
    }

    fn act(&mut self, row: Row, cx: &mut Context) -> Go {
        self.message = None;
        if row == Row::Server {
            let server = self.client.as_ref().map_or("", |client| client.server());
            self.prompt = Some(Prompt::new(Asks::Server, cx.words.t("tui.server-which"), server));
            return Go::Stay;
        }
        let Some(client) = &self.client else { return Go::Stay };
        let info = GAMES[self.game];
        let game = if self.rated { info.rated } else { info.id }.to_owned();
        match row {
            Row::Seek => {
                let (clock, rated) = (self.clock(), self.rated);
                self.work = Some(client.seek(Seek { game, clock, rated, range: RATING_RANGE, bots: false }));
                self.is_seeking = true;
            }
            Row::Link => {
                self.work = Some(client.new_table(NewTable {
                    game,
                    position: None,
                    opponent: Opponent::Link,
                    side: SidePreference::Random,
                    clock: self.clock(),
                    rated: self.rated,
                    take_back: !self.rated,
                    listed: true,
                    bots: false,
                }));
            }
            Row::Code => self.prompt = Some(Prompt::new(Asks::Code, cx.words.t("code.title"), "")),
            Row::Mine => return Go::open(Screen::Tables(Box::new(Tables::own(client)))),
            Row::Watch => return Go::open(Screen::Tables(Box::new(Tables::live(client)))),
            Row::Tournaments => {
                return Go::open(Screen::Tournaments(Box::new(Tournaments::new(client))));
            }
            Row::SignIn | Row::SignUp => {
                self.makes_account = row == Row::SignUp;
                self.prompt = Some(Prompt::new(Asks::Name, cx.words.t("account.name"), ""));
            }
            Row::SignOut => self.work = Some(client.sign_out()),
            Row::Server | Row::Game | Row::Clock | Row::Rated => self.change(row, 1),
        }
        Go::Stay
    }

    fn typed(&mut self, text: &str, cx: &mut Context) -> Go {
        let Some(prompt) = self.prompt.take().filter(|_| !text.is_empty()) else { return Go::Stay };
        if prompt.asks == Asks::Server {
            match text.parse::<Address>() {
                Ok(address) => {
                    cx.settings.server = Some(address.server.clone());
                    // The address can be typed again.
                    let _ = cx.keep.set_settings(&cx.settings);
                    self.connect(&address.server, cx);
                    return self.arrive(&address);
                }
                Err(why) => self.message = Some(why),
            }
            return Go::Stay;
        }
        let Some(client) = &self.client else { return Go::Stay };
        match prompt.asks {
            Asks::Code => self.work = Some(client.find(text)),
            Asks::Name => {
                self.name = text.to_owned();
                self.prompt = Some(Prompt::new(Asks::Password, cx.words.t("account.password"), ""));
            }
            Asks::Password if self.makes_account => self.work = Some(client.sign_up(&self.name, text)),
            Asks::Password => self.work = Some(client.sign_in(&self.name, text)),
            _ => {}
        }
        Go::Stay
    }

    fn label(row: Row) -> &'static str {
        match row {
            Row::Server => "tui.server",
            Row::Game => "tui.game",
            Row::Clock => "setup.clock",
            Row::Rated => "setup.rated",
            Row::Seek => "setup.seek",
            Row::Link => "setup.make-link",
            Row::Code => "tui.join-code",
            Row::Mine => "nav.games",
            Row::Watch => "nav.watch",
            Row::Tournaments => "nav.tournaments",
            Row::SignIn => "account.sign-in",
            Row::SignUp => "account.make",
            Row::SignOut => "account.sign-out",
        }
    }

    fn value(&self, row: Row, cx: &Context) -> Option<String> {
        let words = &cx.words;
        match row {
            Row::Server => self.client.as_ref().map(|client| client.server().to_owned()),
            Row::Game => Some(title(words, GAMES[self.game])),
            Row::Clock => Some(clock_text(words, self.clock())),
            Row::Rated => {
                Some(words.t(if self.rated { "setup.is-rated" } else { "setup.not-rated" }).to_owned())
            }
            _ => None,
        }
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let inner = frame(cx, area, cx.words.t("tui.online"), canvas);
        let rows = self.rows();
        // The first line says who the reader is, the last what happens.
        let list = Rect { y: inner.y + 1, height: inner.height.saturating_sub(2), ..inner };
        if let Some(me) = &self.me {
            let text = cx.words.fill("account.welcome", &[("name", &person_name(&cx.words, &me.name))]);
            canvas.put(inner.x + 2, inner.y, inner.right(), &text, palette.muted());
        }
        let chosen = self.row.min(rows.len() - 1);
        let first = scrolled(chosen, usize::from(list.height));
        for (y, (index, row)) in (list.y..list.bottom()).zip(rows.iter().enumerate().skip(first)) {
            let style = if index == chosen { palette.chosen() } else { palette.text() };
            let line = Rect::new(list.x + 1, y, list.width.saturating_sub(2).min(72), 1);
            if index == chosen {
                canvas.fill(line, style);
            }
            let x = canvas.put(line.x + 1, y, line.right(), cx.words.t(Self::label(*row)), style);
            if let Some(value) = self.value(*row, cx) {
                let x = if list.width >= 50 { x.max(line.x + 24) } else { x + 1 };
                canvas.put(x, y, line.right(), &value, style);
            }
            canvas.hit(line, Hit::Row(index));
        }
        let message =
            if self.is_seeking { Some(cx.words.t("setup.seeking")) } else { self.message.as_deref() };
        if let Some(message) = message {
            canvas.put(inner.x + 2, inner.bottom().saturating_sub(1), inner.right(), message, palette.key());
        }
        let back = if self.is_seeking { "action.cancel" } else { "tui.back" };
        let keys = [
            ("Enter", KeyCode::Enter, cx.words.t("tui.choose")),
            ("q", KeyCode::Char('q'), cx.words.t(back)),
        ];
        canvas.keys(area, palette, &keys);
        if let Some(prompt) = &self.prompt {
            prompt.draw(cx, area, canvas);
        }
    }
}
