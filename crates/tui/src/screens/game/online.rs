//! The parts of a game that only exist on a server: open seats, offers, chat, absent opponents, lost connections.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use protocol::{Command, Snapshot, Status};
use ratatui::style::Style;
use rules::Side;
use sentences::{occupant_name, person_name, said_text};

use super::{GameScreen, Mode};
use crate::{
    context::Context,
    host::Host,
    online::{Client, Failure, Online},
    screens::Go,
};

/// Number of chat messages shown.
const CHAT_LINES: usize = 4;

/// An offer of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offer {
    Draw,
    TakeBack,
    Rematch,
}

impl GameScreen {
    /// Shows a table of a server.
    ///
    /// # Errors
    /// If this program does not know its game.
    pub(crate) fn online(client: &Arc<Client>, snapshot: Snapshot, cx: &mut Context) -> Result<Self, String> {
        let online = Online::new(client.clone(), snapshot)?;
        Ok(Self::of(Host::Online(Box::new(online)), Mode::Play, cx))
    }

    /// The id of the table on the server.
    pub(crate) fn table_id(&self) -> Option<&str> {
        self.host.online().map(|online| online.snapshot().table.as_str())
    }

    /// The server whose table this is.
    pub(crate) fn client(&self) -> Option<&Arc<Client>> {
        self.host.online().map(|online| &online.client)
    }

    /// Applies a new snapshot of the table.
    pub(crate) fn told(&mut self, snapshot: Snapshot, cx: &mut Context) -> Go {
        let Host::Online(online) = &mut self.host else { return Go::Stay };
        let next =
            snapshot.rematch.clone().filter(|_| self.snapshot.rematch.is_none() && !snapshot.you.is_empty());
        if let Err(why) = online.update(snapshot) {
            self.message = Some(why);
            return Go::Stay;
        }
        let before = &self.snapshot;
        let after = online.snapshot();
        // A chat message, or someone who comes or leaves, does not take away what the reader has been told or has begun.
        let kept =
            (before.moves == after.moves && before.status == after.status && before.offers == after.offers)
                .then(|| (self.message.take(), self.confirm.take(), self.picked));
        self.refresh(cx);
        if let Some(kept) = kept {
            (self.message, self.confirm, self.picked) = kept;
        }
        next.map_or(Go::Stay, Go::Table)
    }

    pub(crate) fn failed(&mut self, failure: &Failure, cx: &Context) {
        self.is_sending = false;
        self.message = Some(failure.text(&cx.words));
    }

    pub(crate) fn linked(&mut self, is_linked: bool) {
        self.is_linked = is_linked;
    }

    fn is_seated(&self) -> bool {
        self.mode == Mode::Play && !self.snapshot.you.is_empty()
    }

    /// Whether the reader may take the open seat.
    pub(super) fn may_sit(&self) -> bool {
        self.host.online().is_some() && self.snapshot.status == Status::Open && self.snapshot.you.is_empty()
    }

    pub(super) fn may_chat(&self) -> bool {
        self.host.online().is_some() && self.is_seated() && !self.has_programs()
    }

    /// The opponent's offer that waits for a reply.
    pub(super) fn offer(&self) -> Option<Offer> {
        let opponent = self.you()?.other();
        let offers = &self.snapshot.offers;
        let of = |offer: Option<Side>, which| (offer == Some(opponent)).then_some(which);
        of(offers.draw, Offer::Draw)
            .or_else(|| of(offers.take_back, Offer::TakeBack))
            .or_else(|| of(offers.rematch, Offer::Rematch))
    }

    pub(super) fn decline(&mut self, cx: &mut Context) -> Go {
        match self.offer() {
            Some(Offer::Draw) => self.command(&Command::DeclineDraw {}, cx),
            Some(Offer::TakeBack) => self.command(&Command::DeclineTakeBack {}, cx),
            // To leave is to decline.
            Some(Offer::Rematch) | None => Go::Stay,
        }
    }

