#pragma once

#include "app/messages/connector_uses.hpp"
#include "app/runs/run_uses.hpp"
#include "base/complaint.hpp"
#include "engine/async/gate.hpp"
#include "steps/inquire.hpp"
#include "store/repos/inquiries.hpp"

#include <functional>

namespace pawl::app {

// Asks providers about messages whose outcome is unknown, where their connector says how: one that
// the provider has becomes a fact, and one that it does not have is sent again by its step. What
// cannot be told stays unknown, for a fact or a person; once a person has settled the step, or it
// has ended otherwise, no one is asked. Each process looks; an inquiry is taken by one of them at a
// time. One thread; what it uses outlives it, and what its coroutines are given by
// reference is of the coroutine that awaits them.
class Reconciler {
public:
    struct Uses {
        store::Inquiries& inquiries;
        store::Messages& messages;
        store::ConnectorAccounts& accounts;
        RunUses& runs;
        const Vault& vault;  // what the texts of messages are recognised by
        std::function<asio::awaitable<Result<connect::Found>>(steps::SingleInquiry)> ask;
        std::function<void()> on_fact = [] {};
    };
    Reconciler(asio::any_io_executor executor, Uses uses)
        : uses_(std::move(uses)), gate_(executor) {}

    asio::awaitable<void> run();
    // Goes over what is due once; how many there were.
    asio::awaitable<std::size_t> ask_all();

private:
    struct Known {
        ConnectorPtr connector;
        connect::Account account;
    };

    asio::awaitable<void> ask(store::MessageInquiry inquiry);
    asio::awaitable<bool> is_over(const store::MessageInquiry& inquiry);
    asio::awaitable<Result<Known>> find(const store::MessageInquiry& inquiry);
    asio::awaitable<Duration> turn(const store::MessageInquiry& inquiry, int per_minute);
    asio::awaitable<Result<connect::Finding>> answer_of(
        const store::MessageInquiry& inquiry, const Known& known
    );
    asio::awaitable<void> follow(store::MessageInquiry inquiry, connect::Finding finding);
    asio::awaitable<bool> note_sent(
        const store::MessageInquiry& inquiry, const std::string& external_id
    );
    asio::awaitable<bool> send_again(const store::MessageInquiry& inquiry, std::string why);
    asio::awaitable<void> give_up(const store::MessageInquiry& inquiry, std::string_view why);

    Uses uses_;
    engine::Gate gate_;
    Complaint trouble_{"providers could not be asked about messages"};
};

// When a provider is asked again that could not tell: longer each time. `tries`: so far.
Duration pause_between_inquiries(int tries);

}  // namespace pawl::app
