#include "steps/message_once.hpp"

#include "base/clock.hpp"
#include "connect/message_refusal.hpp"

namespace pawl::steps {

namespace {

bool arrived(const http::Fault& fault) {
    return fault.kind == http::FaultKind::timeout_after_sent ||
           fault.kind == http::FaultKind::interrupted_after_sent ||
           fault.kind == http::FaultKind::too_large;
}

// It would not go out later either: what is wrong is the address, or the request.
bool is_final(const http::Fault& fault) {
    return fault.kind == http::FaultKind::forbidden_address ||
           fault.kind == http::FaultKind::bad_url || fault.kind == http::FaultKind::bad_request ||
           fault.kind == http::FaultKind::bad_redirect;
}

connect::Verdict never_sent(const http::Fault& fault) {
    connect::Verdict verdict;
    verdict.means = connect::Means::refused;
    verdict.code = name(fault.kind);
    verdict.message = fault.message;
    return verdict;
}

}  // namespace

connect::Verdict verdict_of(const connect::Connector& connector, const http::Outcome& outcome) {
    if (outcome) return connect::read_answer(connector, *outcome, wall_now());
    if (is_final(outcome.error())) return never_sent(outcome.error());
    connect::Verdict verdict = connect::no_answer(connector, arrived(outcome.error()));
    if (verdict.message.empty()) verdict.message = outcome.error().message;
    return verdict;
}

asio::awaitable<Result<connect::Verdict>> hand_over_once(
    http::Client& client, AccessTokens& tokens, SingleMessage single
) {
    if (single.connector->token) {
        auto found = co_await tokens.find(
            single.tenant, single.account_name, *single.connector, single.account
        );
        if (!found.token) {
            co_return connect::refusal("invalid_account", "", found.token.error().message);
        }
        single.message.access_token = std::move(*found.token);
    }
    auto call = connect::make_request(*single.connector, single.account, single.message);
    if (!call) co_return call.error();
    call->request.timeout = single.timeout;
    call->request.tenant = single.tenant;
    const http::Outcome outcome = co_await client.send(std::move(call->request));
    connect::Verdict verdict = verdict_of(*single.connector, outcome);
    if (verdict.external_id.empty()) verdict.external_id = call->external_id;
    if (verdict.renew_token) {
        tokens.forget(single.tenant, single.connector->name, single.account_name);
    }
    co_return verdict;
}

}  // namespace pawl::steps
