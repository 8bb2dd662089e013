#include "store/repos/limits.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

std::optional<std::int32_t> number_or_none(const pg::Rows& rows, int row, int column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return rows.int4(row, column);
}

void add_or_null(pg::Params& params, const std::string& text) {
    if (text.empty()) {
        params.add_null();
    } else {
        params.add(std::string_view(text));
    }
}

}  // namespace

asio::awaitable<std::vector<FlowLimit>> Limits::list(Tenant tenant, FlowLimitFilter filter) {
    pg::Params params;
    params.add(tenant.id);
    add_or_null(params, filter.workflow);
    add_or_null(params, filter.after);
    params.add(filter.limit);
    const auto rows = co_await call(pool_, queries::list_limits, std::move(params));
    std::vector<FlowLimit> limits;
    for (int row = 0; row < rows.size(); ++row) {
        FlowLimit one;
        one.gate = rows.text(row, 0);
        one.scope = rows.text(row, 1);
        one.workflow = rows.text(row, 2);
        one.name = rows.text(row, 3);
        one.key = rows.text(row, 4);
        one.limit = rows.int4(row, 5);
        one.defined = number_or_none(rows, row, 6);
        one.set = number_or_none(rows, row, 7);
        one.running = rows.int4(row, 8);
        one.waiting = rows.int4(row, 9);
        limits.push_back(std::move(one));
    }
    co_return limits;
}

asio::awaitable<std::optional<FlowLimit>> Limits::gate_of(Tenant tenant, RunId run) {
    pg::Params params;
    params.add(tenant.bucket).add(run.uuid);
    const auto rows = co_await call(pool_, queries::gate_of_run, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    FlowLimit gate;
    gate.gate = rows.text(0, 0);
    gate.scope = rows.text(0, 1);
    gate.workflow = rows.text(0, 2);
    gate.name = rows.text(0, 3);
    gate.key = rows.text(0, 4);
    gate.limit = rows.int4(0, 5);
    gate.running = rows.int4(0, 6);
    gate.waiting = rows.int4(0, 7);
    co_return gate;
}

asio::awaitable<bool> Limits::set(
    Tenant tenant, FlowLimitName name, std::optional<std::int32_t> limit
) {
    pg::Params params;
    params.add(tenant.id);
    add_or_null(params, name.workflow);
    params.add(std::string_view(name.name));
    add_or_null(params, name.key);
    if (limit) {
        params.add(*limit);
    } else {
        params.add_null();
    }
    const auto rows = co_await call(pool_, queries::set_limit, std::move(params));
    co_return !rows.is_null(0, 0);
}

}  // namespace pawl::store
