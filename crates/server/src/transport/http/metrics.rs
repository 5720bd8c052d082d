//! Figures for Prometheus.

use std::{sync::OnceLock, time::Duration};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// Gathers from the whole process.
static FIGURES: OnceLock<PrometheusHandle> = OnceLock::new();

/// Begins to gather, once. Needs a runtime.
pub(crate) fn start() {
    FIGURES.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("somebody else gathers the figures already");
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
    metrics::describe_counter!("alinea_refusals_total", "Refusals by code");
    metrics::describe_counter!("alinea_events_total", "What happened at tables, by kind; moved is a move");
    metrics::describe_gauge!("alinea_tables", "Tables in use on this node");
    metrics::describe_gauge!("alinea_sockets", "Open Socket.IO connections");
    metrics::describe_gauge!("alinea_seeks", "People who look for somebody to play with");
    metrics::describe_gauge!("alinea_programs_thinking", "Programs that think now");
    metrics::describe_histogram!("alinea_store_seconds", metrics::Unit::Seconds, "How long the store took");
}

/// All figures as text.
pub(super) fn render() -> String {
    FIGURES.get().map(PrometheusHandle::render).unwrap_or_default()
}
