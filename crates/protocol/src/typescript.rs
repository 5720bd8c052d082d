//! Generates the TypeScript types of all messages, for the npm package and the page, and fails when the checked-in file
//! differs.

use std::collections::BTreeMap;

use rules::GameInfo;
use solver::Solution;
use study::{
    even::{Even, Met},
    review::Reviewed,
    skills::{Exercise, Mattered, Observed, Profile as SkillProfile},
};
use testkit::{check_generated, regenerate_command};
use ts_rs::{Config, TS, TypeVisitor};

use crate::{
    AccountData, AccountSkills, AnalysisRequest, Answer, Assessment, BotEvent, Command, Confirmation,
    Credentials, GameEntry, GameRecord, GuestName, GuestWords, KeptGame, LearnedEverywhere, LearnedHere, Me,
    NewPassword, NewReport, NewTable, NewToken, NewTournament, Paired, Profile, Push, Puzzle, PuzzleAttempt,
    PuzzleProgress, PuzzleRecord, PuzzleStep, RankingEntry, RatingPoint, Recovery, RecoveryCode, Replay,
    Request, ServerInfo, SessionSummary, TableCreated, TableList, TableStreamLine, TokenCreated,
    TokenSummary, TournamentCommand, TournamentCreated, TournamentSummary, TournamentView,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../js/protocol.d.ts");
const PACKAGE: &str = env!("CARGO_PKG_NAME");

/// The declarations of visited types by name.
struct Declarations {
    config: Config,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types with a declaration of their own have a path.
        let name = T::ident(&self.config);
        if T::output_path().is_none() || self.by_name.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.by_name.insert(name, format!("{docs}export {}\n", T::decl(&self.config)));
        T::visit_dependencies(self);
    }
}

fn generated() -> String {
    let config = Config::new().with_large_int("number");
    let mut declarations = Declarations { config, by_name: BTreeMap::new() };
    let of = &mut declarations;
    // Socket.IO.
    of.visit::<Request>();
    of.visit::<Command>();
    of.visit::<Answer>();
    of.visit::<Push>();
    // Streams over HTTP.
    of.visit::<TableStreamLine>();
    of.visit::<BotEvent>();
    // Bodies and responses over HTTP.
    of.visit::<Credentials>();
    of.visit::<NewPassword>();
    of.visit::<Confirmation>();
    of.visit::<Recovery>();
    of.visit::<RecoveryCode>();
    of.visit::<AccountData>();
    of.visit::<NewReport>();
    of.visit::<KeptGame>();
    of.visit::<NewToken>();
    of.visit::<TokenCreated>();
    of.visit::<TokenSummary>();
    of.visit::<SessionSummary>();
    of.visit::<AccountSkills>();
    of.visit::<LearnedHere>();
    of.visit::<LearnedEverywhere>();
    of.visit::<ServerInfo>();
    of.visit::<Me>();
    of.visit::<GuestName>();
    of.visit::<GuestWords>();
    of.visit::<Profile>();
    of.visit::<RankingEntry>();
    of.visit::<RatingPoint>();
    of.visit::<GameEntry>();
    of.visit::<GameInfo>();
    of.visit::<NewTable>();
    of.visit::<TableCreated>();
    of.visit::<TableList>();
    of.visit::<Paired>();
    of.visit::<GameRecord>();
    of.visit::<Replay>();
    of.visit::<AnalysisRequest>();
    of.visit::<Assessment>();
    of.visit::<Reviewed>();
    // Responses of the core alone.
    of.visit::<Solution>();
    of.visit::<Observed>();
    of.visit::<SkillProfile>();
    of.visit::<Exercise>();
    of.visit::<Mattered>();
    of.visit::<Met>();
    of.visit::<Even>();
    of.visit::<Puzzle>();
    of.visit::<PuzzleAttempt>();
    of.visit::<PuzzleStep>();
    of.visit::<PuzzleRecord>();
    of.visit::<PuzzleProgress>();
    of.visit::<NewTournament>();
    of.visit::<TournamentCommand>();
    of.visit::<TournamentCreated>();
    of.visit::<TournamentSummary>();
    of.visit::<TournamentView>();
    let header =
        format!("// Generated from crates/protocol. Do not edit; run\n// {}\n", regenerate_command(PACKAGE));
    let declarations = declarations.by_name.values().map(|declaration| format!("\n{declaration}"));
    header + &declarations.collect::<String>()
}

#[test]
fn typescript_is_up_to_date() {
    check_generated(FILE.as_ref(), &generated(), PACKAGE);
}
