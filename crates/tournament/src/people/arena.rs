//! Pairings of an arena: free players by points, without an immediate rematch.

use super::state::State;

/// After this wait, two players may meet again at once: a rematch is better than a longer wait.
const REMATCH_AFTER_MS: u64 = 10_000;

/// Returns the pairs that start now.
pub(super) fn pair(state: &State, now: u64) -> Vec<[usize; 2]> {
    let is_open = |player: usize| {
        state.games().iter().any(|game| game.result.is_none() && game.players.contains(&player))
    };
    let mut free: Vec<_> = state.present().filter(|&player| !is_open(player)).collect();
    let points = state.points();
    free.sort_by(|&a, &b| {
        let waiting = |player: usize| state.players()[player].free_since;
        points[b].total_cmp(&points[a]).then(waiting(a).cmp(&waiting(b))).then(a.cmp(&b))
    });
    let has_waited =
        |player: usize| now.saturating_sub(state.players()[player].free_since) >= REMATCH_AFTER_MS;
    let last_opponent = |player: usize| {
        let last = state.games().iter().rfind(|game| game.players.contains(&player))?;
        last.players.into_iter().find(|&other| other != player)
    };
    // The last opponent is met again only if there is no other way.
    let may_meet = |one: usize, other: usize| {
        let have_met = last_opponent(one) == Some(other) || last_opponent(other) == Some(one);
        !have_met || state.present().count() == 2 || (has_waited(one) && has_waited(other))
    };
    let mut pairs = Vec::new();
    while let Some((&one, rest)) = free.split_first() {
        let opponent = rest.iter().position(|&other| may_meet(one, other));
        match opponent {
            Some(place) => {
                pairs.push([one, rest[place]]);
                free.remove(place + 1);
                free.remove(0);
            }
            None => drop(free.remove(0)),
        }
    }
    pairs
}
