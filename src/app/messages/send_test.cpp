#include "app/messages/send_test.hpp"

#include "app/messages/account_uses.hpp"
#include "app/messages/connector_uses.hpp"
#include "app/refusal.hpp"
#include "base/clock.hpp"
#include "base/rng.hpp"
#include "connect/message_refusal.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

// The address of a message that must not go there says more than its category.
constexpr const char* category = "transactional";

Uuid fresh_id() {
    Rng rng;
    const auto now = std::chrono::floor<std::chrono::milliseconds>(wall_now().time_since_epoch());
    return IdMaker(rng).next(static_cast<std::uint64_t>(now.count()));
}

asio::awaitable<Result<store::MessagePrepared>> prepare(
    TemplateUses& uses, store::Tenant tenant, const TestParams& params, Uuid id
) {
    store::MessageAsked asked;
    asked.tenant = tenant.id;
    asked.id = id;
    asked.channel = params.channel;
    asked.to = params.to;
    asked.category = category;
    asked.connector = params.connector;
    asked.account = params.account;
    std::vector<store::MessageAsked> all;
    all.push_back(std::move(asked));
    auto prepared = co_await uses.messages.prepare(tenant.bucket, all);
    co_await uses.hidden.judge(all, prepared);
    store::MessagePrepared& one = prepared.at(0);
    if (!one.hidden.empty()) co_return store::cannot_judge();
    if (!one.problem.empty()) {
        co_return wrong_at(
            one.problem, params.account.empty() ? "/connector" : "/account", "cannot be used"
        );
    }
    if (!one.verdict.empty()) {
        co_return wrong_at(
            fmt::format("nothing is sent to {}: the address is {}", params.to, one.verdict),
            "/to",
            fmt::format("is {}: lift that, or take another address", one.verdict)
        );
    }
    co_return std::move(one);
}

// Of what is wrong with it, at the place of the parameters.
Error wrong(const Error& error) {
    const std::string_view reason = connect::reason_of(error);
    std::string pointer;
    if (reason == "invalid_address") pointer = "/to";
    if (reason == "invalid_account") pointer = "/account";
    return wrong_at(error.message, std::move(pointer), error.message);
}

std::string_view state_of(connect::Means means) {
    switch (means) {
        case connect::Means::accepted: return "sent";
        case connect::Means::unknown: return "unknown";
        case connect::Means::retry:
        case connect::Means::refused: break;
    }
    return "failed";
}

asio::awaitable<void> note(
    TemplateUses& uses, store::Tenant tenant, const TestParams& params, const TestSent& sent
) {
    store::MessageRow row;
    row.tenant = tenant.id;
    row.id = sent.message;
    row.node = "test";
    json::object data{
        {"test", true},
        {"state", sent.state},
        {"channel", params.channel},
        {"category", sent.filled.category},
        {"connector", sent.connector},
        {"account", sent.account},
        {"template", params.filled.name},
        {"template_version", sent.filled.version},
        {"address", params.to}};
    if (!sent.external_id.empty()) data["external_id"] = sent.external_id;
    if (!sent.error.empty()) data["error"] = sent.error;
    row.data = std::move(data);
    std::vector<store::MessageRow> rows;
    rows.push_back(std::move(row));
    co_await uses.messages.note(tenant.bucket, std::move(rows));
}

}  // namespace

asio::awaitable<Result<TestSent>> send_test(
    TemplateUses& uses, store::Tenant tenant, TestParams params
) {
    TestSent sent;
    sent.message = fresh_id();
    auto filled = co_await preview_template(uses, tenant.id, params.filled);
    if (!filled) co_return filled.error();
    sent.filled = std::move(*filled);
    const auto prepared = co_await prepare(uses, tenant, params, sent.message);
    if (!prepared) co_return prepared.error();
    sent.connector = prepared->connector;
    sent.account = prepared->account;
    auto found = co_await find_connector(uses.messages, tenant.id, sent.connector);
    if (!found) co_return found.error();
    auto account = co_await uses.accounts.find(tenant.id, sent.connector, sent.account);
    if (!account) co_return account.error();
    steps::SingleMessage single;
    single.tenant = tenant.id;
    single.connector = std::move(found->connector);
    single.account_name = sent.account;
    single.account = {account->credentials, account->account.settings};
    single.message.message_id = to_string(sent.message);
    single.message.to = params.to;
    single.message.channel = params.channel;
    single.message.content = sent.filled.content;
    if (!uses.public_url.empty()) {
        single.message.hook_url = hook_url(uses.public_url, account->account);
    }
    single.message.at = wall_now();
    const auto verdict = co_await uses.send(std::move(single));
    if (!verdict) co_return wrong(verdict.error());
    sent.state = state_of(verdict->means);
    sent.external_id = verdict->external_id;
    sent.error = verdict->message;
    co_await note(uses, tenant, params, sent);
    co_return sent;
}

}  // namespace pawl::app
