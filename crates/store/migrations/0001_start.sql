-- Read by SQLite and by PostgreSQL: only text, whole numbers and doubles, times in milliseconds since 1970.

-- What a list shows of a table. The truth about its game is in events.
CREATE TABLE tables (
    id         TEXT PRIMARY KEY,
    code       TEXT UNIQUE,            -- for the door; freed when nobody can come in any more
    settings   TEXT NOT NULL,          -- json; the next six are copies of what is in it, to find tables by
    family     TEXT NOT NULL,          -- connect-four
    game       TEXT NOT NULL,          -- connect-four:6x7x4
    clock_kind TEXT NOT NULL,
    rated      BIGINT NOT NULL,
    listed     BIGINT NOT NULL,
    invited    TEXT,                   -- the only one who may take the open seat
    seats      TEXT NOT NULL,          -- json; the next two are copies of the persons in it
    first_id   TEXT,
    second_id  TEXT,
    status     TEXT NOT NULL,          -- open, playing, ended
    winner     TEXT,                   -- first, second
    reason     TEXT,
    ply        BIGINT NOT NULL,
    created    BIGINT NOT NULL,
    updated    BIGINT NOT NULL,
    needs_care BIGINT NOT NULL,        -- a program's turn or a running clock: some node must look after it
    node       TEXT                    -- the one that does
);
CREATE INDEX tables_by_status ON tables (status, created);
CREATE INDEX tables_by_family ON tables (family, created);
CREATE INDEX tables_by_created ON tables (created);
CREATE INDEX tables_by_first ON tables (first_id, created);
CREATE INDEX tables_by_second ON tables (second_id, created);
CREATE INDEX tables_by_invited ON tables (invited, created);
CREATE INDEX tables_by_care ON tables (needs_care, node);

-- The log of every game. Two writers who saw the same version meet at the primary key, and one of them wins.
CREATE TABLE events (
    table_id TEXT NOT NULL,
    version  BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    payload  TEXT NOT NULL,               -- json
    PRIMARY KEY (table_id, version)
);

CREATE TABLE seeks (
    id       TEXT PRIMARY KEY,
    player   TEXT NOT NULL,               -- id of the person
    sitter   TEXT NOT NULL,               -- json
    wish     TEXT NOT NULL,               -- json
    rating   BIGINT NOT NULL,
    since    BIGINT NOT NULL,
    seen     BIGINT NOT NULL,
    table_id TEXT                         -- once paired
);

CREATE TABLE nodes (
    node TEXT PRIMARY KEY,
    seen BIGINT NOT NULL
);

-- When no node could reach the database: no clock is charged for it.
CREATE TABLE downtimes (
    from_at BIGINT PRIMARY KEY,
    to_at   BIGINT NOT NULL
);

CREATE TABLE accounts (
    id       TEXT PRIMARY KEY,
    name     TEXT NOT NULL,
    folded   TEXT NOT NULL UNIQUE,        -- the name in lower case
    password TEXT NOT NULL,               -- argon2, PHC string
    created  BIGINT NOT NULL
);

CREATE TABLE sessions (
    id      TEXT PRIMARY KEY,
    token   TEXT NOT NULL UNIQUE,         -- sha-256 of what the browser keeps
    account TEXT NOT NULL,
    agent   TEXT NOT NULL,
    created BIGINT NOT NULL,
    seen    BIGINT NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account);

CREATE TABLE api_tokens (
    id      TEXT PRIMARY KEY,
    token   TEXT NOT NULL UNIQUE,         -- sha-256 of what the program keeps
    account TEXT NOT NULL,
    label   TEXT NOT NULL,
    created BIGINT NOT NULL
);
CREATE INDEX api_tokens_by_account ON api_tokens (account);

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE ratings (
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
CREATE INDEX ratings_by_rank ON ratings (game, clock_kind, rating);

-- Each rated game once per account: the key is what keeps a game from being rated twice.
CREATE TABLE rating_history (
    table_id  TEXT NOT NULL,
    account   TEXT NOT NULL,
    game      TEXT NOT NULL,
    clock_kind TEXT NOT NULL,
    rating    DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (table_id, account)
);
CREATE INDEX rating_history_by_account ON rating_history (account, game, clock_kind, at);
