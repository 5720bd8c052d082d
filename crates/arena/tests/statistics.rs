//! Error rates of the tests in simulated matches with the properties of real ones: repeated openings whose games repeat
//! move by move, and forfeits.

use alinea_arena::{
    Fault, PlayedGame, Record, Slot,
    bout::TimeUsed,
    elo::{self, Pairs},
    evidence,
    sprt::{Model, Sprt, Verdict},
};
use fastrand::Rng;
use rules::{Outcome, Side};

use crate::coverage::{self, DIFFERENCES, DRAWS, FIELDS, KINDS};

const TEST: Sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
const MATCHES: u64 = 400;
/// With error rates of 5 %, 400 matches give at most 20 wrong verdicts on average; 29 is two standard deviations more.
const MOST_WRONG: u64 = 29;

/// How simulated matches are played.
struct Players {
    /// The chances of a pair with 0 to 4 half points.
    chances: [f64; 5],
    /// The chance that a side forfeits a game.
    forfeits: f64,
    /// How many openings there are; each gives the same games whenever it comes.
    openings: u64,
}

/// Half of the pairs are even. Some pairs are won twice instead, so that the mean score fits this Elo difference.
fn chances(elo: f64) -> [f64; 5] {
    let won = 2.0 * elo::to_score(elo) - 1.0;
    let even = [0.05, 0.2, 0.5, 0.2, 0.05];
    std::array::from_fn(|i| even[i] * (1.0 - won) + if i == 4 { won } else { 0.0 })
}

fn outcome(half_points: usize, side: Side) -> Outcome {
    match half_points {
        0 => Outcome::Win(side.other()),
        1 => Outcome::Draw,
        _ => Outcome::Win(side),
    }
}

impl Players {
    /// The two games of an opening, of A first and then of B; the same for the same opening.
    fn pair(&self, number: usize, opening: u64, seed: u64) -> [Record; 2] {
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003) ^ opening);
        let mut lot = rng.f64();
        let drawn = self.chances.iter().position(|chance| {
            lot -= chance;
            lot < 0.0
        });
        let sum = drawn.unwrap_or(4);
        let of_a = [sum / 2 + (sum % 2) * usize::from(rng.bool()), 0];
        let of_a = [of_a[0], sum - of_a[0]];
        [0, 1].map(|game| {
            let (side, players) =
                if game == 0 { (Side::First, ["A", "B"]) } else { (Side::Second, ["B", "A"]) };
            let forfeit = rng.f64() < 2.0 * self.forfeits;
            let loser = if rng.bool() { Side::First } else { Side::Second };
            let crash = Fault::Crash { status: "exit code 1".to_owned() };
            Record {
                played: PlayedGame {
                    slot: Slot { round: 0, pairing: 0, pair: number, game },
                    players: players.map(str::to_owned),
                    position: None,
                    moves: format!("{opening} {game}"),
                    result: if forfeit { Outcome::Win(loser.other()) } else { outcome(of_a[game], side) },
                    forfeit: forfeit.then_some(crash),
                },
                spec: "connect-four".parse().unwrap(),
                opening: 1,
                adjudicated: None,
                spent: [TimeUsed::default(); 2],
                evaluations: Vec::new(),
            }
        })
    }

    /// Counts the matches that are accepted and rejected, by the evidence, and if every pair counted.
    fn verdicts(&self, seed: u64) -> [[u64; 2]; 2] {
        let mut counts = [[0; 2]; 2];
        for number in 0..MATCHES {
            let seed = seed + 10_000 * number;
            let mut rng = Rng::with_seed(seed);
            let (mut records, mut all) = (Vec::new(), Pairs::default());
            let mut verdicts = [Verdict::Open; 2];
            for pair in 0..400 {
                let games = self.pair(pair, rng.u64(..self.openings), seed);
                all.add(games[0].half_points(Side::First) + games[1].half_points(Side::Second));
                records.extend(games);
                if pair % 20 == 19 {
                    let looks = [evidence::pairs(&records, "A", "B"), all];
                    for (verdict, pairs) in verdicts.iter_mut().zip(&looks) {
                        if *verdict == Verdict::Open {
                            *verdict = TEST.verdict(pairs);
                        }
                    }
                    if verdicts.iter().all(|verdict| *verdict != Verdict::Open) {
                        break;
                    }
                }
            }
            for (count, verdict) in counts.iter_mut().zip(verdicts) {
                match verdict {
                    Verdict::Accepted => count[0] += 1,
                    Verdict::Rejected => count[1] += 1,
                    Verdict::Open => {}
                }
            }
        }
        counts
    }
}

