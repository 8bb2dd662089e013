#pragma once

#include "app/batching/rounds.hpp"
#include "app/messages/connector_uses.hpp"
#include "base/seal.hpp"
#include "steps/fill_person.hpp"
#include "steps/message_step.hpp"
#include "store/repos/connector_accounts.hpp"
#include "store/repos/hidden_addresses.hpp"
#include "store/repos/messages.hpp"
#include "store/repos/persons.hpp"

#include <map>
#include <string>

namespace pawl::host {

namespace asio = boost::asio;

struct MessageDeskOptions {
    store::Bucket bucket = 0;
    std::string public_url;  // where providers and people reach this server; empty: nowhere
    Seal seal;               // signs the links of messages
};

// What steps need from the database to read persons and to send messages, asked together for many
// runs. Lives on one thread. Await stop() before the executor ends.
class MessageDesk {
public:
    MessageDesk(
        asio::any_io_executor executor,
        pg::Pool& pool,
        const Vault& vault,
        MessageDeskOptions options
    );

    steps::ReadPerson read_person();
    steps::MessageServices services();
    asio::awaitable<void> stop();

private:
    struct Known {
        store::ConnectorAccount about;
        connect::Account account;
        app::ConnectorPtr connector;
        Steady::time_point until{};
    };
    using KnownPtr = std::shared_ptr<const Known>;
    struct Done {};

    asio::awaitable<Result<steps::MessageReady>> prepare(steps::MessageOrder order);
    asio::awaitable<std::vector<store::MessagePrepared>> prepare_all(
        std::vector<store::MessageAsked> asked
    );
    asio::awaitable<steps::MessageTurn> pace(steps::MessagePace pace);
    asio::awaitable<std::vector<steps::MessageBegun>> begin(std::vector<steps::StepMessage> messages
    );
    asio::awaitable<void> release(std::vector<Uuid> ids);
    asio::awaitable<steps::Delivered> gather(
        std::string group, std::size_t most, steps::Parcel parcel, steps::DeliverAll deliver
    );
    void add_links(const steps::MessageOrder& order, steps::MessageReady& ready) const;
    asio::awaitable<void> note(steps::MessageFailure failure);
    asio::awaitable<std::vector<Done>> release_all(std::vector<Uuid> ids);
    asio::awaitable<std::vector<Done>> note_all(std::vector<store::MessageRow> rows);
    asio::awaitable<Result<KnownPtr>> account_of(
        store::TenantId tenant, std::string connector, std::string account
    );
    asio::awaitable<Result<app::ConnectorPtr>> connector_of(
        store::TenantId tenant, std::string name
    );

    using Gathering = app::Rounds<steps::Parcel, steps::Delivered>;

    store::MessageRow row_of(const steps::StepMessage& message) const;

    asio::any_io_executor executor_;
    const Vault& vault_;  // what the texts of messages are recognised by
    store::Persons persons_;
    store::Messages messages_;
    store::ConnectorAccounts accounts_;
    store::HiddenAddresses hidden_;
    MessageDeskOptions options_;
    app::Rounds<store::PersonKey, std::optional<json::object>> readings_;
    app::Rounds<store::MessageAsked, store::MessagePrepared> orders_;
    app::Rounds<store::PaceAsked, store::PaceTurn> turns_;
    app::Rounds<store::MessageRow, store::MessageStarted> begins_;
    app::Rounds<Uuid, Done> releases_;
    app::Rounds<store::MessageRow, Done> notes_;
    std::map<std::string, KnownPtr> known_;
    std::map<std::string, std::shared_ptr<Gathering>> gatherings_;  // by group
};

}  // namespace pawl::host
