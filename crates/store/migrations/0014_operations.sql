-- What operators, organisers and owners of accounts did, for as long as the host keeps it.
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    -- The id of an account or guest, or "operator".
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    -- The id of an account, a guest, a table or a tournament, or a network.
    subject TEXT NOT NULL,
    details TEXT NOT NULL
);
CREATE INDEX audit_by_time ON audit (at);

-- Bans and mutes of accounts, guests and networks.
CREATE TABLE restrictions (
    subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    since BIGINT NOT NULL,
    -- When it ends; zero if only an operator can lift it.
    ends BIGINT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (subject, kind)
);

-- The operator's messages to all players.
CREATE TABLE announcements (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    message TEXT NOT NULL
);

-- The settings that workers may read; the others are secrets.
CREATE VIEW public_settings AS SELECT name, value FROM settings WHERE name = 'oldest-schema';
