#include "app/messages/hook_desk.hpp"

#include "app/messages/message_links.hpp"
#include "app/refusal.hpp"
#include "base/json.hpp"
#include "base/log.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

// An account that was changed by another process counts after this long at the latest.
constexpr Duration endpoint_kept = std::chrono::seconds(5);
constexpr std::size_t endpoints_max = 10'000;
// The signature of a call that names no endpoint is tried with so many secrets, and its body is not
// longer than this: a call without a signature costs little.
constexpr int signers_max = 100;
constexpr std::size_t signed_body_max = 256 << 10;

Error no_endpoint() {
    return not_found("there is no such endpoint: was the account deleted, or the address cut?");
}

HookOutcome outcome_of(const Error& error) {
    if (error.code == Errc::unauthenticated) return HookOutcome::bad_signature;
    return error.code == Errc::not_found ? HookOutcome::unknown_endpoint : HookOutcome::unreadable;
}

// The names of a tenant's own are not for the metrics of all.
std::string label_of(const std::string& connector) {
    return connect::find_shipped(connector) == nullptr ? "own" : connector;
}

}  // namespace

std::string_view name(HookOutcome outcome) {
    switch (outcome) {
        case HookOutcome::taken: return "taken";
        case HookOutcome::bad_signature: return "bad_signature";
        case HookOutcome::unreadable: return "unreadable";
        case HookOutcome::unknown_endpoint: return "unknown_endpoint";
        case HookOutcome::too_large: return "too_large";
    }
    return {};
}

store::MessageFact kept_fact(const store::ConnectorAccount& account, connect::Fact fact) {
    store::MessageFact kept;
    kept.tenant = account.tenant;
    kept.connector = account.connector;
    kept.account = account.account;
    kept.event_id = std::move(fact.provider_event_id);
    kept.kind = connect::name(fact.kind);
    kept.external_id = std::move(fact.external_id);
    kept.message = parse_uuid(fact.message_id);
    if (!account.channels.empty() && account.channels[0].is_string()) {
        kept.channel = account.channels[0].get_string();
    }
    kept.address = std::move(fact.address);
    kept.at = fact.at;
    kept.machine = fact.machine;
    kept.detail = std::move(fact.detail);
    return kept;
}

HookDesk::HookDesk(
    asio::any_io_executor executor, store::ConnectorAccounts& accounts, store::Messages& messages
)
    : accounts_(accounts),
      messages_(messages),
      rounds_(executor, [this](std::vector<Parcel> all) { return deliver(std::move(all)); }) {}

asio::awaitable<Result<HookDesk::EndpointPtr>> HookDesk::find(
    std::string connector, std::string endpoint
) {
    const auto kept = known_.find(endpoint);
    if (kept != known_.end() && kept->second->until > Steady::now()) {
        if (kept->second->account.account.connector != connector) co_return no_endpoint();
        co_return kept->second;
    }
    auto account = co_await accounts_.find_by_hook(endpoint);
    if (!account && account.error().code == Errc::not_found) co_return no_endpoint();
    if (!account) {
        // Not for who calls: it says how secrets are kept.
        log::error("a hook cannot be checked", {log::field("error", to_string(account.error()))});
        co_return Error{Errc::unavailable, "the endpoint cannot be used right now", {}};
    }
    if (account->account.connector != connector) co_return no_endpoint();
    auto shape = co_await find_connector(messages_, account->account.tenant, connector);
    if (!shape) co_return shape.error();
    auto found = std::make_shared<Endpoint>();
    found->account = std::move(*account);
    found->connector = std::move(shape->connector);
    found->until = Steady::now() + endpoint_kept;
    if (known_.size() >= endpoints_max) known_.clear();
    known_.insert_or_assign(std::move(endpoint), found);
    co_return found;
}

asio::awaitable<Result<store::TenantId>> HookDesk::owner(
    std::string connector, std::string endpoint
) {
    const auto found = co_await find(connector, std::move(endpoint));
    if (found) co_return (*found)->account.account.tenant;
    count(label_of(connector), outcome_of(found.error()));
    co_return found.error();
}

