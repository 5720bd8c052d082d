//! How often the 95 % interval of a match misses the true difference, and how wide it is, by the number of pairs; and how
//! often the ratings of a tournament miss the truth.
//!
//! `cargo bench -p alinea-arena --bench statistics`

#[path = "../tests/coverage.rs"]
mod coverage;

use std::time::Instant;

use coverage::{DIFFERENCES, DRAWS, FIELDS, KINDS};

/// Simulated matches with each number of pairs, each difference and each kind of games.
const MATCHES: u64 = 4000;

fn main() {
    let begin = Instant::now();
    let mut rng = fastrand::Rng::with_seed(1);
    println!(
        "{MATCHES} matches in each cell: the share whose 95 % interval does not contain the true difference"
    );
    for (kind, draws, decided) in KINDS {
        println!(
            "\n{kind}\npairs{}   half width at ±0",
            DIFFERENCES.map(|it| format!("{:>9}", format!("{it:+}"))).concat()
        );
        for count in [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50] {
            let cells = DIFFERENCES.map(|difference| {
                let chances = coverage::chances(difference, draws, decided);
                let missed = coverage::missed(count, &chances, MATCHES, &mut rng);
                format!("{:>7.2} %", 100.0 * missed as f64 / MATCHES as f64)
            });
            let even = coverage::chances(0.0, draws, decided);
            let mut widths: Vec<_> = (0..200)
                .filter_map(|_| coverage::played(count, &even, &mut rng).elo())
                .map(|elo| (elo.interval[1] - elo.interval[0]) / 2.0)
                .collect();
            widths.sort_by(f64::total_cmp);
            println!("{count:>5}{}   {:.0}", cells.concat(), widths[widths.len() / 2]);
        }
    }
    println!("\nthe same for the ratings of round robins, by the share of draws: {DRAWS:?}");
    for field in FIELDS {
        let field_text: Vec<_> = field.iter().map(|elo| format!("{elo:.0}")).collect();
        println!("\n{}\npairs", field_text.join(" "));
        for count in [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50] {
            let cells = DRAWS.map(|draws| {
                let [missed, all] = coverage::missed_ratings(field, count, draws, MATCHES, &mut rng);
                format!("{:>7.2} %", 100.0 * missed as f64 / all as f64)
            });
            println!("{count:>5}{}", cells.concat());
        }
    }
    println!("\n{:.0} s", begin.elapsed().as_secs_f64());
}
