//! Pairings: round robin, gauntlet, knockout and Swiss. Each round follows from the results so far.

use serde::{Deserialize, Serialize};

/// The format of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every player against every other.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
    /// Single elimination. Players are seeded in the order of the settings.
    Knockout,
    /// Each round pairs players with similar scores who have not met.
    Swiss,
}

/// The result of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairingResult {
    /// The players, by index.
    pub players: [usize; 2],
    /// The half points of each.
    pub half_points: [usize; 2],
}

/// A round that has been played, completely or in part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The results so far.
    pub results: Vec<PairingResult>,
    /// The players who had a bye.
    pub byes: Vec<usize>,
}

/// A round to play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NextRound {
    /// The pairings; empty when the tournament is over.
    pub pairings: Vec<[usize; 2]>,
    /// The players with a bye, for which they get points.
    pub byes: Vec<usize>,
}

/// Number of replays of a tied knockout pairing before the better seed advances.
const REPLAYS: usize = 3;

impl Format {
    /// Returns the next round. `is_present` has an entry for each player: a Swiss tournament pairs only players who are
    /// present. `rounds` is its number of rounds, `bye` the value of a bye in half points.
    #[must_use]
    pub fn next_round(self, is_present: &[bool], rounds: usize, bye: usize, played: &[Round]) -> NextRound {
        let players = is_present.len();
        let pairings = match self {
            Self::RoundRobin if played.is_empty() => circle(players).concat(),
            Self::Gauntlet if played.is_empty() => (1..players).map(|opponent| [0, opponent]).collect(),
            Self::RoundRobin | Self::Gauntlet => Vec::new(),
            Self::Knockout => knockout(players, played).pairings,
            Self::Swiss if played.len() < rounds => return greedy_swiss(is_present, bye, played),
            Self::Swiss => Vec::new(),
        };
        NextRound { pairings, byes: Vec::new() }
    }

    /// The total number of pairings, as far as known.
    #[must_use]
    pub fn pairings(self, players: usize, rounds: usize) -> usize {
        match self {
            Self::RoundRobin => players * (players - 1) / 2,
            Self::Gauntlet | Self::Knockout => players - 1,
            Self::Swiss => rounds * (players / 2),
        }
    }
}

/// Rounds of a round robin by the circle method: in each round every player meets another, except one if the number is
/// odd.
#[must_use]
pub fn circle(players: usize) -> Vec<Vec<[usize; 2]>> {
    let seats = players + players % 2;
    let round = |round: usize| {
        let at = |seat: usize| if seat == 0 { 0 } else { (seat - 1 + round) % (seats - 1) + 1 };
        let pairs = (0..seats / 2).map(|seat| [at(seat), at(seats - 1 - seat)]);
        let pairs = pairs.filter(|pair| pair.iter().all(|&player| player < players));
        pairs.map(|[one, other]| [one.min(other), one.max(other)]).collect()
    };
    (0..seats.saturating_sub(1)).map(round).collect()
}

/// A match in the bracket of a knockout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BracketMatch {
    /// The players by index; one with a bye has no opponent.
    pub players: [Option<usize>; 2],
    /// The half points of each, replays included.
    pub half_points: [usize; 2],
    /// Who advances, once it is decided.
    pub winner: Option<usize>,
}

/// The state of a knockout.
struct Bracket {
    pairings: Vec<[usize; 2]>,
    /// For each player the round in which it was eliminated.
    out: Vec<Option<usize>>,
    /// The matches of each stage so far, in their places.
    stages: Vec<Vec<BracketMatch>>,
}

