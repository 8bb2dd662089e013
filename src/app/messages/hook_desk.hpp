#pragma once

#include "app/batching/tenant_rounds.hpp"
#include "app/messages/connector_uses.hpp"
#include "base/seal.hpp"
#include "connect/hook.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace pawl::app {

// What became of a call of a provider, for the metrics.
enum class HookOutcome { taken, bad_signature, unreadable, unknown_endpoint, too_large };
std::string_view name(HookOutcome outcome);

// Takes in what providers call hooks with. Calls of a tenant that come together go together. One
// thread; the repositories outlive it. Await stop() before the executor ends.
class HookDesk {
public:
    // Of one call, in bytes.
    static constexpr std::size_t body_max = 1 << 20;

    HookDesk(
        asio::any_io_executor executor,
        store::ConnectorAccounts& accounts,
        store::Messages& messages
    );

    // Whose endpoint it is; Errc::not_found when it is none of this connector.
    asio::awaitable<Result<store::TenantId>> owner(std::string connector, std::string endpoint);
    // Facts that it brings are durable when it returns; how many there were. A call without any is
    // fine. What a connector refuses: connect/hook.hpp.
    asio::awaitable<Result<std::size_t>> take(
        std::string connector, std::string endpoint, connect::HookRequest hook
    );
    // The same for a call that names no endpoint: the account whose secret signs it is looked for,
    // among those of a merchant where that is given.
    asio::awaitable<Result<std::size_t>> take_signed(
        std::string connector, std::string merchant, connect::HookRequest hook
    );
    // Keeps a fact that is known without a provider; durable when it returns.
    asio::awaitable<void> keep(store::Bucket bucket, store::MessageFact fact);
    // An account or a connector has changed.
    void forget() {
        known_.clear();
        receivers_.clear();
    }
    asio::awaitable<void> stop() { return rounds_.stop(); }

    // Signs what a person brings along who links an account of theirs. Set before the first call.
    Seal seal;
    // Called when facts were taken in that runs may wait for.
    std::function<void()> on_taken = [] {};
    // Called for each call, with the name of a connector that comes with Pawl, or "own".
    std::function<void(const std::string& connector, HookOutcome outcome)> count =
        [](const std::string&, HookOutcome) {};

private:
    struct Endpoint {
        store::OpenAccount account;
        ConnectorPtr connector;
        Steady::time_point until{};
    };
    using EndpointPtr = std::shared_ptr<const Endpoint>;
    struct Parcel {
        store::Bucket bucket = 0;
        std::vector<store::MessageFact> facts;
    };
    struct Taken {
        std::optional<Error> refused;
    };

    asio::awaitable<Result<EndpointPtr>> find(std::string connector, std::string endpoint);
    asio::awaitable<std::vector<Taken>> deliver(std::vector<Parcel> parcels);
    asio::awaitable<bool> link(store::MessageFact& fact, Instant now);

    store::ConnectorAccounts& accounts_;
    store::Messages& messages_;
    std::map<std::string, EndpointPtr> known_;
    std::map<std::string, std::string> receivers_;  // their endpoints, of calls that were signed
    TenantRounds<Parcel, Taken> rounds_;
};

// A fact of a connector as it is kept; pure.
store::MessageFact kept_fact(const store::ConnectorAccount& account, connect::Fact fact);

}  // namespace pawl::app
