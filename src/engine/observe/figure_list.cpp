#include "engine/observe/figure_list.hpp"

#include <algorithm>
#include <iterator>

namespace pawl::engine {

namespace {

constexpr const char* figures_age = "pawl_figures_age_seconds";

struct Known {
    const char* metric;
    const char* help;
};

constexpr Known known[] = {
    {figures_age, "How long ago these figures were taken from the database."},
    {"pawl_ready_runs", "Due runs that no worker holds (counted up to 10,000)."},
    {"pawl_oldest_ready_age_seconds", "How long the oldest due run has waited."},
    {"pawl_open_runs", "Runs that have not ended (an estimate of the database's statistics)."},
    {"pawl_workers", "Live workers in the cluster."},
    {"pawl_queued_runs", "Runs that wait at a full gate (counted up to 10,000)."},
    {"pawl_oldest_queued_age_seconds", "How long the oldest of them has waited."},
    {"pawl_full_gates", "Gates that runs wait at."},
    {"pawl_human_tasks_open", "Human tasks that wait for a decision, by workflow."},
    {"pawl_human_tasks_overdue", "Human tasks that are past their due time."},
    {"pawl_oldest_human_task_age_seconds", "How long the oldest of them has waited."},
    {"pawl_dead_letters_open", "Failed runs not replayed yet (counted up to 10,000)."},
    {"pawl_unmatched_events", "Events not yet matched against waiting runs."},
    {"pawl_oldest_unmatched_event_age_seconds", "How long the oldest of them has waited."},
    {"pawl_held_events", "Events whose starts wait until their tenant has room."},
    {"pawl_oldest_held_event_age_seconds", "How long the oldest of them has waited."},
    {"pawl_pending_signals", "Messages for runs that no worker has taken yet."},
    {"pawl_oldest_signal_age_seconds", "How long the oldest of them has waited."},
    {"pawl_schedule_overdue_seconds", "How late the latest schedule is."},
    {"pawl_tasks_due", "Tasks of the database's queue that are due (counted up to 10,000)."},
    {"pawl_oldest_task_age_seconds", "How long the oldest of them has waited."},
    {"pawl_queue_messages", "Messages in a queue (counted up to 10,000)."},
    {"pawl_queue_oldest_age_seconds", "How long the oldest message of a queue has been there."},
    {"pawl_outbox_pending", "Messages to be sent, by kind of target (counted up to 10,000)."},
    {"pawl_oldest_outbox_age_seconds", "How long the oldest of them has waited."},
    {"pawl_outbox_failed", "Messages that were given up (counted up to 10,000)."},
    {"pawl_outbox_targets", "Outbox targets, by kind and by whether deliveries to them succeed."},
    {"pawl_xmin_age_seconds", "Age of the oldest snapshot held open in the database."},
    {"pawl_database_connections", "Connections of clients to the server."},
    {"pawl_database_connections_max", "Connections that the server accepts."},
    {"pawl_database_size_bytes", "Size of the database on disk."},
    {"pawl_transaction_id_age", "Transactions since the oldest one that is not frozen."},
    {"pawl_database_commits_total", "Transactions committed in the database."},
    {"pawl_database_rollbacks_total", "Transactions rolled back in the database."},
    {"pawl_database_deadlocks_total", "Deadlocks in the database."},
    {"pawl_database_blocks_read_total", "Blocks read from outside the server's cache."},
    {"pawl_database_blocks_hit_total", "Blocks found in the server's cache."},
    {"pawl_table_bytes", "Size of a table with its indexes and partitions."},
    {"pawl_table_dead_rows", "Rows of a table that vacuum has to clean up."},
    {"pawl_partition_weeks_ahead", "Coming weeks that have a partition for their events."},
    {"pawl_replication_lag_bytes", "How far the last standby is behind."},
    {"pawl_replication_slot_retained_bytes", "Log kept on disk for a replication slot."},
};

bool is_known(std::string_view metric) {
    return std::any_of(std::begin(known), std::end(known), [&](const Known& one) {
        return one.metric == metric;
    });
}

}  // namespace

FigureList read_figures(const json::value& taken) {
    FigureList figures;
    if (!taken.is_array()) return figures;
    for (const json::value& item : taken.get_array()) {
        const json::array* row = item.if_array();
        if (row == nullptr || row->size() != 3 || !row->at(0).is_string()) continue;
        Figure figure;
        figure.metric = row->at(0).get_string();
        if (!is_known(figure.metric) || !row->at(2).is_number()) continue;
        figure.value = row->at(2).to_number<double>();
        if (const json::object* labels = row->at(1).if_object()) {
            for (const auto& [key, value] : *labels) {
                if (value.is_string()) figure.labels.emplace_back(key, value.get_string());
            }
        }
        figures.push_back(std::move(figure));
    }
    return figures;
}

void grow_older(FigureList& figures, double seconds) {
    for (Figure& figure : figures) {
        if (figure.metric == figures_age) figure.value += seconds;
    }
}

void add_figures(std::vector<prometheus::MetricFamily>& families, const FigureList& figures) {
    for (const Known& one : known) {
        prometheus::MetricFamily family;
        family.name = one.metric;
        family.help = one.help;
        const bool counts = family.name.ends_with("_total");
        family.type = counts ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
        for (const Figure& figure : figures) {
            if (figure.metric != one.metric) continue;
            prometheus::ClientMetric sample;
            for (const auto& [key, value] : figure.labels) sample.label.push_back({key, value});
            (counts ? sample.counter.value : sample.gauge.value) = figure.value;
            family.metric.push_back(std::move(sample));
        }
        families.push_back(std::move(family));
    }
}

}  // namespace pawl::engine
