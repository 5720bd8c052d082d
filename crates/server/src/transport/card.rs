//! The preview of a link: Open Graph tags for `/g/:id`, `/watch/:id` and `/analysis/:game`, with a picture of the
//! position. Sites that show previews run no scripts, so that the page cannot add them itself.

use axum::http::{HeaderMap, Uri, header};
use protocol::Occupant;
use rules::{AnyGame, Spec};
use sentences::{Language, Words, clock_text, person_name};

use super::{AppState, http::Client};

/// What a link leads to.
struct Card {
    title: String,
    description: String,
    /// The path and query of the picture.
    picture: String,
}

/// The tags for the head of the page, if the address has a preview of its own.
pub(super) async fn tags(state: &AppState, uri: &Uri, headers: &HeaderMap, client: Client) -> Option<String> {
    let card = match uri.path().trim_matches('/').split_once('/')? {
        ("g" | "watch", table) => table_card(state, table, &words(headers)).await?,
        ("analysis", game) => analysis_card(game, uri.query().unwrap_or_default())?,
        _ => return None,
    };
    // Previews need whole addresses. Without one of its own, the host is the one that was asked for.
    let origin = match &state.config.public_url {
        Some(url) => url.clone(),
        None => {
            let host = headers.get(header::HOST)?.to_str().ok()?;
            format!("{}://{host}", if client.secure { "https" } else { "http" })
        }
    };
    let tags = [
        ("og:type", "website".to_owned()),
        ("og:site_name", "Alinea".to_owned()),
        ("og:title", card.title),
        ("og:description", card.description),
        ("og:image", format!("{origin}{}", card.picture)),
        ("og:image:width", "1200".to_owned()),
        ("og:image:height", "630".to_owned()),
        ("twitter:card", "summary_large_image".to_owned()),
    ];
    Some(
        tags.iter()
            .map(|(name, text)| format!("<meta property=\"{name}\" content=\"{}\" />", escape(text)))
            .collect(),
    )
}

async fn table_card(state: &AppState, table: &str, words: &Words) -> Option<Card> {
    let game = state.tables.replay(table).await.ok()??;
    let picture = format!("/api/tables/{table}/picture.png");
    let [first, second] = game.seats().each_ref().map(|seat| name(words, seat, game.game()));
    let info = game.game().info();
    // A free seat is an invitation; it is said as the page says it.
    let inviter = match game.seats() {
        [Occupant::Person { .. }, Occupant::Open] => Some((&first, "invite.they-start")),
        [Occupant::Open, Occupant::Person { .. }] => Some((&second, "invite.you-start")),
        _ => None,
    };
    if let Some((inviter, starts)) = inviter {
        let said = [("name", inviter.as_str())];
        let title = words.fill("invite.title", &said);
        let clock = clock_text(words, game.settings().clock);
        let description =
            format!("{} · {clock} · {}", sentences::title(words, info), words.fill(starts, &said));
        return Some(Card { title, description, picture });
    }
    let title = format!("{first} – {second}");
    let description = format!("{}, move {}", info.title, game.game().ply());
    Some(Card { title, description, picture })
}

/// The words of the language that the reader of a preview prefers.
fn words(headers: &HeaderMap) -> Words {
    let preferred =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let tags = preferred.split(',').filter_map(|tag| tag.split(';').next()).map(str::trim);
    Words::new(tags.into_iter().find_map(Language::of).unwrap_or_default())
}

fn analysis_card(game: &str, query: &str) -> Option<Card> {
    let value = |name: &str| {
        query
            .split('&')
            .find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name))
            .map(|(_, value)| value)
    };
    let (moves, position) = (value("m").unwrap_or_default(), value("p"));
    // A link to a position that cannot be has no picture.
    let shown = decode(position.unwrap_or_default())?;
    let at = table::recorded_game(&decode(game)?, position.map(|_| shown.as_str()), &decode(moves)?).ok()?;
    let mut picture = format!("/api/picture.png?game={game}&moves={moves}");
    if let Some(position) = position {
        picture += &format!("&position={position}");
    }
    let description = format!("Analysis, move {}", at.ply());
    Some(Card { title: at.info().title.to_owned(), description, picture })
}

/// Decodes a part of an address: `+` is a space, `%2F` a slash.
fn decode(part: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                (digit(rest.next())? * 16 + digit(rest.next())?) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The name of a player in a preview; a level is shown by its own name.
fn name(words: &Words, seat: &Occupant, game: &AnyGame) -> String {
    match seat {
        Occupant::Open => "?".to_owned(),
        Occupant::Program { name, .. } => {
            let standard = game.info().standard.parse::<Spec>().map_or_else(|_| game.clone(), AnyGame::from);
            let levels = players::roster::levels(&standard);
            let level = levels.iter().find(|level| *name == format!("level:{}", level.level));
            level.map_or_else(|| name.clone(), |level| level.name.to_owned())
        }
        Occupant::Person { name, .. } => person_name(words, name),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_is_previewed_with_its_position() {
        let card = analysis_card("connect-four", "m=4+4%203").unwrap();
        assert_eq!((card.title.as_str(), card.description.as_str()), ("Connect Four", "Analysis, move 3"));
        assert_eq!(card.picture, "/api/picture.png?game=connect-four&moves=4+4%203");
        for (game, query) in
            [("chess", ""), ("connect-four", "m=9"), ("connect-four", "m=%zz"), ("connect-four", "p=x")]
        {
            assert!(analysis_card(game, query).is_none(), "{game} {query}");
        }
    }

    #[test]
    fn text_of_people_cannot_add_tags() {
        assert_eq!(escape("\"><b>&"), "&quot;&gt;&lt;b&gt;&amp;");
    }
}
