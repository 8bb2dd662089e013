#include "store/repos/outbox.hpp"

#include "base/json.hpp"
#include "base/number_text.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/vault_boxes.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::store {

using pg::Array;
using pg::Params;
using pg::Type;

namespace {

// The one that signs, and the one before it while both count.
void read_secrets(const pg::Rows& rows, TenantId tenant, const Vault& vault, TakenMessages& taken) {
    const std::string about = outbox_secret_place(tenant, taken.target);
    for (const int first : {11, 14}) {
        if (rows.is_null(0, first)) continue;
        auto secret = vault.open(about, box_of(rows, 0, first));
        if (secret) {
            taken.secrets.push_back(std::move(*secret));
        } else if (first == 11) {
            taken.problem = secret.error().message;
        }
    }
    if (taken.secrets.empty() && taken.problem.empty()) taken.problem = "it has no secret";
}

void add_settled(Params& params, const std::vector<SettledMessage>& messages) {
    Array run(Type::uuid), seq(Type::int4), state(Type::int2), tried(Type::boolean),
        status(Type::int2), response(Type::text), error(Type::text), wait(Type::int8);
    for (const SettledMessage& one : messages) {
        run.add(one.run.uuid);
        seq.add(one.seq);
        state.add(static_cast<std::int16_t>(one.state));
        tried.add(one.tried);
        if (one.status) {
            status.add(static_cast<std::int16_t>(*one.status));
        } else {
            status.add_null();
        }
        response.add_or_null(one.response);
        error.add_or_null(one.error);
        if (one.wait) {
            wait.add(std::int64_t{one.wait->count() / 1000});
        } else {
            wait.add_null();
        }
    }
    params.add(std::move(run)).add(std::move(seq)).add(std::move(state)).add(std::move(tried));
    params.add(std::move(status)).add(std::move(response)).add(std::move(error));
    params.add(std::move(wait));
}

}  // namespace

std::string outbox_id(RunId run, std::int32_t seq) {
    return fmt::format("evt_{}_{}", to_string(run), seq);
}

std::optional<OutboxPlace> parse_outbox_id(std::string_view id) {
    constexpr std::size_t uuid_length = 36;
    if (!id.starts_with("evt_") || id.size() < 4 + uuid_length + 2) return std::nullopt;
    const auto run = parse_uuid(id.substr(4, uuid_length));
    const std::string_view number = id.substr(4 + uuid_length + 1);
    const auto seq = read_number<std::int32_t>(number);
    if (!run || !seq || id[4 + uuid_length] != '_') return std::nullopt;
    return OutboxPlace{RunId{*run}, *seq};
}

std::string outbox_secret_place(TenantId tenant, std::int32_t target) {
    return fmt::format("webhook/{}/{}", tenant, target);
}

boost::asio::awaitable<bool> Outbox::any_targets() {
    const auto rows = co_await call(pool_, queries::has_outbox_targets, {});
    co_return rows.boolean(0, 0);
}

boost::asio::awaitable<TakenMessages> Outbox::take(
    Bucket bucket, WorkerId worker, int limit, Duration lease
) {
    const auto rows =
        co_await call(pool_, queries::take_outbox, params_of(bucket, worker.uuid, limit, lease));
    TakenMessages taken;
    if (rows.size() == 0) co_return taken;
    taken.target = rows.int4(0, 5);
    taken.url = rows.text(0, 7);
    taken.batch_max = rows.int4(0, 8);
    const json::value retries = rows.jsonb(0, 9);
    if (const auto* list = retries.if_array()) {
        for (const json::value& one : *list) {
            taken.retries.push_back(static_cast<int>(whole_number(&one).value_or(60)));
        }
    }
    taken.failures = rows.int4(0, 10);
    taken.shard = rows.int2(0, 17);
    taken.tenant = rows.int4(0, 6);
    read_secrets(rows, taken.tenant, vault_, taken);
    taken.messages.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        taken.messages.push_back(
            {RunId{rows.uuid(row, 0)},
             rows.int4(row, 1),
             rows.text(row, 2),
             rows.int2(row, 3),
             rows.text(row, 4)}
        );
    }
    co_return taken;
}

boost::asio::awaitable<void> Outbox::settle(
    Bucket bucket, WorkerId worker, SettledMessages settled
) {
    Params params;
    params.add(bucket).add(settled.target).add(settled.shard).add(worker.uuid);
    add_settled(params, settled.messages);
    if (settled.pause) {
        params.add(std::int64_t{settled.pause->count() / 1000});
    } else {
        params.add_null();
    }
    params.add(some(settled.disable));
    co_await call(pool_, queries::settle_outbox, std::move(params), settled.tenant);
}

boost::asio::awaitable<std::vector<SentInside>> Outbox::publish_inside(Bucket bucket, int limit) {
    const auto rows = co_await call(pool_, queries::publish_inside, params_of(bucket, limit));
    std::vector<SentInside> all;
    for (int row = 0; row < rows.size(); ++row) {
        all.push_back({std::string(rows.text(row, 0)), rows.int4(row, 1), rows.int4(row, 2)});
    }
    co_return all;
}

boost::asio::awaitable<std::int64_t> Outbox::purge(Bucket bucket, Duration keep, int limit) {
    const auto rows = co_await call(pool_, queries::purge_outbox, params_of(bucket, keep, limit));
    co_return rows.int4(0, 0);
}

}  // namespace pawl::store
