-- Ratings follow from results: each list begins with the ratings of version 0.2, and its results are applied in order.

-- A transaction that rates or recomputes locks the row of its list, so that nodes agree about the order.
CREATE TABLE rating_lists (
    game       TEXT NOT NULL,
    clock_kind TEXT NOT NULL,
    results    BIGINT NOT NULL,           -- the number of the last result
    PRIMARY KEY (game, clock_kind)
);

CREATE TABLE results (
    table_id     TEXT PRIMARY KEY,        -- the key is what keeps a game from being rated twice
    game         TEXT NOT NULL,
    clock_kind   TEXT NOT NULL,
    number       BIGINT NOT NULL,         -- the place in its list, from 1
    at           BIGINT NOT NULL,
    tournament   TEXT,
    first_id     TEXT,                    -- an account, a random mark once that is deleted; NULL for a program
    second_id    TEXT,
    first_fixed  DOUBLE PRECISION NOT NULL, -- the rating of a program at that time
    second_fixed DOUBLE PRECISION NOT NULL,
    winner       TEXT,                    -- first, second; NULL for a draw
    voided       BIGINT NOT NULL DEFAULT 0 -- when an operator voided it; 0 if it counts
);
CREATE UNIQUE INDEX results_by_number ON results (game, clock_kind, number);
CREATE INDEX results_by_first ON results (first_id, second_id, number);
CREATE INDEX results_by_second ON results (second_id, number);
CREATE INDEX results_by_tournament ON results (tournament);

CREATE TABLE rating_starts (
    account    TEXT NOT NULL,
    game       TEXT NOT NULL,
    clock_kind TEXT NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games      BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (account, game, clock_kind)
);
INSERT INTO rating_starts (account, game, clock_kind, rating, deviation, volatility, games, at)
    SELECT account, game, clock_kind, rating, deviation, volatility, games, at FROM ratings;

-- The state of a player after each result that counts, so that recomputing can begin in the middle. Rows of version
-- 0.2 have number 0.
ALTER TABLE rating_history ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rating_history ADD COLUMN volatility DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE rating_history ADD COLUMN games BIGINT NOT NULL DEFAULT 0;
CREATE INDEX rating_history_by_number ON rating_history (account, game, clock_kind, number);
