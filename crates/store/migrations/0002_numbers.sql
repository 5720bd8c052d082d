-- Events are kept by a short number of their table, which grows with time, and no longer by its long random name: those
-- of the games being played lie close together, and a move changes fewer pages.

-- First, so that nobody writes into what is about to be copied.
ALTER TABLE events RENAME TO old_events;

ALTER TABLE tables ADD COLUMN number BIGINT;
UPDATE tables SET number = counted.number
    FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY created, id) AS number FROM tables) AS counted
    WHERE counted.id = tables.id;
CREATE UNIQUE INDEX tables_by_number ON tables (number);

-- Two writers who saw the same version meet at the primary key, and one of them wins.
CREATE TABLE events (
    table_number BIGINT NOT NULL,
    version      BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    payload      TEXT NOT NULL,           -- json
    PRIMARY KEY (table_number, version)
);
INSERT INTO events (table_number, version, at, payload)
    SELECT tables.number, old_events.version, old_events.at, old_events.payload
    FROM old_events JOIN tables ON tables.id = old_events.table_id
    ORDER BY tables.number, old_events.version;
DROP TABLE old_events;
