//! The identity of a tournament: everything that determines its games, as its journal and the workers keep it.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::{
    AnyGameText, Openings, Settings, Tournament,
    openings::{BALANCED, RANDOM},
    tournament::{TournamentError, without_types},
};

impl Tournament {
    /// The identity of the tournament in its journal: everything that determines the games.
    #[must_use]
    pub fn identity(&self) -> Value {
        let mut identity = serde_json::to_value(&self.settings).expect("settings are text and numbers");
        if let Some(settings) = identity.as_object_mut() {
            // Concurrency and title do not change the games.
            settings.remove("concurrency");
            settings.remove("name");
        }
        // The content of an openings file may change under the same name.
        let text = |opening: &AnyGameText| serde_json::json!([opening.position, opening.moves]);
        let openings: Vec<_> = match &self.openings {
            Openings::Listed(listed) => listed.iter().map(text).collect(),
            Openings::Weighted(book) => {
                book.iter().map(|(weight, opening)| serde_json::json!([weight, text(opening)])).collect()
            }
            Openings::Empty | Openings::Random(_) => Vec::new(),
        };
        serde_json::json!({ "alinea": 1, "settings": identity, "openings": openings })
    }

    /// Restores the tournament with this [identity](Self::identity), to play its games on another machine. The identity
    /// includes the openings of files.
    ///
    /// # Errors
    /// If this version cannot play it.
    pub fn from_identity(identity: &str) -> Result<Self, TournamentError> {
        #[derive(Deserialize)]
        struct Identity {
            settings: Settings,
            openings: Value,
        }
        let unreadable = |error: serde_json::Error| TournamentError::Toml(without_types(&error.to_string()));
        let Identity { mut settings, openings } = serde_json::from_str(identity).map_err(unreadable)?;
        let source = settings.openings.replace("empty".to_owned()).unwrap_or_default();
        let mut tournament = Self::new(settings, Path::new(""))?;
        let text = |(position, moves)| AnyGameText { position, moves };
        tournament.openings = match source.split_once(':').unwrap_or((&source, "")) {
            ("file" | "games" | BALANCED, _) => {
                let listed: Vec<_> = serde_json::from_value(openings).map_err(unreadable)?;
                Openings::Listed(listed.into_iter().map(text).collect())
            }
            ("book", _) => {
                let book: Vec<(u32, _)> = serde_json::from_value(openings).map_err(unreadable)?;
                Openings::Weighted(
                    book.into_iter().map(|(weight, opening)| (weight, text(opening))).collect(),
                )
            }
            _ => Openings::parse(&source, tournament.spec, Path::new(""), tournament.settings.seed)?,
        };
        tournament.settings.openings = Some(source);
        Ok(tournament)
    }

    /// Takes over the openings of a tournament with this [identity](Self::identity) if these settings do not choose any:
    /// it began with another version of the program, whose default or whose balanced openings differ. Whether the other
    /// settings are the same is left to the journal.
    pub fn resume_openings(&mut self, identity: &str) {
        if !self.has_default_openings {
            return;
        }
        let Ok(begun) = serde_json::from_str::<Value>(identity) else { return };
        let listed = || {
            let listed: Vec<(Option<String>, String)> =
                serde_json::from_value(begun["openings"].clone()).ok()?;
            let listed: Vec<_> =
                listed.into_iter().map(|(position, moves)| AnyGameText { position, moves }).collect();
            let is_playable =
                |it: &AnyGameText| it.game(self.spec).is_ok_and(|game| game.outcome().is_none());
            (!listed.is_empty() && listed.iter().all(is_playable)).then_some(Openings::Listed(listed))
        };
        let source = begun["settings"]["openings"].as_str().unwrap_or_default();
        let openings = match source {
            BALANCED => listed(),
            // The default of version 0.2.
            RANDOM => Openings::parse(RANDOM, self.spec, Path::new(""), 0).ok(),
            _ => None,
        };
        if let Some(openings) = openings {
            (self.openings, self.settings.openings) = (openings, Some(source.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const GOOD: &str = "game = 'connect-four'\nplayers = ['random', 'Strong=smart:4']\n";

    #[test]
    fn an_identity_is_enough_to_play_the_games() {
        let folder = std::env::temp_dir().join(format!("alinea-identity-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("lines"), "4 4\n1 2 3\n").unwrap();
        fs::write(folder.join("weights"), "3 4 4\n1 1 2 3\n").unwrap();
        for more in
            ["", "openings = 'file:lines'", "openings = 'book:weights'", "[limits_of.random]\nmargin_ms = 7"]
        {
            let text = format!("{GOOD}seed = 7\n{more}\n");
            let original = Tournament::read(&text, &folder).unwrap();
            let identity = original.identity().to_string();
            let copy = Tournament::from_identity(&identity).unwrap();
            assert_eq!(copy.identity().to_string(), identity);
            for number in 0..9 {
                let [one, other] = [&original, &copy]
                    .map(|it| it.openings.game(it.spec, number, it.settings.seed).moves().join(" "));
                assert_eq!(one, other, "{more}");
            }
        }
        fs::remove_dir_all(folder).unwrap();
        assert!(
            Tournament::from_identity("{}").unwrap_err().to_string().contains("missing field `settings`")
        );
    }
}
