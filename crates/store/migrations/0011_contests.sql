-- Tournaments of programs whose games workers play. The journal of the coordinator is the truth; nothing here outlives
-- its run.
CREATE TABLE contests (
    id TEXT PRIMARY KEY,
    -- What workers need to play its games, and the version of the program that they must have.
    settings TEXT NOT NULL,
    version TEXT NOT NULL,
    -- 1 if its players are commands, which a worker runs only if it is allowed to.
    commands BIGINT NOT NULL,
    -- Who takes the results, and its last sign of life.
    coordinator TEXT NOT NULL,
    beat BIGINT NOT NULL,
    -- Why a worker cannot play it.
    failure TEXT
);
CREATE TABLE contest_games (
    contest TEXT NOT NULL REFERENCES contests (id) ON DELETE CASCADE,
    -- The place in the schedule, in the words of the coordinator; a result is that of a contest and such a place.
    game TEXT NOT NULL,
    -- Lower ones are played first.
    number BIGINT NOT NULL,
    -- Who plays it, and its last sign of life.
    worker TEXT,
    beat BIGINT NOT NULL DEFAULT 0,
    record TEXT,
    PRIMARY KEY (contest, game)
);
CREATE INDEX contest_games_to_play ON contest_games (number) WHERE record IS NULL;
