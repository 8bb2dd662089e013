#include "store/repos/operations.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

std::vector<json::object> documents(const pg::Rows& rows) {
    std::vector<json::object> found;
    for (int row = 0; row < rows.size(); ++row) {
        json::value document = rows.shown_jsonb(row, 0);
        found.push_back(std::move(document.as_object()));
    }
    return found;
}

void add_circuits(pg::Params& params, const std::vector<CircuitReport>& circuits) {
    pg::Array tenants(pg::Type::int4), targets(pg::Type::text), states(pg::Type::text);
    pg::Array opened(pg::Type::int8), waits(pg::Type::int8), errors(pg::Type::text);
    for (const CircuitReport& one : circuits) {
        tenants.add(one.tenant);
        targets.add(std::string_view(one.target));
        states.add(std::string_view(one.state));
        opened.add(one.opened);
        const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(one.wait);
        waits.add(std::int64_t{wait.count()});
        errors.add_or_null(one.error);
    }
    params.add(std::move(tenants)).add(std::move(targets)).add(std::move(states));
    params.add(std::move(opened)).add(std::move(waits)).add(std::move(errors));
}

}  // namespace

asio::awaitable<WorkerOrders> Operations::report(
    WorkerId worker, bool resting, std::int32_t runs, std::vector<CircuitReport> circuits
) {
    pg::Params params;
    params.add(worker.uuid).add(resting).add(runs);
    add_circuits(params, circuits);
    const auto rows = co_await call(pool_, queries::report_worker, std::move(params));
    WorkerOrders orders;
    orders.draining = rows.boolean(0, 0);
    const json::value tenants = rows.jsonb(0, 1);
    const json::value targets = rows.jsonb(0, 2);
    if (!tenants.is_array() || !targets.is_array()) co_return orders;
    for (std::size_t i = 0; i < tenants.get_array().size(); ++i) {
        orders.close.emplace_back(
            tenants.get_array()[i].to_number<TenantId>(),
            std::string(targets.get_array().at(i).as_string())
        );
    }
    co_return orders;
}

asio::awaitable<std::vector<json::object>> Operations::workers() {
    co_return documents(co_await call(pool_, queries::list_worker_rows, {}));
}

asio::awaitable<bool> Operations::drain(WorkerId worker, bool drain) {
    pg::Params params;
    params.add(worker.uuid).add(drain);
    const auto rows = co_await call(pool_, queries::drain_worker, std::move(params));
    co_return rows.size() > 0;
}

asio::awaitable<std::vector<json::object>> Operations::circuits(
    TenantId tenant, std::string target
) {
    pg::Params params;
    params.add(tenant).add(some(target));
    co_return documents(co_await call_as(pool_, tenant, queries::list_circuits, std::move(params)));
}

asio::awaitable<std::int32_t> Operations::close_circuit(TenantId tenant, std::string target) {
    pg::Params params;
    params.add(tenant).add(std::string_view(target));
    const auto rows = co_await call_as(pool_, tenant, queries::close_circuit, std::move(params));
    co_return rows.size();
}

asio::awaitable<std::vector<json::object>> Operations::queues(Bucket bucket) {
    pg::Params params;
    params.add(bucket);
    co_return documents(co_await call(pool_, queries::list_queue_rows, std::move(params)));
}

asio::awaitable<bool> Operations::has_queue(std::string name) {
    pg::Params params;
    params.add(std::string_view(name));
    const auto rows = co_await call(pool_, queries::has_queue, std::move(params));
    co_return rows.boolean(0, 0);
}

asio::awaitable<std::vector<json::object>> Operations::peek(
    std::string name, std::int64_t after, std::int32_t limit
) {
    pg::Params params;
    params.add(std::string_view(name)).add(after).add(limit);
    co_return documents(co_await call(pool_, queries::peek_queue, std::move(params)));
}

asio::awaitable<std::int64_t> Operations::purge(std::string name) {
    pg::Params params;
    params.add(std::string_view(name));
    const auto rows = co_await call(pool_, queries::purge_queue, std::move(params));
    co_return rows.int8(0, 0);
}

asio::awaitable<json::object> Operations::person_source(TenantId tenant) {
    pg::Params params;
    params.add(tenant);
    auto found = documents(co_await call(pool_, queries::show_person_source, std::move(params)));
    co_return std::move(found.front());
}

}  // namespace pawl::store
