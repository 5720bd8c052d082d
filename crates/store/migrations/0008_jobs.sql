-- What servers on PostgreSQL ask workers to think about. Nothing here outlives the question.
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    -- The node that asks, and when it was last known to want the answer.
    node TEXT NOT NULL,
    wanted BIGINT NOT NULL,
    client TEXT NOT NULL,
    address TEXT NOT NULL,
    class TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- When its turn would be if all owners had as much running.
    due BIGINT NOT NULL,
    payload TEXT NOT NULL,
    -- Who thinks about it, and its last sign of life.
    worker TEXT,
    beat BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX jobs_by_address ON jobs (address);
CREATE TABLE job_outputs (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (job, number)
);
