//! The search queue on PostgreSQL, shared by servers and workers. All times are those of the database, so the
//! clocks of the machines do not matter. Writes are not synced: a lost job is queued again.

use sqlx::{AssertSqlSafe, Row};

use super::{Call, Hint, Result, Store, Transaction, count, number};

/// The time now, in milliseconds.
pub(super) const NOW: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
/// A worker without a heartbeat for this long is dead, and its jobs go to others.
const DEAD_AFTER_MS: u64 = 4_000;
/// A job that its node has not requested for this long is deleted.
const UNWANTED_AFTER_MS: u64 = 10_000;
/// An owner that was served longer ago than this counts as never served.
const FORGET_TURNS_AFTER_MS: u64 = 600_000;

/// A job to be queued.
pub struct NewJob<'a> {
    /// A unique name.
    pub id: &'a str,
    /// The client to whose share the job counts.
    pub client: &'a str,
    /// The address of the client.
    pub address: &'a str,
    /// The class of the job, such as `opponent`.
    pub class: &'static str,
    /// The lane of the job, such as `quick`: each has slots of its own.
    pub lane: &'static str,
    /// The handicap: the job queues as if it had arrived, and its owner had been served, this much later.
    pub handicap_ms: u64,
    /// The job as JSON.
    pub payload: String,
    /// Maximum numbers of other waiting jobs of its class, for its client and its address.
    pub most_waiting: Option<(u64, u64)>,
}

/// Waiting jobs of a class and a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingJobs {
    /// The class, such as `opponent`.
    pub class: String,
    /// The lane, such as `quick`.
    pub lane: String,
    /// The number of jobs.
    pub jobs: u64,
    /// The number of their addresses.
    pub addresses: u64,
}

/// A job that a worker has taken.
pub struct TakenJob {
    /// The name of the job.
    pub id: String,
    /// The job as JSON.
    pub payload: String,
    /// How long the job waited.
    pub waited_ms: u64,
    /// The number of its next output: another worker may have started the job.
    pub next_output: u64,
}

impl Store {
    /// A transaction that does not wait for the disk.
    pub(super) async fn begin_unsynced(&self) -> Result<Transaction> {
        let mut transaction = self.begin().await?;
        let done = transaction.change("SET LOCAL synchronous_commit = off", |query| query).await;
        match done {
            Ok(_) => Ok(transaction),
            Err(error) => transaction.finish(Err(error)).await,
        }
    }

