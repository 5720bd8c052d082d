//! Metrics of the process, for Prometheus.

use std::{sync::OnceLock, time::Duration};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// The upper limits of the classes of durations, in seconds. Fixed, so that those of several servers can be added.
const BUCKETS: [f64; 13] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the recorder of the process, once. Must run inside a runtime.
pub(crate) fn install() {
    RECORDER.get_or_init(|| {
        let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).expect("there are buckets");
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed already");
        }
        describe();
        let upkeep = handle.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_secs(5)).await;
                upkeep.run_upkeep();
            }
        });
        handle
    });
}

fn describe() {
    metrics::describe_counter!("alinea_http_requests_total", "Requests by route and status");
    metrics::describe_histogram!(
        "alinea_http_seconds",
        metrics::Unit::Seconds,
        "Time until the response to a request, by route"
    );
    metrics::describe_histogram!(
        "alinea_socket_seconds",
        metrics::Unit::Seconds,
        "Time until the acknowledgement of a message"
    );
    metrics::describe_counter!("alinea_errors_total", "Errors sent to clients, by code");
    metrics::describe_counter!("alinea_events_total", "Events of tables, by kind; moved is a move");
    metrics::describe_gauge!("alinea_tables", "Tables that are loaded on this node");
    metrics::describe_gauge!("alinea_sockets", "Open Socket.IO connections");
    metrics::describe_gauge!("alinea_seeks", "Players looking for an opponent");
    metrics::describe_gauge!("alinea_thinking", "Programs and analyses that are thinking now");
    metrics::describe_gauge!(
        "alinea_queue",
        "Programs and analyses that wait for a place to think, by class"
    );
    metrics::describe_histogram!(
        "alinea_queue_seconds",
        metrics::Unit::Seconds,
        "How long programs and analyses waited for a place to think, by class"
    );
    metrics::describe_histogram!(
        "alinea_store_seconds",
        metrics::Unit::Seconds,
        "Duration of store operations"
    );
}

/// All metrics as text.
pub(super) fn render() -> String {
    RECORDER.get().map(PrometheusHandle::render).unwrap_or_default()
}
