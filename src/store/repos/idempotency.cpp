#include "store/repos/idempotency.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

pg::Params key_params(std::int32_t tenant, std::string_view key) {
    pg::Params params;
    params.add(tenant).add(key);
    return params;
}

StoredAnswer answer_of(const pg::Rows& rows) {
    StoredAnswer answer;
    pg::RowReader(rows, 0) >> answer.fingerprint >> answer.status >> answer.headers >>
        answer.body >> answer.at;
    return answer;
}

}  // namespace

asio::awaitable<std::optional<StoredAnswer>> Idempotency::find(
    std::int32_t tenant, std::string key
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::find_idempotency_key, key_params(tenant, key));
    if (rows.size() == 0) co_return std::nullopt;
    co_await confirm_found(pool_);
    co_return answer_of(rows);
}

asio::awaitable<StoredAnswer> Idempotency::remember(
    std::int32_t tenant, std::string key, StoredAnswer answer
) {
    // Looked up by a statement of its own: the insert cannot see a row that another call wrote
    // meanwhile and that it made way for.
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::remember_idempotency_key;
    statements[0].params = key_params(tenant, key);
    statements[0].params.add(std::string_view(answer.fingerprint)).add(answer.status);
    statements[0].params.add_json(answer.headers.is_null() ? json::object() : answer.headers);
    statements[0].params.add(std::string_view(answer.body));
    statements[1].query = &queries::find_idempotency_key;
    statements[1].params = key_params(tenant, key);
    const auto results = co_await call_all_as(pool_, tenant, std::move(statements));
    if (results[0].affected() == 0) co_await confirm_found(pool_);  // another call was first
    co_return answer_of(results[1]);
}

asio::awaitable<bool> Idempotency::was_sent(std::int32_t tenant, std::string key) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::signal_was_sent, key_params(tenant, key));
    co_return rows.boolean(0, 0);
}

asio::awaitable<SentOnce> Idempotency::send_signal(
    Tenant tenant, std::string key, NewSignal signal
) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(std::string_view(key)).add(signal.run.uuid);
    params.add(std::string_view(signal.kind)).add_json(signal.data);
    const auto rows = co_await call(pool_, queries::send_signal_once, std::move(params));
    const SentOnce sent{rows.boolean(0, 0), rows.boolean(0, 1)};
    if (!sent.reached) co_await confirm_found(pool_);  // that the run is closed
    co_return sent;
}

asio::awaitable<std::int64_t> Idempotency::purge(int batch) {
    const auto rows = co_await call(
        pool_, queries::purge_idempotency_keys, params_of(static_cast<std::int64_t>(batch))
    );
    co_return rows.affected();
}

}  // namespace pawl::store