    /// Time left for a disconnected opponent to return.
    fn time_to_return(&self, now: Instant) -> Option<Duration> {
        let opponent = self.you()?.other();
        if self.snapshot.status != Status::Playing || self.snapshot.presence.here[opponent.index()] {
            return None;
        }
        let ms = self.snapshot.presence.claim_ms[opponent.index()]?;
        Some(Duration::from_millis(ms).saturating_sub(now.saturating_duration_since(self.taken)))
    }

    pub(super) fn may_claim(&self, now: Instant) -> bool {
        self.time_to_return(now).is_some_and(|left| left.is_zero())
    }

    /// When the countdown to the opponent's return shows the next second.
    pub(super) fn next_second(&self, now: Instant) -> Option<Instant> {
        let left = self.time_to_return(now).filter(|left| !left.is_zero())?;
        Some(now + Duration::from_millis(left.as_millis() as u64 % 1_000 + 1))
    }

    pub(super) fn say_online(&self, cx: &Context, say: &mut dyn FnMut(&str, Style)) {
        let Some(online) = self.host.online() else { return };
        let words = &cx.words;
        let (text, muted) = (cx.palette().text(), cx.palette().muted());
        if !self.is_linked {
            say(words.t("link.lost"), Self::loud(cx));
        }
        if self.may_sit() {
            say(&format!("Enter: {}", words.t("open.sit")), Self::loud(cx));
        } else if self.is_waiting() && self.is_seated() {
            say(words.t("open.wait"), text);
            say(&online.client.link(&self.snapshot.table), text);
            if let Some(code) = &self.snapshot.code {
                say(&format!("{}: {code}", words.t("code.title")), text);
            }
        }
        self.say_offers(cx, say);
        // Until the first moves an absent opponent may be about to arrive.
        let is_left = |left: &Duration| left.is_zero() || self.snapshot.moves.len() > 1;
        if let (Some(left), Some(you)) = (self.time_to_return(cx.now).filter(is_left), self.you()) {
            let name = self.name(you.other(), cx);
            say(&words.fill("link.opponent-gone", &[("name", &name)]), text);
            if left.is_zero() {
                let [win, draw] = ["link.claim-win", "link.claim-draw"].map(|key| words.t(key));
                say(&format!("+ {win}   = {draw}"), Self::loud(cx));
            } else {
                say(&words.count("link.claim-in", left.as_secs() + 1, &[]), muted);
            }
        }
        if let (Some(you), Some([first, second])) =
            (self.you(), self.snapshot.result.and_then(|result| result.ratings))
            && let Some(change) = if you == Side::First { first } else { second }
        {
            say(&format!("{:.0} → {:.0}", change.before, change.after), text);
        }
        let chat = &self.snapshot.chat;
        for line in &chat[chat.len().saturating_sub(CHAT_LINES)..] {
            say(&format!("{}: {}", person_name(words, &line.from), said_text(words, &line.text)), muted);
        }
    }

    fn say_offers(&self, cx: &Context, say: &mut dyn FnMut(&str, Style)) {
        let Some(you) = self.you() else { return };
        let words = &cx.words;
        let offers = &self.snapshot.offers;
        let said = [
            (offers.draw, "draw-offered", 'd', true),
            (offers.take_back, "take-back-asked", 'u', true),
            (offers.rematch, "rematch-offered", 'n', false),
        ];
        for (side, what, key, may_decline) in said {
            let Some(side) = side else { continue };
            if side == you {
                say(words.t(&format!("offer.you.{what}")), cx.palette().muted());
                continue;
            }
            let name = occupant_name(words, &self.snapshot.seats[side.index()]);
            say(&words.fill(&format!("offer.they.{what}"), &[("name", &name)]), Self::loud(cx));
            let mut keys = format!("{key} {}", words.t("action.accept"));
            if may_decline {
                keys += &format!("   - {}", words.t("action.decline"));
            }
            say(&keys, cx.palette().text());
        }
    }
}