asio::awaitable<Result<std::size_t>> HookDesk::take(
    std::string connector, std::string endpoint, connect::HookRequest hook
) {
    const std::string label = label_of(connector);
    if (hook.body.size() > body_max) {
        count(label, HookOutcome::too_large);
        co_return Error{Errc::too_large, fmt::format("a hook has at most {} bytes", body_max), {}};
    }
    const auto found = co_await find(std::move(connector), std::move(endpoint));
    if (!found) {
        count(label, outcome_of(found.error()));
        co_return found.error();
    }
    const store::OpenAccount& account = (*found)->account;
    auto facts = connect::read_hook(
        *(*found)->connector, {account.credentials, account.account.settings}, hook
    );
    if (!facts) {
        count(label, outcome_of(facts.error()));
        co_return facts.error();
    }
    const std::size_t many = facts->size();
    if (many > 0) {
        Parcel parcel;
        parcel.bucket = account.account.bucket;
        for (connect::Fact& fact : *facts) {
            auto kept = kept_fact(account.account, std::move(fact));
            if (co_await link(kept, hook.now)) parcel.facts.push_back(std::move(kept));
        }
        auto taken = co_await rounds_.ask(account.account.tenant, std::move(parcel));
        if (taken.refused) throw Failure(std::move(*taken.refused));
    }
    count(label, HookOutcome::taken);
    co_return many;
}

asio::awaitable<Result<std::size_t>> HookDesk::take_signed(
    std::string connector, std::string merchant, connect::HookRequest hook
) {
    Error refused{Errc::unauthenticated, "no account has signed this", {}};
    if (hook.body.size() > signed_body_max) {
        count(label_of(connector), HookOutcome::too_large);
        co_return Error{Errc::too_large, fmt::format("at most {} bytes", signed_body_max), {}};
    }
    const auto body = parse_json(hook.body);
    const std::string receiver(body ? text_in(*body, "destination") : "");
    const auto known = receivers_.find(receiver);
    std::vector<std::string> tokens;
    if (merchant.empty() && known != receivers_.end()) tokens.push_back(known->second);
    for (auto& one : co_await accounts_.hook_tokens(connector, merchant, receiver, signers_max)) {
        tokens.push_back(std::move(one));
    }
    for (const std::string& token : tokens) {
        const auto found = co_await find(connector, token);
        if (!found) continue;
        const store::OpenAccount& account = (*found)->account;
        const connect::Account opened{account.credentials, account.account.settings};
        const auto facts = connect::read_hook(*(*found)->connector, opened, hook);
        if (!facts && facts.error().code == Errc::unauthenticated) continue;
        if (receivers_.size() >= endpoints_max) receivers_.clear();
        if (facts && !receiver.empty()) receivers_.insert_or_assign(receiver, token);
        co_return co_await take(connector, token, std::move(hook));
    }
    count(label_of(connector), HookOutcome::bad_signature);
    co_return refused;
}

// A fact with a nonce says whose the address is. False: it is not one of ours, or too old, and the
// fact says nothing. The fact outlives the call.
asio::awaitable<bool> HookDesk::link(store::MessageFact& fact, Instant now) {
    const json::value* nonce = fact.detail.if_contains("nonce");
    if (nonce == nullptr) co_return true;
    const auto whose =
        open_line_nonce(seal, nonce->is_string() ? std::string_view(nonce->get_string()) : "", now);
    fact.detail.erase("nonce");
    if (!whose || whose->tenant.id != fact.tenant || fact.address.empty()) co_return false;
    fact.person = whose->person;
    co_await messages_.link(fact.tenant, fact.person, fact.channel, fact.address);
    co_return true;
}

asio::awaitable<void> HookDesk::keep(store::Bucket bucket, store::MessageFact fact) {
    const store::TenantId tenant = fact.tenant;
    Parcel parcel;
    parcel.bucket = bucket;
    parcel.facts.push_back(std::move(fact));
    auto taken = co_await rounds_.ask(tenant, std::move(parcel));
    if (taken.refused) throw Failure(std::move(*taken.refused));
}

asio::awaitable<std::vector<HookDesk::Taken>> HookDesk::deliver(std::vector<Parcel> parcels) {
    // All of one tenant, which is in one bucket.
    const store::Bucket bucket = parcels.front().bucket;
    std::vector<Taken> taken(parcels.size());
    std::vector<store::MessageFact> all;
    for (const Parcel& parcel : parcels) {
        all.insert(all.end(), parcel.facts.begin(), parcel.facts.end());
    }
    std::optional<Failure> failed;
    bool news = false;
    const auto look_at = [&news](const store::FactsTaken& what) {
        news = news || what.told || what.waiting > 0;
    };
    try {
        look_at(co_await messages_.take(bucket, std::move(all)));
    } catch (const Failure& failure) {
        if (parcels.size() == 1 || info(failure.error().code).retryable) throw;
        failed = failure;
    }
    // One of them is at fault, and the others are not to blame.
    for (std::size_t i = 0; failed && i < parcels.size(); ++i) {
        try {
            look_at(co_await messages_.take(bucket, std::move(parcels[i].facts)));
        } catch (const Failure& failure) {
            taken[i].refused = failure.error();
        }
    }
    if (news) on_taken();
    co_return taken;
}

}  // namespace pawl::app
