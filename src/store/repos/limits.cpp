#include "store/repos/limits.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

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
        FlowLimit& one = limits.emplace_back();
        pg::RowReader(rows, row) >> one.gate >> one.scope >> one.workflow >> one.name >> one.key >>
            one.limit >> one.defined >> one.set >> one.running >> one.waiting;
    }
    co_return limits;
}

asio::awaitable<std::optional<FlowLimit>> Limits::gate_of(Tenant tenant, RunId run) {
    const auto rows =
        co_await call(pool_, queries::gate_of_run, params_of(tenant.bucket, run.uuid));
    if (rows.size() == 0) co_return std::nullopt;
    FlowLimit gate;
    pg::RowReader(rows, 0) >> gate.gate >> gate.scope >> gate.workflow >> gate.name >> gate.key >>
        gate.limit >> gate.running >> gate.waiting;
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