fn knockout(players: usize, played: &[Round]) -> Bracket {
    let mut out = vec![None; players];
    // The best seeds meet last, and get the byes of the first round.
    let mut alive: Vec<Option<usize>> = seeding(players.next_power_of_two())
        .into_iter()
        .map(|seed| (seed < players).then_some(seed))
        .collect();
    let mut replays = vec![0; alive.len() / 2];
    let mut winners = byes(&alive);
    let mut stages = vec![stage(&alive, &winners)];
    for (round, Round { results, .. }) in played.iter().enumerate() {
        for met in results {
            let is_met =
                |two: &[Option<usize>]| met.players.iter().all(|&player| two.contains(&Some(player)));
            let Some(place) = alive.chunks(2).position(is_met) else { continue };
            let shown = &mut stages.last_mut().expect("there is a first stage")[place];
            let is_turned = shown.players[0] != Some(met.players[0]);
            shown.half_points[usize::from(is_turned)] += met.half_points[0];
            shown.half_points[usize::from(!is_turned)] += met.half_points[1];
            let [first, second] = met.half_points;
            let winner = match first.cmp(&second) {
                std::cmp::Ordering::Greater => met.players[0],
                std::cmp::Ordering::Less => met.players[1],
                std::cmp::Ordering::Equal if replays[place] < REPLAYS => {
                    replays[place] += 1;
                    continue;
                }
                std::cmp::Ordering::Equal => met.players[0].min(met.players[1]),
            };
            let loser = met.players[usize::from(winner == met.players[0])];
            out[loser] = Some(round);
            winners[place] = Some(winner);
            shown.winner = Some(winner);
        }
        if winners.iter().all(Option::is_some) {
            alive = std::mem::take(&mut winners);
            replays = vec![0; alive.len() / 2];
            winners = byes(&alive);
            if alive.len() > 1 {
                stages.push(stage(&alive, &winners));
            }
        }
    }
    let open = alive.chunks(2).zip(&winners).filter(|(_, winner)| winner.is_none());
    let pairings = open.filter_map(|(two, _)| Some([two[0]?, (*two.get(1)?)?])).collect();
    Bracket { pairings, out, stages }
}

/// The matches of a stage before they are played.
fn stage(alive: &[Option<usize>], winners: &[Option<usize>]) -> Vec<BracketMatch> {
    let matches = alive.chunks_exact(2).zip(winners);
    matches
        .map(|(two, &winner)| BracketMatch { players: [two[0], two[1]], half_points: [0, 0], winner })
        .collect()
}

/// The players that advance by a bye.
fn byes(alive: &[Option<usize>]) -> Vec<Option<usize>> {
    alive.chunks_exact(2).map(|two| if two[1].is_none() { two[0] } else { None }).collect()
}

/// The order of seeds in a bracket of this size, a power of two: seeds 0 and 1 can meet only in the final.
fn seeding(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

/// The final order of a knockout, by the round of elimination.
#[must_use]
pub fn knockout_places(players: usize, played: &[Round]) -> Vec<usize> {
    let bracket = knockout(players, played);
    let mut order: Vec<_> = (0..players).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(bracket.out[player].unwrap_or(usize::MAX)));
    order
}

/// The stages of a knockout so far: the winners of two neighbouring matches meet in the next stage.
#[must_use]
pub fn knockout_bracket(players: usize, played: &[Round]) -> Vec<Vec<BracketMatch>> {
    knockout(players, played).stages
}

/// Tournaments of programs resume with the pairings of their journals, so these must not change.
fn greedy_swiss(is_present: &[bool], bye: usize, played: &[Round]) -> NextRound {
    let players = is_present.len();
    let mut points = vec![0; players];
    let mut has_met = vec![vec![false; players]; players];
    let mut has_had_bye = vec![false; players];
    for Round { results, byes } in played {
        for met in results {
            let [a, b] = met.players;
            points[a] += met.half_points[0];
            points[b] += met.half_points[1];
            (has_met[a][b], has_met[b][a]) = (true, true);
        }
        for &player in byes {
            has_had_bye[player] = true;
            points[player] += bye;
        }
    }
    let mut order: Vec<_> = (0..players).filter(|&player| is_present[player]).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(points[player]));
    let mut byes = Vec::new();
    if order.len() % 2 == 1 {
        // The lowest player without a bye so far gets one.
        let off = order.iter().rposition(|&player| !has_had_bye[player]).unwrap_or(order.len() - 1);
        byes.push(order.remove(off));
    }
    // Pairs each player with the next below it that it has not met, with bounded backtracking; if that fails,
    // rematches are allowed.
    let mut steps_left = 100_000;
    let mut pairings = Vec::new();
    if !pair_up(&order, &has_met, &mut pairings, &mut steps_left) {
        pairings = order.chunks_exact(2).map(|two| [two[0], two[1]]).collect();
    }
    NextRound { pairings, byes }
}

