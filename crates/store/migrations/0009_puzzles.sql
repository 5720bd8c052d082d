-- The ratings of accounts against puzzles, by game.
CREATE TABLE puzzle_ratings (
    account    TEXT NOT NULL,
    game       TEXT NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    puzzles    BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (account, game)
);

-- Each puzzle once per account: the key is what keeps it from being rated twice.
CREATE TABLE puzzle_attempts (
    account TEXT NOT NULL,
    game    TEXT NOT NULL,
    number  BIGINT NOT NULL,
    solved  BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (account, game, number)
);
