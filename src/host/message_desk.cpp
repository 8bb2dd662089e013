#include "host/message_desk.hpp"

#include "app/messages/message_links.hpp"
#include "app/messages/unsubscribe_link.hpp"
#include "base/json.hpp"
#include "connect/refusal.hpp"

#include <fmt/core.h>

namespace pawl::host {

namespace {

// Credentials that were changed count after this long at the latest.
constexpr Duration account_kept = std::chrono::seconds(5);
constexpr std::size_t accounts_max = 10'000;
constexpr double microseconds_in_second = 1e6;

Error no_connector(std::string message) {
    return connect::refusal("no_connector", "", message, Errc::invalid);
}

store::MessageAsked asked_of(const steps::MessageOrder& order) {
    store::MessageAsked asked;
    asked.tenant = order.tenant;
    asked.id = order.id;
    asked.person = order.person;
    asked.channel = order.channel;
    asked.to = order.to;
    asked.message_template = order.message_template;
    asked.category = order.category;
    asked.connector = order.connector;
    asked.account = order.account;
    return asked;
}

store::MessageRow row_of(const steps::StepMessage& message) {
    const steps::MessageOrder& order = message.order;
    store::MessageRow row;
    row.run = message.run;
    row.tenant = order.tenant;
    row.workflow = message.workflow;
    row.version = message.version;
    row.id = order.id;
    row.node = message.node;
    row.person = order.person;
    json::object data{
        {"channel", order.channel},
        {"category", order.category},
        {"connector", message.connector},
        {"account", message.account}};
    if (!order.message_template.empty()) data["template"] = order.message_template;
    if (message.template_version > 0) data["template_version"] = message.template_version;
    if (message.ask_after) {
        data["ask_after"] = std::chrono::duration<double>(*message.ask_after).count();
        data["address"] = message.address;
        if (message.text_hash) data["text_hash"] = *message.text_hash;
    }
    row.data = std::move(data);
    return row;
}

}  // namespace

MessageDesk::MessageDesk(
    asio::any_io_executor executor, pg::Pool& pool, const Vault& vault, MessageDeskOptions options
)
    : persons_(pool),
      messages_(pool),
      accounts_(pool, vault),
      options_(std::move(options)),
      readings_(
          executor,
          [this](std::vector<store::PersonKey> keys) { return persons_.read(std::move(keys)); }
      ),
      orders_(
          executor,
          [this](std::vector<store::MessageAsked> asked) {
              return messages_.prepare(options_.bucket, std::move(asked));
          }
      ),
      turns_(
          executor,
          [this](std::vector<store::PaceAsked> asked) {
              return messages_.pace(options_.bucket, std::move(asked));
          }
      ),
      begins_(
          executor,
          [this](std::vector<store::MessageRow> rows) {
              return messages_.begin(options_.bucket, std::move(rows));
          }
      ),
      releases_(executor, [this](std::vector<Uuid> ids) { return release_all(std::move(ids)); }),
      notes_(executor, [this](std::vector<store::MessageRow> rows) {
          return note_all(std::move(rows));
      }) {}

steps::ReadPerson MessageDesk::read_person() {
    return [this](store::TenantId tenant, std::string key) {
        return readings_.ask({tenant, std::move(key)});
    };
}

steps::MessageServices MessageDesk::services() {
    steps::MessageServices services;
    services.read_person = read_person();
    services.prepare = [this](steps::MessageOrder order) { return prepare(std::move(order)); };
    services.pace = [this](steps::MessagePace pace) { return this->pace(std::move(pace)); };
    services.begin = [this](steps::StepMessage message) { return begin(std::move(message)); };
    services.release = [this](Uuid id) { return release(id); };
    services.note_failure = [this](steps::MessageFailure failure) {
        return note(std::move(failure));
    };
    return services;
}

asio::awaitable<void> MessageDesk::stop() {
    co_await readings_.stop();
    co_await orders_.stop();
    co_await turns_.stop();
    co_await begins_.stop();
    co_await releases_.stop();
    co_await notes_.stop();
}

asio::awaitable<Result<steps::MessageReady>> MessageDesk::prepare(steps::MessageOrder order) {
    store::MessageAsked asked = asked_of(order);
    // Several connectors may send by the accounts of one: LINE pushes and replies.
    const connect::Connector* shipped = connect::find_shipped(order.connector);
    const bool borrows = shipped != nullptr && shipped->account_of != shipped->name;
    if (borrows) asked.connector = shipped->account_of;
    store::MessagePrepared found = co_await orders_.ask(std::move(asked));
    if (!found.problem.empty()) co_return no_connector(found.problem);
    steps::MessageReady ready;
    ready.category = std::move(found.category);
    ready.account_name = found.account;
    ready.template_version = found.template_version;
    ready.wait_until = found.wait_until;
    if (!found.wait_until) ready.skipped = std::move(found.verdict);
    const store::TenantId tenant = order.tenant;
    auto known = co_await account_of(tenant, found.connector, found.account);
    if (!known) co_return known.error();
    ready.connector = (*known)->connector;
    // Lives as long as the program.
    if (borrows) ready.connector = app::ConnectorPtr(std::shared_ptr<void>(), shipped);
    ready.account = {(*known)->account.credentials, (*known)->account.account.settings};
    if (!options_.public_url.empty()) {
        ready.hook_url = fmt::format(
            "{}/v1/hooks/{}/{}",
            options_.public_url,
            found.connector,
            (*known)->account.account.hook_token
        );
    }
    add_links(order, ready);
    ready.person = std::move(found.person);
    ready.address = std::move(found.address);
    ready.content = std::move(found.content);
    co_return ready;
}

void MessageDesk::add_links(const steps::MessageOrder& order, steps::MessageReady& ready) const {
    if (!options_.seal.usable() || options_.public_url.empty()) return;
    const store::Tenant tenant{order.tenant, options_.bucket};
    app::UnsubscribeLink link{tenant, order.person, order.channel, "*", order.id};
    if (!ready.category.empty()) link.category = ready.category;
    ready.unsubscribe_url = app::unsubscribe_url(options_.seal, options_.public_url, link);
    ready.preferences_url =
        app::preferences_url(options_.seal, options_.public_url, {tenant, order.person});
    ready.pixel_url = app::pixel_url(options_.seal, options_.public_url, {tenant, order.id});
    ready.track_link = [this, tenant, message = order.id](std::string_view url) {
        if (app::is_own_link(options_.public_url, url)) return std::string();
        return app::click_url(
            options_.seal, options_.public_url, {tenant, message, std::string(url)}
        );
    };
}

asio::awaitable<steps::MessageTurn> MessageDesk::pace(steps::MessagePace pace) {
    // Never the gate of a workflow: those begin with the number of a tenant.
    store::PaceAsked asked;
    asked.gate = fmt::format("account/{}/{}/{}", pace.tenant, pace.connector, pace.account);
    asked.step = Duration(static_cast<Duration::rep>(microseconds_in_second / pace.rate));
    const store::PaceTurn turn = co_await turns_.ask(std::move(asked));
    co_return steps::MessageTurn{turn.wait, turn.later};
}

asio::awaitable<steps::MessageBegun> MessageDesk::begin(steps::StepMessage message) {
    store::MessageRow row = row_of(message);
    row.data.get_object()["attempt"] = message.attempt;
    store::MessageStarted started = co_await begins_.ask(std::move(row));
    steps::MessageBegun begun;
    begun.external_id = std::move(started.external_id);
    if (started.outcome == "sent") begun.how = steps::MessageBegun::How::sent;
    if (started.outcome == "interrupted") begun.how = steps::MessageBegun::How::interrupted;
    co_return begun;
}

asio::awaitable<void> MessageDesk::release(Uuid id) {
    co_await releases_.ask(id);
}

asio::awaitable<std::vector<MessageDesk::Done>> MessageDesk::release_all(std::vector<Uuid> ids) {
    std::vector<Done> done(ids.size());
    co_await messages_.release(options_.bucket, std::move(ids));
    co_return done;
}

asio::awaitable<std::vector<MessageDesk::Done>> MessageDesk::note_all(
    std::vector<store::MessageRow> rows
) {
    std::vector<Done> done(rows.size());
    co_await messages_.note(options_.bucket, std::move(rows));
    co_return done;
}

asio::awaitable<void> MessageDesk::note(steps::MessageFailure failure) {
    const steps::MessageOrder& order = failure.message.order;
    store::MessageRow row = row_of(failure.message);
    row.data.get_object()["state"] = failure.unknown ? "unknown" : "failed";
    row.data.get_object()["error"] = failure.error;
    co_await notes_.ask(std::move(row));
    if (failure.suppress) {
        co_await messages_.suppress(order.tenant, order.channel, failure.address, "refused");
    }
}

asio::awaitable<Result<MessageDesk::KnownPtr>> MessageDesk::account_of(
    store::TenantId tenant, std::string connector, std::string account
) {
    const std::string key = fmt::format("{}/{}/{}", tenant, connector, account);
    const auto found = known_.find(key);
    if (found != known_.end() && found->second->until > Steady::now()) co_return found->second;
    auto opened = co_await accounts_.find(tenant, connector, account);
    if (!opened) co_return opened.error();
    auto shape = co_await connector_of(tenant, connector);
    if (!shape) co_return shape.error();
    auto known = std::make_shared<Known>();
    known->account = std::move(*opened);
    known->connector = std::move(*shape);
    known->until = Steady::now() + account_kept;
    if (known_.size() >= accounts_max) known_.clear();
    known_.insert_or_assign(key, known);
    co_return known;
}

asio::awaitable<Result<app::ConnectorPtr>> MessageDesk::connector_of(
    store::TenantId tenant, std::string name
) {
    auto found = co_await app::find_connector(messages_, tenant, std::move(name));
    if (!found) co_return no_connector(found.error().message);
    co_return std::move(found->connector);
}

}  // namespace pawl::host
