-- Tournaments of people: a row for lists, and the log, which is the truth.
CREATE TABLE tournaments (
    id        TEXT PRIMARY KEY,
    organiser TEXT NOT NULL,
    phase     TEXT NOT NULL,
    listed    BIGINT NOT NULL,
    -- When it begins by itself.
    starts    BIGINT,
    updated   BIGINT NOT NULL,
    summary   TEXT NOT NULL
);
CREATE INDEX tournaments_by_phase ON tournaments (phase, updated);

-- The key lets one of two writers win.
CREATE TABLE tournament_events (
    tournament TEXT NOT NULL,
    version    BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    payload    TEXT NOT NULL,
    PRIMARY KEY (tournament, version)
);
