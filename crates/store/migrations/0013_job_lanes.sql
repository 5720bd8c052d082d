-- Jobs wait in lanes by how long they run, and their owners take turns.
ALTER TABLE jobs ADD COLUMN lane TEXT NOT NULL DEFAULT 'long';
-- When addresses and clients were last served, in each lane.
CREATE TABLE job_turns (
    lane TEXT NOT NULL,
    owner TEXT NOT NULL,
    served BIGINT NOT NULL,
    PRIMARY KEY (lane, owner)
);
