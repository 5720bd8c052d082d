-- What tournaments of programs on this database have told of themselves; it outlives their runs.
CREATE TABLE contest_reports (
    id      TEXT PRIMARY KEY,
    updated BIGINT NOT NULL,
    report  TEXT NOT NULL
);
