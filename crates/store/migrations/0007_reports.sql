-- What people report about players, for operators.
CREATE TABLE reports (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    table_id TEXT NOT NULL,
    reporter TEXT NOT NULL,
    reporter_name TEXT NOT NULL,
    subject TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    reason TEXT NOT NULL,
    details TEXT NOT NULL,
    -- When an operator settled it, and how; zero if that is still to be done.
    settled BIGINT NOT NULL DEFAULT 0,
    note TEXT NOT NULL DEFAULT '',
    UNIQUE (table_id, reporter, subject)
);
CREATE INDEX reports_by_time ON reports (settled, at);
