#include "store/repos/messages.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/pg_project.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

using pg::Array;
using pg::Params;
using pg::Type;

namespace {

MessagePrepared prepared_of(const pg::Rows& rows, int row) {
    MessagePrepared one;
    pg::RowReader(rows, row, 1) >> one.person >> one.address >> one.content >> one.template_version;
    pg::RowReader(rows, row, 6) >> one.category >> one.connector >> one.account >> one.verdict >>
        one.wait_until >> one.problem >> one.hidden;
    return one;
}

}  // namespace

asio::awaitable<std::vector<MessagePrepared>> Messages::prepare(
    Bucket bucket, std::vector<MessageAsked> asked
) {
    Array tenant(Type::int4), person(Type::text), channel(Type::text), to(Type::text),
        content(Type::text), category(Type::text), connector(Type::text), account(Type::text),
        id(Type::uuid);
    for (const MessageAsked& one : asked) {
        tenant.add(one.tenant);
        person.add_or_null(one.person);
        channel.add(std::string_view(one.channel));
        to.add_or_null(one.to);
        content.add_or_null(one.message_template);
        category.add_or_null(one.category);
        connector.add_or_null(one.connector);
        account.add_or_null(one.account);
        id.add(one.id);
    }
    Params params;
    params.add(bucket).add(std::move(tenant)).add(std::move(person)).add(std::move(channel));
    params.add(std::move(to)).add(std::move(content)).add(std::move(category));
    params.add(std::move(connector)).add(std::move(account)).add(std::move(id)).add_null();
    const auto rows = co_await call(pool_, queries::prepare_messages, std::move(params));
    std::vector<MessagePrepared> prepared(asked.size());
    for (int row = 0; row < rows.size(); ++row) {
        const auto place = static_cast<std::size_t>(rows.int4(row, 0)) - 1;
        if (place < prepared.size()) prepared[place] = prepared_of(rows, row);
    }
    co_return prepared;
}

asio::awaitable<std::vector<MessageStarted>> Messages::begin(
    Bucket bucket, std::vector<MessageRow> rows
) {
    const auto found = co_await call(pool_, queries::begin_messages, message_params(bucket, rows));
    std::vector<MessageStarted> started(rows.size());
    for (int row = 0; row < found.size(); ++row) {
        const auto place = static_cast<std::size_t>(found.int4(row, 0)) - 1;
        if (place < started.size()) started[place] = {found.text(row, 1), found.text(row, 2)};
    }
    co_return started;
}

asio::awaitable<std::vector<PaceTurn>> Messages::pace(Bucket bucket, std::vector<PaceAsked> asked) {
    Array gate(Type::text), step(Type::int8);
    for (const PaceAsked& one : asked) {
        gate.add(std::string_view(one.gate));
        step.add(std::int64_t{one.step.count()});
    }
    const auto rows = co_await call(
        pool_, queries::pace_messages, params_of(bucket, std::move(gate), std::move(step))
    );
    std::vector<PaceTurn> turns(asked.size());
    for (int row = 0; row < rows.size(); ++row) {
        const auto place = static_cast<std::size_t>(rows.int4(row, 0)) - 1;
        if (place < turns.size())
            turns[place] = {Duration(rows.int8(row, 1)), rows.boolean(row, 2)};
    }
    co_return turns;
}

asio::awaitable<void> Messages::release(Bucket bucket, std::vector<Uuid> ids) {
    Array all(Type::uuid);
    for (const Uuid& id : ids) all.add(id);
    co_await call(pool_, queries::release_messages, params_of(bucket, std::move(all)));
}

asio::awaitable<void> Messages::note(Bucket bucket, std::vector<MessageRow> rows) {
    co_await call(pool_, queries::project_messages, message_params(bucket, rows));
}

asio::awaitable<void> Messages::suppress_refused(
    TenantId tenant, std::string person, std::string channel, std::string address
) {
    co_await call(pool_, queries::suppress_refused, params_of(tenant, person, channel, address));
}

asio::awaitable<FactsTaken> Messages::take(Bucket bucket, std::vector<MessageFact> facts) {
    Array tenant(Type::int4), connector(Type::text), account(Type::text), event(Type::text),
        kind(Type::text), external(Type::text), message(Type::uuid), person(Type::text),
        channel(Type::text), address(Type::text), at(Type::timestamptz), machine(Type::boolean),
        detail(Type::jsonb);
    for (const MessageFact& one : facts) {
        tenant.add(one.tenant);
        connector.add(std::string_view(one.connector));
        account.add(std::string_view(one.account));
        event.add(std::string_view(one.event_id));
        kind.add(std::string_view(one.kind));
        external.add_or_null(one.external_id);
        add_some(message, one.message);
        person.add_or_null(one.person);
        channel.add_or_null(one.channel);
        address.add_or_null(one.address);
        at.add(one.at);
        machine.add(one.machine);
        detail.add_json(one.detail);
    }
    Params params;
    params.add(bucket).add(std::move(tenant)).add(std::move(connector)).add(std::move(account));
    params.add(std::move(event)).add(std::move(kind)).add(std::move(external));
    params.add(std::move(message)).add(std::move(person)).add(std::move(channel));
    params.add(std::move(address)).add(std::move(at)).add(std::move(machine));
    params.add(std::move(detail));
    const auto rows = co_await call(pool_, queries::take_facts, std::move(params));
    co_return FactsTaken{rows.int4(0, 0), rows.int4(0, 1), rows.int4(0, 2), rows.boolean(0, 3)};
}

asio::awaitable<void> Messages::link(
    TenantId tenant, std::string person, std::string channel, std::string address
) {
    co_await call(
        pool_, queries::link_address, params_of(tenant, person, channel, address), tenant
    );
}

asio::awaitable<std::optional<json::value>> Messages::find_connector(
    TenantId tenant, std::string name
) {
    const auto rows = co_await call(pool_, queries::find_connector, params_of(tenant, name));
    if (rows.size() == 0) co_return std::nullopt;
    co_return rows.jsonb(0, 0);
}

}  // namespace pawl::store
