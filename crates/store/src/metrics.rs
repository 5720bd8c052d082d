//! The metrics of the process and their names, for Prometheus.

use std::{sync::LazyLock, time::Duration};

use prometheus_client::{
    encoding::text,
    metrics::{
        counter::Counter,
        family::{Family, MetricConstructor},
        gauge::Gauge,
        histogram::Histogram,
    },
    registry::{Metric, Registry},
};

/// The upper limits of the buckets of durations, in seconds. They are fixed, so that the counts of several
/// servers can be added.
const BUCKETS: [f64; 13] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The metrics of this process.
pub static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

/// A label with its value.
type Label<T = &'static str> = (&'static str, T);

/// All metrics.
pub struct Metrics {
    registry: Registry,
    http_requests: Family<[Label<String>; 2], Counter>,
    http_seconds: Family<[Label<String>; 1], Histogram, Durations>,
    socket_seconds: Histogram,
    errors: Family<[Label; 1], Counter>,
    events: Family<[Label; 1], Counter>,
    queue: Family<[Label; 1], Gauge>,
    queue_seconds: Family<[Label; 1], Histogram, Durations>,
    store_seconds: Histogram,
    /// Tables that are loaded on this node.
    pub tables: Gauge,
    /// Open Socket.IO connections.
    pub sockets: Gauge,
    /// Players looking for an opponent.
    pub seeks: Gauge,
    /// Running searches of programs and analyses.
    pub thinking: Gauge,
}

/// Makes histograms of durations.
#[derive(Clone)]
struct Durations;

impl MetricConstructor<Histogram> for Durations {
    fn new_metric(&self) -> Histogram {
        Histogram::new(BUCKETS)
    }
}

impl Metrics {
    fn new() -> Self {
        let mut registry = Registry::with_prefix("alinea");
        let known = &mut registry;
        Self {
            http_requests: add(known, "http_requests", "Requests by route and status", Family::default()),
            http_seconds: add(
                known,
                "http_seconds",
                "Time until the response to a request, by route",
                Family::new_with_constructor(Durations),
            ),
            socket_seconds: add(
                known,
                "socket_seconds",
                "Time until the acknowledgement of a message",
                Durations.new_metric(),
            ),
            errors: add(known, "errors", "Errors sent to clients, by code", Family::default()),
            events: add(known, "events", "Events of tables, by kind; moved is a move", Family::default()),
            queue: add(
                known,
                "queue",
                "Programs and analyses that wait for a place to think, by class",
                Family::default(),
            ),
            queue_seconds: add(
                known,
                "queue_seconds",
                "How long programs and analyses waited for a place to think, by class",
                Family::new_with_constructor(Durations),
            ),
            store_seconds: add(
                known,
                "store_seconds",
                "Duration of store operations",
                Durations.new_metric(),
            ),
            tables: add(known, "tables", "Tables that are loaded on this node", Gauge::default()),
            sockets: add(known, "sockets", "Open Socket.IO connections", Gauge::default()),
            seeks: add(known, "seeks", "Players looking for an opponent", Gauge::default()),
            thinking: add(known, "thinking", "Programs and analyses that are thinking now", Gauge::default()),
            registry,
        }
    }

    /// Records the response to a request.
    pub fn response(&self, route: String, status: &str, took: Duration) {
        self.http_seconds.get_or_create(&[("route", route.clone())]).observe(took.as_secs_f64());
        self.http_requests.get_or_create(&[("route", route), ("status", status.to_owned())]).inc();
    }

    /// Records the acknowledgement of a message.
    pub fn acknowledgement(&self, took: Duration) {
        self.socket_seconds.observe(took.as_secs_f64());
    }

    /// Counts an error that is sent to a client.
    pub fn error(&self, code: &'static str) {
        self.errors.get_or_create(&[("code", code)]).inc();
    }

    /// The counter of a kind of events.
    pub fn events(&self, kind: &'static str) -> Counter {
        self.events.get_or_create_owned(&[("kind", kind)])
    }

    /// The number of jobs of a class that wait for a slot.
    pub fn waiting(&self, class: &'static str, count: u64) {
        self.queue.get_or_create(&[("class", class)]).set(count.try_into().unwrap_or(i64::MAX));
    }

    /// Records how long a job of a class waited for a slot.
    pub fn waited(&self, class: &'static str, waited: Duration) {
        self.queue_seconds.get_or_create(&[("class", class)]).observe(waited.as_secs_f64());
    }

    /// Records an operation of the store.
    pub fn stored(&self, took: Duration) {
        self.store_seconds.observe(took.as_secs_f64());
    }

    /// All metrics in the text format of OpenMetrics.
    pub fn render(&self) -> String {
        let mut text = String::new();
        text::encode(&mut text, &self.registry).expect("writing to a string never fails");
        text
    }
}

fn add<T: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: T) -> T {
    registry.register(name, help, metric.clone());
    metric
}
