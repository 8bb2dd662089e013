#include "store/repos/queues.hpp"

#include "store/pg/pg_batches.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/pg/version_rows.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

QueuedMessage::Kind kind_of(std::string_view name) {
    if (name == "trigger") return QueuedMessage::Kind::trigger;
    return name == "workflow" ? QueuedMessage::Kind::workflow : QueuedMessage::Kind::message;
}

void add_ids(pg::Params& params, const std::vector<std::int64_t>& ids) {
    pg::Array array(pg::Type::int8);
    for (const std::int64_t id : ids) array.add(id);
    params.add(std::move(array));
}

void add_failed(pg::Params& params, const std::vector<QueueOutcome::Failed>& failed) {
    pg::Array id(pg::Type::int8), reads(pg::Type::int4), reason(pg::Type::text),
        content(pg::Type::jsonb);
    for (const auto& one : failed) {
        id.add(one.message);
        reads.add(one.reads);
        reason.add_or_null(one.reason);
        content.add_json(one.content);
    }
    params.add(std::move(id)).add(std::move(reads)).add(std::move(reason)).add(std::move(content));
}

void add_starts(pg::Params& params, const std::vector<QueueOutcome::Start>& starts) {
    pg::Array message(pg::Type::int8), run(pg::Type::uuid), tenant(pg::Type::int4),
        workflow(pg::Type::int4), version(pg::Type::int4), subject(pg::Type::text),
        data(pg::Type::jsonb), correlation(pg::Type::text), rules(pg::Type::int8);
    for (const auto& start : starts) {
        message.add(start.message);
        run.add(start.run.id.uuid);
        tenant.add(start.run.tenant);
        workflow.add(start.run.workflow);
        version.add(start.run.version);
        subject.add_or_null(start.run.subject);
        data.add_json(start.run.data);
        correlation.add_or_null(start.run.correlation);
        add_entry_rule(rules, start.run);
    }
    params.add(std::move(message)).add(std::move(run)).add(std::move(tenant));
    params.add(std::move(workflow)).add(std::move(version)).add(std::move(subject));
    params.add(std::move(data)).add(std::move(correlation)).add(std::move(rules));
}

}  // namespace

asio::awaitable<std::vector<QueuedMessage>> Queues::read(Bucket bucket, int limit, Duration lease) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(lease).count();
    const auto rows = co_await call(
        pool_, queries::read_queues, params_of(bucket, limit, static_cast<std::int32_t>(seconds))
    );
    std::vector<QueuedMessage> messages;
    for (int row = 0; row < rows.size(); ++row) {
        const std::string queue = rows.text(row, 0);
        const std::int64_t id = rows.int8(row, 3);
        if (messages.empty() || messages.back().queue != queue || messages.back().id != id) {
            QueuedMessage& message = messages.emplace_back();
            message.queue = queue;
            message.kind = kind_of(rows.text(row, 1));
            message.tenant = rows.int4(row, 2);
            message.id = id;
            message.reads = rows.int4(row, 4);
            message.at = rows.instant(row, 5);
            auto content = rows.readable_jsonb(row, 6);
            auto headers = rows.readable_jsonb(row, 7);
            if (!content || !headers) {
                message.problem = unreadable(content ? "its headers" : "the message");
            }
            if (id == 0) message.problem = rows.text(row, 12);
            if (content) message.message = std::move(*content);
            if (headers) message.headers = std::move(*headers);
            message.known = rows.boolean(row, 8);
        }
        if (rows.is_null(row, 9)) continue;
        messages.back().workflows.push_back(
            {rows.int4(row, 9), rows.int4(row, 10), shares_of(rows, row, 11)}
        );
    }
    co_return messages;
}

asio::awaitable<QueueSettled> Queues::settle(Bucket bucket, QueueOutcome outcome) {
    pg::Params params;
    params.add(bucket).add(outcome.queue);
    add_ids(params, outcome.done);
    add_ids(params, outcome.unwanted);
    add_failed(params, outcome.failed);
    add_starts(params, outcome.starts);
    const auto rows = co_await call(pool_, queries::settle_queue, std::move(params));
    co_return QueueSettled{rows.int4(0, 0), rows.int4(0, 1)};
}

asio::awaitable<std::int32_t> Queues::hand_over_dead_runs(Bucket bucket, int limit) {
    const auto rows = co_await call(pool_, queries::hand_over_dead_runs, params_of(bucket, limit));
    co_return rows.int4(0, 0);
}

asio::awaitable<void> Queues::keep_partitions() {
    co_await call(pool_, queries::keep_queue_partitions, {});
}

}  // namespace pawl::store