    /// Queues a job. False if too many are waiting for its client or its address.
    pub fn add_job<'a>(&'a self, job: &'a NewJob<'a>) -> Call<'a, bool> {
        Box::pin(async move {
            let (of_client, of_address) = job.most_waiting.unwrap_or((u64::MAX, u64::MAX));
            let sql = AssertSqlSafe(format!(
                "INSERT INTO jobs (id, node, wanted, client, address, class, created, due, payload, lane)
            SELECT $1, $2, {NOW}, $3, $4, $5, {NOW}, {NOW} + $6, $7, $10
            WHERE (SELECT COUNT(*) FROM jobs WHERE worker IS NULL AND class = $5 AND client = $3) < $8
                AND (SELECT COUNT(*) FROM jobs WHERE worker IS NULL AND class = $5 AND address = $4) < $9"
            ));
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                let bind = |query: super::Bound| {
                    let query = query.bind(job.id).bind(self.node()).bind(job.client).bind(job.address);
                    let query = query.bind(job.class).bind(number(job.handicap_ms)).bind(job.payload.clone());
                    query.bind(number(of_client)).bind(number(of_address)).bind(job.lane)
                };
                let is_queued = transaction.change(sql, bind).await? > 0;
                if is_queued {
                    self.notify_others(&mut transaction, "job").await?;
                }
                Ok(is_queued)
            }
            .await;
            let is_queued = transaction.finish(done).await?;
            if is_queued {
                self.notify_local(Hint::Job);
            }
            Ok(is_queued)
        })
    }

    /// Takes the next job of a lane, in the same order as the fair queue in memory: from the address with the fewest running
    /// jobs, of those the one served longest ago; then from the client with the fewest, of those the one served longest
    /// ago; then the job that is due first. A spare slot serves only addresses without a running job.
    pub fn take_job<'a>(
        &'a self,
        worker: &'a str,
        lane: &'static str,
        is_spare: bool,
    ) -> Call<'a, Option<TakenJob>> {
        Box::pin(async move {
            let alive = format!("worker IS NOT NULL AND beat >= {NOW} - {DEAD_AFTER_MS}");
            let of_address = format!(
                "(SELECT COUNT(*) FROM jobs r WHERE r.address = j.address AND r.lane = j.lane AND r.{alive})"
            );
            let of_client = format!(
                "(SELECT COUNT(*) FROM jobs r WHERE r.address = j.address AND r.client = j.client
                    AND r.lane = j.lane AND r.{alive})"
            );
            let condition = if is_spare { format!("AND {of_address} = 0") } else { String::new() };
            let sql = AssertSqlSafe(format!(
                "UPDATE jobs SET worker = $1, beat = {NOW} WHERE id = (
                SELECT id FROM jobs j
                    LEFT JOIN job_turns a ON a.lane = j.lane AND a.owner = 'address ' || j.address
                    LEFT JOIN job_turns c ON c.lane = j.lane AND c.owner = 'client ' || j.client
                WHERE j.lane = $2 AND NOT ({alive}) {condition}
                ORDER BY {of_address}, COALESCE(a.served, 0) + j.due - j.created,
                    {of_client}, COALESCE(c.served, 0), j.due, j.id LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
            RETURNING id, payload, {NOW} - created,
                (SELECT COALESCE(MAX(o.number) + 1, 0) FROM job_outputs o WHERE o.job = jobs.id), address, client"
            ));
            let served = AssertSqlSafe(format!(
                "INSERT INTO job_turns (lane, owner, served)
                VALUES ($1, 'address ' || $2, {NOW}), ($1, 'client ' || $3, {NOW})
                ON CONFLICT (lane, owner) DO UPDATE SET served = excluded.served"
            ));
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                let row = transaction.one(sql, |query| query.bind(worker).bind(lane)).await?;
                if let Some(row) = &row {
                    let (address, client): (String, String) = (row.try_get(4)?, row.try_get(5)?);
                    transaction.change(served, |query| query.bind(lane).bind(address).bind(client)).await?;
                }
                Ok(row)
            }
            .await;
            let Some(row) = transaction.finish(done).await? else { return Ok(None) };
            Ok(Some(TakenJob {
                id: row.try_get(0)?,
                payload: row.try_get(1)?,
                waited_ms: count(&row, 2)?,
                next_output: count(&row, 3)?,
            }))
        })
    }

    /// Sends a worker's heartbeat. Returns the jobs that still belong to it: others are no longer wanted, or went to
    /// another worker while this one was paused.
    pub fn beat<'a>(&'a self, worker: &'a str) -> Call<'a, Vec<String>> {
        Box::pin(async move {
            let delete =
                AssertSqlSafe(format!("DELETE FROM jobs WHERE wanted < {NOW} - {UNWANTED_AFTER_MS}"));
            let forget = AssertSqlSafe(format!(
                "DELETE FROM job_turns WHERE served < {NOW} - {FORGET_TURNS_AFTER_MS}"
            ));
            let update = format!("UPDATE jobs SET beat = {NOW} WHERE worker = $1 RETURNING id");
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                transaction.change(delete, |query| query).await?;
                transaction.change(forget, |query| query).await?;
                transaction.all(AssertSqlSafe(update), |query| query.bind(worker)).await
            }
            .await;
            let rows = transaction.finish(done).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    /// Returns the jobs of a stopping worker to the queue.
    pub fn release_jobs<'a>(&'a self, worker: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                let sql = "UPDATE jobs SET worker = NULL WHERE worker = $1";
                transaction.change(sql, |query| query.bind(worker)).await?;
                self.notify_others(&mut transaction, "job").await
            }
            .await;
            transaction.finish(done).await
        })
    }

    /// Returns a job to the queue that has yielded its slot, with the rest of its work. False if it no longer belongs to
    /// the worker.
    pub fn requeue_job<'a>(&'a self, job: &'a str, worker: &'a str, payload: String) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "UPDATE jobs SET worker = NULL, payload = $3, due = {NOW} + due - created, created = {NOW}
                WHERE id = $1 AND worker = $2"
            ));
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                let bind = |query: super::Bound| query.bind(job).bind(worker).bind(payload);
                let is_queued = transaction.change(sql, bind).await? > 0;
                self.notify_others(&mut transaction, "job").await?;
                Ok(is_queued)
            }
            .await;
            let is_queued = transaction.finish(done).await?;
            self.notify_local(Hint::Job);
            Ok(is_queued)
        })
    }

    /// The numbers of waiting jobs and of their addresses, by class and lane.
    pub fn waiting_jobs(&self) -> Call<'_, Vec<WaitingJobs>> {
        Box::pin(async move {
            let sql = "SELECT class, lane, COUNT(*), COUNT(DISTINCT address) FROM jobs WHERE worker IS NULL
            GROUP BY class, lane";
            let rows = self.all(sql, |query| query).await?;
            let read = |row| {
                Ok(WaitingJobs {
                    class: Row::try_get(row, 0)?,
                    lane: Row::try_get(row, 1)?,
                    jobs: count(row, 2)?,
                    addresses: count(row, 3)?,
                })
            };
            rows.iter().map(read).collect()
        })
    }

    /// Appends to the output of a job. False if the job no longer belongs to the worker. The row of the job is locked, so
    /// that a node that deletes it meanwhile does not break the reference.
    pub fn add_output<'a>(
        &'a self,
        job: &'a str,
        worker: &'a str,
        at: u64,
        payload: String,
    ) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = "INSERT INTO job_outputs (job, number, payload)
            SELECT id, $3, $4 FROM jobs WHERE id = $1 AND worker = $2 FOR KEY SHARE ON CONFLICT DO NOTHING";
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                let bind = |query: super::Bound| query.bind(job).bind(worker).bind(number(at)).bind(payload);
                let is_added = transaction.change(sql, bind).await? > 0;
                if is_added {
                    self.notify_others(&mut transaction, &format!("output {job}")).await?;
                }
                Ok(is_added)
            }
            .await;
            let is_added = transaction.finish(done).await?;
            if is_added {
                self.notify_local(Hint::Output(job.to_owned()));
            }
            Ok(is_added)
        })
    }

    /// Returns the output of a job from a number on; `None` if the job is gone.
    pub fn outputs<'a>(&'a self, job: &'a str, from: u64) -> Call<'a, Option<Vec<(u64, String)>>> {
        Box::pin(async move {
            let sql = "SELECT o.number, o.payload FROM jobs j LEFT JOIN job_outputs o ON o.job = j.id AND o.number >= $2
            WHERE j.id = $1 ORDER BY o.number";
            let rows = self.all(sql, |query| query.bind(job).bind(number(from))).await?;
            if rows.is_empty() {
                return Ok(None);
            }
            let mut outputs = Vec::new();
            for row in &rows {
                if let Some(at) = row.try_get::<Option<i64>, _>(0)? {
                    outputs.push((at.unsigned_abs(), row.try_get(1)?));
                }
            }
            Ok(Some(outputs))
        })
    }

    /// Records that this node still wants the results of its jobs; call it about once a second.
    pub fn want_jobs(&self) -> Call<'_, ()> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!("UPDATE jobs SET wanted = {NOW} WHERE node = $1"));
            let mut transaction = self.begin_unsynced().await?;
            let done = transaction.change(sql, |query| query.bind(self.node())).await;
            transaction.finish(done).await.map(drop)
        })
    }

    /// Deletes a job that is finished or no longer wanted.
    pub fn delete_job<'a>(&'a self, job: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let mut transaction = self.begin_unsynced().await?;
            let done = transaction.change("DELETE FROM jobs WHERE id = $1", |query| query.bind(job)).await;
            transaction.finish(done).await.map(drop)
        })
    }
}
