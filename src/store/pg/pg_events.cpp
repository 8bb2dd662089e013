#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>
#include <set>

// The part of PgStore that is about messages to runs and events from outside.
namespace pawl::store {

using pg::Array;
using pg::Type;

asio::awaitable<std::vector<RunId>> PgStore::send_signals(
    Bucket bucket, std::vector<NewSignal> signals
) {
    Array run_id(Type::uuid), kind(Type::text), data(Type::jsonb);
    std::set<RunId> asked;
    for (const NewSignal& signal : signals) {
        asked.insert(signal.run);
        run_id.add(signal.run.uuid);
        kind.add(std::string_view(signal.kind));
        data.add_json(signal.data);
    }
    pg::Params params;
    params.add(bucket).add(std::move(run_id)).add(std::move(kind)).add(std::move(data));
    const auto rows = co_await run(queries::send_signals, std::move(params));
    std::vector<RunId> reached;
    for (int row = 0; row < rows.size(); ++row) reached.push_back(RunId{rows.uuid(row, 0)});
    if (reached.size() < asked.size()) co_await confirm_found(pool_);  // of those that are closed
    co_return reached;
}

asio::awaitable<std::vector<bool>> PgStore::publish_events(
    Bucket bucket, std::vector<OutsideEvent> events
) {
    Array tenant(Type::int4), id(Type::text), name(Type::text), key(Type::text),
        subject(Type::text), source(Type::text), time(Type::timestamptz), data(Type::jsonb);
    for (const OutsideEvent& event : events) {
        tenant.add(event.tenant);
        id.add(std::string_view(event.id));
        name.add(std::string_view(event.name));
        key.add(std::string_view(event.key));
        subject.add_or_null(event.subject);
        source.add_or_null(event.source);
        add_some(time, event.time);
        data.add_json(event.data);
    }
    pg::Params params;
    params.add(bucket).add(std::move(tenant)).add(std::move(id)).add(std::move(name));
    params.add(std::move(key)).add(std::move(subject)).add(std::move(source));
    params.add(std::move(time)).add(std::move(data));
    const auto rows = co_await run(queries::publish_events, std::move(params));
    std::set<std::pair<std::int32_t, std::string>> fresh;
    for (int row = 0; row < rows.size(); ++row) {
        fresh.insert({rows.int4(row, 0), rows.text(row, 1)});
    }
    std::vector<bool> answers;
    // The first of two with one id is the one that was taken.
    for (const OutsideEvent& event : events) {
        answers.push_back(fresh.erase({event.tenant, event.id}) > 0);
    }
    if (std::find(answers.begin(), answers.end(), false) != answers.end()) {
        co_await confirm_found(pool_);
    }
    co_return answers;
}

asio::awaitable<Matched> PgStore::match_inbox(Bucket bucket, int limit) {
    const auto rows = co_await run(queries::match_inbox, params_of(bucket, limit));
    co_return Matched{rows.int4(0, 0), rows.boolean(0, 1)};
}

}  // namespace pawl::store
