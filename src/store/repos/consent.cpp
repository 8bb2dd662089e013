#include "store/repos/consent.hpp"

#include "base/json.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

using pg::Params;

asio::awaitable<void> Consent::suppress(
    TenantId tenant, std::string channel, std::string address, std::string reason
) {
    co_await call_as(
        pool_, tenant, queries::suppress_address, params_of(tenant, channel, address, some(reason))
    );
}

namespace {

pg::Array array_of(const std::vector<std::string>& texts) {
    pg::Array all(pg::Type::text);
    for (const std::string& text : texts) all.add(std::string_view(text));
    return all;
}

}  // namespace

asio::awaitable<bool> Consent::lift(
    TenantId tenant, std::string channel, std::string address, std::vector<std::string> sealed
) {
    Params params = params_of(tenant, channel, address);
    params.add(array_of(sealed));
    const auto rows = co_await call_as(pool_, tenant, queries::lift_suppression, std::move(params));
    co_return rows.boolean(0, 0);
}

asio::awaitable<std::vector<Suppression>> Consent::list(
    TenantId tenant,
    std::string channel,
    std::string address,
    std::vector<std::string> sealed,
    SuppressionCursor after,
    int limit
) {
    Params params;
    params.add(tenant).add(some(channel)).add(some(address)).add(some(after.channel));
    params.add(std::string_view(after.address)).add(std::string_view(after.reason));
    params.add(std::int32_t{limit}).add(array_of(sealed));
    const auto rows =
        co_await call_as(pool_, tenant, queries::list_suppressions, std::move(params));
    std::vector<Suppression> all;
    for (int row = 0; row < rows.size(); ++row) {
        all.push_back(
            {rows.text(row, 0), rows.text(row, 1), rows.text(row, 2), rows.instant(row, 3)}
        );
    }
    co_return all;
}

asio::awaitable<void> Consent::subscribe(
    TenantId tenant, std::string person, std::string channel, std::string category, bool subscribed
) {
    Params params;
    params.add(tenant).add(std::string_view(person)).add(std::string_view(channel));
    params.add(std::string_view(category)).add(subscribed).add_null();
    co_await call_as(pool_, tenant, queries::set_subscription, std::move(params));
}

asio::awaitable<void> Consent::unsubscribe(
    Tenant tenant, std::string person, std::string channel, std::string category
) {
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(std::string_view(person));
    params.add(std::string_view(channel)).add(std::string_view(category));
    co_await call(pool_, queries::unsubscribe_person, std::move(params), tenant.id);
}

asio::awaitable<std::vector<Unsubscribed>> Consent::unsubscribed(
    TenantId tenant, std::string person
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::list_unsubscribes, params_of(tenant, person));
    std::vector<Unsubscribed> all;
    for (int row = 0; row < rows.size(); ++row) {
        all.push_back({rows.text(row, 0), rows.text(row, 1), rows.instant(row, 2)});
    }
    co_return all;
}

asio::awaitable<std::optional<Preferences>> Consent::preferences(
    TenantId tenant, std::string person
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::preferences, params_of(tenant, person));
    if (rows.size() == 0 || rows.is_null(0, 0)) co_return std::nullopt;
    const json::value read = rows.jsonb(0, 0);
    Preferences found;
    found.locale = text_in(read, "locale");
    for (const json::value& cell : read.at("cells").as_array()) {
        found.cells.push_back(
            {std::string(text_in(cell, "channel")),
             std::string(text_in(cell, "category")),
             cell.at("wanted").as_bool()}
        );
    }
    co_return found;
}

asio::awaitable<void> Consent::set_preferences(
    Tenant tenant, std::string person, std::vector<Preference> cells
) {
    pg::Array channel(pg::Type::text), category(pg::Type::text), wanted(pg::Type::boolean);
    for (const Preference& one : cells) {
        channel.add(std::string_view(one.channel));
        category.add(std::string_view(one.category));
        wanted.add(one.wanted);
    }
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(std::string_view(person));
    params.add(std::move(channel)).add(std::move(category)).add(std::move(wanted));
    co_await call(pool_, queries::set_preferences, std::move(params), tenant.id);
}

asio::awaitable<void> Consent::put_policy(
    TenantId tenant, std::string channel, json::object policy
) {
    Params params;
    params.add(tenant).add(std::string_view(channel)).add_json(policy);
    co_await call_as(pool_, tenant, queries::put_message_policy, std::move(params));
}

asio::awaitable<std::vector<MessagePolicy>> Consent::policies(TenantId tenant) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::list_message_policies, params_of(tenant));
    std::vector<MessagePolicy> all;
    for (int row = 0; row < rows.size(); ++row) {
        json::value policy = rows.jsonb(row, 1);
        all.push_back({rows.text(row, 0), policy.as_object(), rows.instant(row, 2)});
    }
    co_return all;
}

asio::awaitable<bool> Consent::remove_policy(TenantId tenant, std::string channel) {
    return any_row_as(pool_, tenant, queries::delete_message_policy, params_of(tenant, channel));
}

}  // namespace pawl::store
