-- What accounts learn from their games, private to each: reviewed games, exercises, and results of puzzle rushes and
-- streaks. Versions order the changes of an account, so that its devices fetch only what is new.
CREATE TABLE learned (
    account TEXT NOT NULL,
    kind    TEXT NOT NULL,            -- game, exercise, run
    id      TEXT NOT NULL,
    family  TEXT NOT NULL,            -- the game, such as connect-four
    at      BIGINT NOT NULL,
    version BIGINT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (account, kind, id)
);
CREATE INDEX learned_by_version ON learned (account, version);

-- The last version. A transaction that writes locks the row of the account.
ALTER TABLE accounts ADD COLUMN learned BIGINT NOT NULL DEFAULT 0;
