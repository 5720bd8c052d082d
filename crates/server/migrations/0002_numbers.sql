-- Events are kept by a short number of their table, which grows with time, and no longer by its long random name: those
-- of the games being played lie close together, and a move changes fewer pages.
ALTER TABLE tables ADD COLUMN number BIGINT;
UPDATE tables SET number = counted.number
    FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY created, id) AS number FROM tables) AS counted
    WHERE counted.id = tables.id;
CREATE UNIQUE INDEX tables_by_number ON tables (number);

-- Two writers who saw the same version meet at the primary key, and one of them wins.
CREATE TABLE log (
    table_number BIGINT NOT NULL,
    version      BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    payload      TEXT NOT NULL,           -- json
    PRIMARY KEY (table_number, version)
);
INSERT INTO log (table_number, version, at, payload)
    SELECT tables.number, events.version, events.at, events.payload
    FROM events JOIN tables ON tables.id = events.table_id
    ORDER BY tables.number, events.version;
DROP TABLE events;
ALTER TABLE log RENAME TO events;
