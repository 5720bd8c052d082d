-- Whether a tournament needs nothing more: it is over, and so are its games that nobody had begun. Version 0.2 left those
-- games behind, so each of its tournaments is looked at once.
ALTER TABLE tournaments ADD COLUMN closed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX tournaments_by_closed ON tournaments (closed, phase);