#[test]
#[ignore = "takes long: make test-all"]
fn error_rates_hold_when_openings_come_again() {
    let equal = Players { chances: chances(0.0), forfeits: 0.0, openings: 20 };
    let [[accepted, _], [if_all_counted, _]] = equal.verdicts(1);
    assert!(accepted <= MOST_WRONG, "identical players: {accepted} of {MATCHES} accepted");
    assert!(if_all_counted > MOST_WRONG, "the simulation shows nothing: {if_all_counted} accepted");
    let stronger = Players { chances: chances(50.0), ..equal };
    let [[_, rejected], [_, if_all_counted]] = stronger.verdicts(2);
    assert!(rejected <= MOST_WRONG, "stronger by 50: {rejected} of {MATCHES} rejected");
    assert!(if_all_counted > MOST_WRONG, "the simulation shows nothing: {if_all_counted} rejected");
}

#[test]
fn error_rates_hold_with_forfeits() {
    // One game in ten is forfeited, by either side.
    let equal = Players { chances: chances(0.0), forfeits: 0.05, openings: u64::MAX };
    let [[accepted, rejected], _] = equal.verdicts(3);
    assert!(accepted <= MOST_WRONG, "identical players: {accepted} of {MATCHES} accepted");
    assert!(rejected > MATCHES / 2, "most matches are decided: {rejected}");
    // Forfeits bring both sides nearer to one half; the strength that is left is what the test is about.
    let share = elo::to_score(50.0) - 0.5;
    let stronger = Players { chances: chances(elo::from_score(0.5 + share / 0.9)), ..equal };
    let [[accepted, rejected], _] = stronger.verdicts(4);
    assert!(rejected <= MOST_WRONG, "stronger by 50: {rejected} of {MATCHES} rejected");
    assert!(accepted > MATCHES / 2, "most matches are decided: {accepted}");
}

/// Simulates matches with each number of pairs, each difference and each kind of games, and checks that the interval
/// misses the true difference in at most 5.5 % of them; with few matches, over all differences and kinds together.
fn check_coverage(counts: impl IntoIterator<Item = u64>, matches: u64) {
    let mut rng = Rng::with_seed(1);
    for count in counts {
        let (mut missed, mut all) = (0, 0);
        for true_difference in DIFFERENCES {
            for (kind, draws, decided) in KINDS {
                let chances = coverage::chances(true_difference, draws, decided);
                let here = coverage::missed(count, &chances, matches, &mut rng);
                if matches >= 1000 {
                    let share = here as f64 / matches as f64;
                    assert!(share <= 0.055, "{count} pairs, {true_difference} Elo, {kind}: {share} missed");
                }
                (missed, all) = (missed + here, all + matches);
            }
        }
        assert!(missed as f64 <= 0.055 * all as f64, "{count} pairs: {missed} of {all} missed");
    }
}

#[test]
fn the_interval_contains_the_true_difference() {
    check_coverage([2, 3, 4, 5, 7, 10, 20, 50], 60);
}

#[test]
#[ignore = "takes long: make test-all"]
fn the_interval_contains_the_true_difference_at_every_number_of_pairs() {
    check_coverage(2..=50, 1000);
}

/// Simulates tournaments with each number of pairs, each field of players and each share of draws, and checks that the
/// ratings miss the truth in at most 5.5 %; with few tournaments, over all of them together.
fn check_ratings(counts: impl IntoIterator<Item = u64>, tournaments: u64) {
    let mut rng = Rng::with_seed(1);
    for count in counts {
        let (mut missed, mut all) = (0, 0);
        for field in FIELDS {
            for draws in DRAWS {
                let [here, ratings] = coverage::missed_ratings(field, count, draws, tournaments, &mut rng);
                if tournaments >= 1000 {
                    // Half a percent for chance.
                    let share = here as f64 / ratings as f64;
                    assert!(share <= 0.06, "{count} pairs, {field:?}, {draws} drawn: {share} missed");
                }
                (missed, all) = (missed + here, all + ratings);
            }
        }
        assert!(missed as f64 <= 0.055 * all as f64, "{count} pairs: {missed} of {all} missed");
    }
}

#[test]
fn ratings_of_several_players_contain_the_truth() {
    check_ratings([2, 3, 5, 10, 50], 20);
}

#[test]
#[ignore = "takes long: make test-all"]
fn ratings_of_several_players_contain_the_truth_at_any_number_of_pairs() {
    check_ratings([2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50], 4000);
}
