#include "host/message_desk.hpp"

#include "app/messages/message_links.hpp"
#include "app/messages/unsubscribe_link.hpp"
#include "base/json.hpp"
#include "connect/message_refusal.hpp"

#include <fmt/core.h>

namespace pawl::host {

namespace {

// Credentials that were changed count after this long at the latest.
constexpr Duration account_kept = std::chrono::seconds(5);
constexpr std::size_t accounts_max = 10'000;
constexpr double microseconds_in_second = 1e6;
// Groups of messages that may go together, and calls of one that are under way at once: with more
// of them, fewer messages go together.
constexpr std::size_t gatherings_max = 200;
constexpr std::size_t calls_at_once = 4;

double seconds_of(Duration time) {
    return std::chrono::duration<double>(time).count();
}

steps::MessageBegun::How how_of(std::string_view outcome) {
    using How = steps::MessageBegun::How;
    if (outcome == "sent") return How::sent;
    if (outcome == "again") return How::again;
    return outcome == "interrupted" ? How::interrupted : How::begun;
}

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

}  // namespace

MessageDesk::MessageDesk(
    asio::any_io_executor executor, pg::Pool& pool, const Vault& vault, MessageDeskOptions options
)
    : executor_(executor),
      vault_(vault),
      persons_(pool),
      messages_(pool),
      accounts_(pool, vault),
      hidden_(pool, vault),
      options_(std::move(options)),
      readings_(
          executor,
          [this](std::vector<store::PersonKey> keys) {
              return persons_.read_whole(std::move(keys));
          }
      ),
      orders_(
          executor,
          [this](std::vector<store::MessageAsked> asked) { return prepare_all(std::move(asked)); }
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
    services.begin = [this](std::vector<steps::StepMessage> messages) {
        return begin(std::move(messages));
    };
    services.release = [this](std::vector<Uuid> ids) { return release(std::move(ids)); };
    services.gather =
        [this](
            std::string group, std::size_t most, steps::Parcel parcel, steps::DeliverAll deliver
        ) { return gather(std::move(group), most, std::move(parcel), std::move(deliver)); };
    services.note_failure = [this](steps::MessageFailure failure) {
        return note(std::move(failure));
    };
    return services;
}

asio::awaitable<void> MessageDesk::stop() {
    // Messages may still ask for a group meanwhile.
    const auto gatherings = gatherings_;
    for (const auto& [group, gathering] : gatherings) co_await gathering->stop();
    co_await readings_.stop();
    co_await orders_.stop();
    co_await turns_.stop();
    co_await begins_.stop();
    co_await releases_.stop();
    co_await notes_.stop();
}

asio::awaitable<std::vector<store::MessagePrepared>> MessageDesk::prepare_all(
    std::vector<store::MessageAsked> asked
) {
    auto prepared = co_await messages_.prepare(options_.bucket, asked);
    co_await hidden_.judge(asked, prepared);
    co_return prepared;
}

asio::awaitable<Result<steps::MessageReady>> MessageDesk::prepare(steps::MessageOrder order) {
    store::MessageAsked asked = asked_of(order);
    // Several connectors may send by the accounts of one: LINE pushes and replies.
    const connect::Connector* shipped = connect::find_shipped(order.connector);
    const bool borrows = shipped != nullptr && shipped->account_of != shipped->name;
    if (borrows) asked.connector = shipped->account_of;
    store::MessagePrepared found = co_await orders_.ask(std::move(asked));
    if (!found.problem.empty()) co_return no_connector(found.problem);
    if (!found.hidden.empty()) co_return store::cannot_judge();
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
    ready.account = {*known, &(*known)->account};
    if (!options_.public_url.empty()) {
        ready.hook_url = fmt::format(
            "{}/v1/hooks/{}/{}", options_.public_url, found.connector, (*known)->about.hook_token
        );
    }
    ready.person = std::move(found.person);
    ready.address = std::move(found.address);
    ready.content = std::move(found.content);
    add_links(order, ready);
    co_return ready;
}

void MessageDesk::add_links(const steps::MessageOrder& order, steps::MessageReady& ready) const {
    if (!options_.seal.usable() || options_.public_url.empty()) return;
    const store::Tenant tenant{order.tenant, options_.bucket};
    // Each is signed, which takes time: only those that the message may have.
    const bool named = order.names_links || steps::names_links(ready.content);
    if (named || ready.category != "transactional") {
        app::UnsubscribeLink link{tenant, order.person, order.channel, "*", order.id};
        if (!ready.category.empty()) link.category = ready.category;
        ready.unsubscribe_url = app::unsubscribe_url(options_.seal, options_.public_url, link);
    }
    if (named) {
        ready.preferences_url =
            app::preferences_url(options_.seal, options_.public_url, {tenant, order.person});
    }
    ready.pixel_url = [this, tenant, message = order.id] {
        return app::pixel_url(options_.seal, options_.public_url, {tenant, message});
    };
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

store::MessageRow MessageDesk::row_of(const steps::StepMessage& message) const {
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
        data["ask_after"] = seconds_of(*message.ask_after);
        data["address"] = message.address;
        // Many texts can be guessed, and some hold what nothing may keep (pawl.redact).
        if (message.text && vault_.usable()) {
            data["text_hash"] = vault_.mark(to_string(order.id), *message.text);
        }
    }
    row.data = std::move(data);
    return row;
}

asio::awaitable<std::vector<steps::MessageBegun>> MessageDesk::begin(
    std::vector<steps::StepMessage> messages
) {
    std::vector<store::MessageRow> rows;
    for (const steps::StepMessage& message : messages) {
        rows.push_back(row_of(message));
        json::object& data = rows.back().data.get_object();
        data["attempt"] = message.attempt;
        if (message.window) data["window"] = seconds_of(*message.window);
        if (message.together) data["together"] = true;
    }
    std::vector<store::MessageStarted> started;
    if (rows.size() == 1) {
        started.push_back(co_await begins_.ask(std::move(rows[0])));
    } else {
        started = co_await messages_.begin(options_.bucket, std::move(rows));
    }
    std::vector<steps::MessageBegun> begun;
    for (store::MessageStarted& one : started) {
        begun.push_back({how_of(one.outcome), std::move(one.external_id)});
    }
    co_return begun;
}

asio::awaitable<void> MessageDesk::release(std::vector<Uuid> ids) {
    if (ids.size() == 1) {
        co_await releases_.ask(ids[0]);
    } else {
        co_await messages_.release(options_.bucket, std::move(ids));
    }
}

asio::awaitable<steps::Delivered> MessageDesk::gather(
    std::string group, std::size_t most, steps::Parcel parcel, steps::DeliverAll deliver
) {
    if (gatherings_.size() > gatherings_max) {
        std::erase_if(gatherings_, [](const auto& entry) { return entry.second->idle(); });
    }
    std::shared_ptr<Gathering>& found = gatherings_[std::move(group)];
    if (!found) {
        Gathering::Options options;
        options.items_max = most;
        options.trips_max = calls_at_once;
        found = std::make_shared<Gathering>(executor_, std::move(deliver), options);
    }
    const std::shared_ptr<Gathering> gathering = found;
    co_return co_await gathering->ask(std::move(parcel));
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
        co_await messages_.suppress_refused(
            order.tenant, order.person, order.channel, failure.address
        );
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
    known->account = {std::move(opened->credentials), opened->account.settings};
    known->about = std::move(opened->account);
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