fn pair_up(
    order: &[usize],
    has_met: &[Vec<bool>],
    pairings: &mut Vec<[usize; 2]>,
    steps_left: &mut u32,
) -> bool {
    let Some((&leader, rest)) = order.split_first() else { return true };
    for (i, &opponent) in rest.iter().enumerate() {
        if *steps_left == 0 {
            return false;
        }
        *steps_left -= 1;
        if has_met[leader][opponent] {
            continue;
        }
        let mut others = rest.to_vec();
        others.remove(i);
        pairings.push([leader, opponent]);
        if pair_up(&others, has_met, pairings, steps_left) {
            return true;
        }
        pairings.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn unordered(pairing: [usize; 2]) -> [usize; 2] {
        [pairing[0].min(pairing[1]), pairing[0].max(pairing[1])]
    }

    /// The player with the lower index wins.
    fn decided(NextRound { pairings, byes }: NextRound) -> Round {
        let met = |players: [usize; 2]| {
            let half_points = if players[0] < players[1] { [4, 0] } else { [0, 4] };
            PairingResult { players, half_points }
        };
        Round { results: pairings.into_iter().map(met).collect(), byes }
    }

    /// The next round when all players are present.
    fn next(format: Format, players: usize, rounds: usize, played: &[Round]) -> NextRound {
        format.next_round(&vec![true; players], rounds, 4, played)
    }

    #[test]
    fn round_robin_pairs_everyone_once() {
        for players in 2..12 {
            let round = next(Format::RoundRobin, players, 0, &[]);
            let distinct: HashSet<_> = round.pairings.iter().copied().map(unordered).collect();
            assert_eq!(distinct.len(), round.pairings.len());
            assert_eq!(round.pairings.len(), Format::RoundRobin.pairings(players, 0));
            assert!(next(Format::RoundRobin, players, 0, &[decided(round)]).pairings.is_empty());
            for round in circle(players) {
                let playing: HashSet<_> = round.iter().flatten().collect();
                assert_eq!(playing.len(), players / 2 * 2, "each player once in a round");
            }
        }
    }

    #[test]
    fn gauntlet_pairs_the_first_player_with_all_others() {
        let round = next(Format::Gauntlet, 4, 0, &[]);
        assert_eq!(round.pairings, [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(next(Format::Gauntlet, 4, 0, &[decided(round)]), NextRound::default());
    }

    /// The first player stays, the others move on by one seat each round; with an odd number the last seat is empty.
    #[test]
    fn a_round_robin_is_paired_by_the_circle_method() {
        assert_eq!(circle(4), [[[0, 3], [1, 2]], [[0, 1], [2, 3]], [[0, 2], [1, 3]]]);
        assert_eq!(circle(3), [[[1, 2]], [[0, 1]], [[0, 2]]]);
        assert_eq!(circle(2), [[[0, 1]]]);
        assert_eq!(circle(0), Vec::<Vec<[usize; 2]>>::new());
    }

    #[test]
    fn the_number_of_pairings_is_known_before() {
        for (format, players, rounds, pairings) in [
            (Format::RoundRobin, 5, 0, 10),
            (Format::Gauntlet, 5, 0, 4),
            (Format::Knockout, 6, 0, 5),
            (Format::Swiss, 7, 4, 12),
        ] {
            assert_eq!(format.pairings(players, rounds), pairings);
        }
    }

    /// A round with these results: winner, loser.
    fn won(results: &[[usize; 2]]) -> Round {
        let met = |&players| PairingResult { players, half_points: [2, 0] };
        Round { results: results.iter().map(met).collect(), byes: Vec::new() }
    }

    #[test]
    fn the_best_seeds_of_a_knockout_have_byes_and_meet_late() {
        let mut played = Vec::new();
        let pairings = |played: &[Round]| next(Format::Knockout, 6, 0, played).pairings;
        assert_eq!(pairings(&played), [[3, 4], [2, 5]]);
        played.push(won(&[[4, 3]]));
        assert_eq!(pairings(&played), [[2, 5]], "a round waits for its last game");
        played.push(won(&[[5, 2]]));
        assert_eq!(pairings(&played), [[0, 4], [1, 5]]);
        played.push(won(&[[0, 4], [5, 1]]));
        assert_eq!(pairings(&played), [[0, 5]]);
        played.push(won(&[[5, 0]]));
        assert_eq!(pairings(&played), [[0; 2]; 0]);
        assert_eq!(
            knockout_places(6, &played),
            [5, 0, 1, 4, 2, 3],
            "by the round of elimination, then by seed"
        );
        let bracket = knockout_bracket(6, &played);
        let shown: Vec<Vec<_>> = bracket
            .iter()
            .map(|stage| stage.iter().map(|it| (it.players, it.half_points, it.winner)).collect())
            .collect();
        let met = |one, other, half_points, winner| ([Some(one), Some(other)], half_points, Some(winner));
        let bye = |seed| ([Some(seed), None], [0, 0], Some(seed));
        assert_eq!(
            shown,
            [
                vec![bye(0), met(3, 4, [0, 2], 4), bye(1), met(2, 5, [0, 2], 5)],
                vec![met(0, 4, [2, 0], 0), met(1, 5, [0, 2], 5)],
                vec![met(0, 5, [0, 2], 5)],
            ]
        );
        played.push(won(&[[3, 5]]));
        assert_eq!(knockout_places(6, &played)[0], 5, "a game of players who do not meet counts for nothing");
    }

    #[test]
    fn the_second_player_of_a_pairing_may_win_it() {
        let result = PairingResult { players: [0, 1], half_points: [1, 3] };
        let played = [Round { results: vec![result], byes: Vec::new() }];
        assert_eq!(next(Format::Knockout, 2, 0, &played).pairings, [[0; 2]; 0]);
        assert_eq!(knockout_places(2, &played), [1, 0]);
    }

    #[test]
    fn replays_of_a_knockout_are_counted_by_pairing() {
        let tie = |players| PairingResult { players, half_points: [1, 1] };
        let round = |results| Round { results, byes: Vec::new() };
        // Four players: [0, 3] is tied four times, [1, 2] once before 2 wins.
        let mut played = vec![round(vec![tie([0, 3]), tie([1, 2])])];
        played.push(round(vec![tie([3, 0]), won(&[[2, 1]]).results[0]]));
        for _ in 0..2 {
            assert_eq!(next(Format::Knockout, 4, 0, &played).pairings, [[0, 3]]);
            played.push(round(vec![tie([3, 0])]));
        }
        for _ in 0..=REPLAYS {
            assert_eq!(next(Format::Knockout, 4, 0, &played).pairings, [[0, 2]], "the final counts anew");
            played.push(round(vec![tie([2, 0])]));
        }
        assert_eq!(knockout_places(4, &played), [0, 2, 3, 1]);
        assert_eq!(knockout_bracket(4, &played)[0][0].half_points, [4, 4], "replays are added up");
    }

    #[test]
    fn knockout_leaves_one_player() {
        for players in 2..20 {
            let mut played = Vec::new();
            let mut count = 0;
            loop {
                let round = next(Format::Knockout, players, 0, &played);
                if round.pairings.is_empty() {
                    break;
                }
                count += round.pairings.len();
                played.push(decided(round));
            }
            assert_eq!(count, players - 1, "{players}");
            assert_eq!(knockout_places(players, &played)[..2], [0, 1], "the best two meet last");
        }
    }

    #[test]
    fn tied_knockout_is_replayed_then_better_seed_advances() {
        let results = vec![PairingResult { players: [0, 1], half_points: [2, 2] }];
        let tie = Round { results, byes: Vec::new() };
        for replays in 0..=REPLAYS {
            assert_eq!(next(Format::Knockout, 2, 0, &vec![tie.clone(); replays]).pairings, [[0, 1]]);
        }
        assert!(next(Format::Knockout, 2, 0, &vec![tie; REPLAYS + 1]).pairings.is_empty());
        let bracket = seeding(8);
        assert_eq!(bracket, [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn swiss_has_no_rematch_and_one_bye_each() {
        for players in 4..12 {
            let rounds = 3;
            let mut played: Vec<Round> = Vec::new();
            for _ in 0..rounds {
                let round = next(Format::Swiss, players, rounds, &played);
                assert_eq!(round.pairings.len(), players / 2);
                played.push(decided(round));
            }
            assert!(next(Format::Swiss, players, rounds, &played).pairings.is_empty());
            let byes: Vec<_> = played.iter().flat_map(|round| &round.byes).collect();
            assert_eq!(byes.iter().collect::<HashSet<_>>().len(), byes.len());
            let met = played.iter().flat_map(|round| &round.results);
            let pairings: Vec<_> = met.map(|met| unordered(met.players)).collect();
            let distinct: HashSet<_> = pairings.iter().copied().collect();
            assert_eq!(distinct.len(), pairings.len(), "{players} players: {pairings:?}");
        }
    }

    #[test]
    fn more_swiss_rounds_than_opponents_give_rematches() {
        let mut played = Vec::new();
        for _ in 0..5 {
            let round = next(Format::Swiss, 3, 5, &played);
            assert_eq!(round.pairings.len(), 1);
            played.push(decided(round));
        }
    }

    #[test]
    fn absent_players_are_not_paired_and_get_no_bye() {
        let played = [decided(next(Format::Swiss, 6, 3, &[]))];
        let round = Format::Swiss.next_round(&[true, false, true, true, false, true], 3, 4, &played);
        assert_eq!(round.pairings.iter().flatten().collect::<HashSet<_>>(), HashSet::from([&0, &2, &3, &5]));
        assert!(round.byes.is_empty());
    }

    #[test]
    fn swiss_pairs_by_points_then_by_number() {
        let played = [won(&[[3, 0], [1, 4], [5, 2]])];
        let round = next(Format::Swiss, 6, 3, &played);
        assert_eq!(round, NextRound { pairings: vec![[1, 3], [5, 0], [2, 4]], byes: Vec::new() });
        let draw = PairingResult { players: [0, 1], half_points: [1, 1] };
        let lost = PairingResult { players: [2, 3], half_points: [0, 2] };
        let played = [Round { results: vec![draw, lost], byes: Vec::new() }];
        assert_eq!(next(Format::Swiss, 4, 3, &played).pairings, [[3, 0], [1, 2]]);
    }

    /// The bye goes to the lowest player who has had none, with its points.
    #[test]
    fn a_bye_of_a_swiss_round_goes_to_the_lowest_and_counts() {
        let mut played = vec![Round { byes: vec![4], ..won(&[[0, 1], [2, 3]]) }];
        let round = Format::Swiss.next_round(&[true; 5], 3, 2, &played);
        assert_eq!(round, NextRound { pairings: vec![[0, 2], [4, 1]], byes: vec![3] });
        played.push(Round { byes: vec![3], ..won(&[[0, 2], [4, 1]]) });
        let round = Format::Swiss.next_round(&[true; 5], 3, 2, &played);
        assert_eq!(round, NextRound { pairings: vec![[0, 3], [4, 2]], byes: vec![1] }, "2 and 3 have met");
    }

    #[test]
    fn a_player_has_a_second_bye_when_all_had_one() {
        let played = [0, 1, 2].map(|player| Round { results: Vec::new(), byes: vec![player] });
        assert_eq!(next(Format::Swiss, 3, 4, &played).byes, [2]);
    }

    /// To pair the last players, others may have to be paired with lower ones.
    #[test]
    fn swiss_looks_for_pairings_without_a_rematch() {
        let played = [won(&[[0, 1], [2, 3]]), won(&[[0, 2], [1, 3]])];
        assert_eq!(next(Format::Swiss, 4, 5, &played).pairings, [[0, 3], [1, 2]]);
        let played = [&played[..], &[won(&[[0, 3], [1, 2]])]].concat();
        assert_eq!(next(Format::Swiss, 4, 5, &played).pairings, [[0, 1], [2, 3]], "all have met");
    }

    #[test]
    fn a_search_without_a_solution_stops() {
        // The last of forty has met everyone: no other pairing helps.
        let everyone: Vec<_> = (0..39).map(|player| [player, 39]).collect();
        let round = next(Format::Swiss, 40, 50, &[won(&everyone)]);
        let expected: Vec<_> = (0..20).map(|pair| [2 * pair, 2 * pair + 1]).collect();
        assert_eq!(round.pairings, expected);
    }
}
