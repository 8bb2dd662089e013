#include "app/messages/reconciler.hpp"

#include "app/refusal.hpp"
#include "app/runs/folded_run.hpp"
#include "app/runs/signal_run.hpp"
#include "base/log.hpp"
#include "engine/async/batches.hpp"
#include "plan/settle.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::app {

namespace {

constexpr Duration look_every = std::chrono::seconds(1);
// Longer than the calls of a batch, so that no other process asks meanwhile.
constexpr Duration lease = std::chrono::minutes(2);
constexpr Duration call_timeout = std::chrono::seconds(20);
constexpr Duration pause_least = std::chrono::seconds(15);
constexpr Duration pause_most = std::chrono::minutes(10);
// What no answer has settled by then is for a person.
constexpr Duration patience = std::chrono::hours(24);
constexpr Duration pause_before_commit = std::chrono::seconds(5);
constexpr int batch = 5;
constexpr Duration minute = std::chrono::minutes(1);
// Where runs are; see engine::MatcherOptions.
constexpr store::Bucket bucket = 0;

// What is given outlives the answer.
connect::Inquiry as_asked(const store::MessageInquiry& inquiry, const Vault& vault) {
    connect::Inquiry asked;
    asked.message_id = to_string(inquiry.id);
    asked.to = inquiry.address;
    if (inquiry.text_hash) {
        asked.is_text = [&vault, id = asked.message_id, mark = *inquiry.text_hash](auto text) {
            return vault.is_mark(id, text, mark) || connect::text_hash(text) == mark;
        };
    }
    asked.begun = inquiry.begun;
    asked.unknown_since = inquiry.since;
    return asked;
}

}  // namespace

Duration pause_between_inquiries(int tries) {
    Duration pause = pause_least;
    for (int i = 1; i < tries && pause < pause_most; ++i) pause *= 2;
    return std::min(pause, pause_most);
}

// No step waits for the answer any more. A message of no run has none that could end.
asio::awaitable<bool> Reconciler::is_over(const store::MessageInquiry& inquiry) {
    if (inquiry.node.empty()) co_return false;
    const store::Tenant tenant{inquiry.tenant, bucket};
    const auto folded =
        co_await fold_run(uses_.runs.store, uses_.runs.programs, tenant, inquiry.run);
    if (!folded) co_return folded.error().code == Errc::not_found;
    co_return plan::is_done_with(
        folded->program->definition, folded->state, inquiry.id, to_string(inquiry.run)
    );
}

asio::awaitable<Result<Reconciler::Known>> Reconciler::find(const store::MessageInquiry& inquiry) {
    auto found = co_await find_connector(uses_.messages, inquiry.tenant, inquiry.connector);
    if (!found) co_return found.error();
    Known known;
    known.connector = std::move(found->connector);
    auto account =
        co_await uses_.accounts.find(inquiry.tenant, known.connector->account_of, inquiry.account);
    if (!account) co_return account.error();
    known.account = {account->credentials, account->account.settings};
    co_return known;
}

// In how long the account may be asked; nothing: now, after the moment that this takes.
asio::awaitable<Duration> Reconciler::turn(const store::MessageInquiry& inquiry, int per_minute) {
    store::PaceAsked asked;
    asked.gate =
        fmt::format("inquiry/{}/{}/{}", inquiry.tenant, inquiry.connector, inquiry.account);
    asked.step = minute / per_minute;
    std::vector<store::PaceAsked> all;
    all.push_back(std::move(asked));
    const auto turns = co_await uses_.messages.pace(bucket, std::move(all));
    if (turns.at(0).later) co_return turns.at(0).wait;
    engine::Gate pause(gate_.executor());
    co_await pause.wait(Steady::now() + turns.at(0).wait);
    co_return Duration::zero();
}

asio::awaitable<Result<connect::Finding>> Reconciler::answer_of(
    const store::MessageInquiry& inquiry, const Known& known
) {
    const connect::Inquiry asked = as_asked(inquiry, uses_.vault);
    const auto found =
        co_await uses_.ask({inquiry.tenant, known.connector, known.account, asked, call_timeout});
    if (!found) co_return found.error();
    std::vector<std::string> others;
    if (found->items && !found->items->empty()) {
        std::vector<std::string> ids;
        for (const auto& item : *found->items) ids.push_back(item.id);
        others = co_await uses_.inquiries.others(inquiry.tenant, inquiry.id, std::move(ids));
    }
    co_return connect::conclude(*known.connector, asked, *found, others, wall_now());
}

// False: another message has that id of the provider by now.
asio::awaitable<bool> Reconciler::note_sent(
    const store::MessageInquiry& inquiry, const std::string& external_id
) {
    store::MessageFact fact;
    fact.tenant = inquiry.tenant;
    fact.connector = inquiry.connector;
    fact.account = inquiry.account;
    // Not twice for one message of the provider, whichever process finds it.
    fact.event_id = "inquiry:" + (external_id.empty() ? to_string(inquiry.id) : external_id);
    fact.kind = "sent";
    fact.external_id = external_id;
    fact.message = inquiry.id;
    fact.at = wall_now();
    std::vector<store::MessageFact> facts;
    facts.push_back(std::move(fact));
    const auto taken = co_await uses_.messages.take(bucket, std::move(facts));
    if (taken.fresh > 0) uses_.on_fact();
    co_return taken.fresh > 0;
}

// False: the step has not come to wait for it yet.
asio::awaitable<bool> Reconciler::send_again(
    const store::MessageInquiry& inquiry, std::string why
) {
    plan::SettleRequest request;
    request.node = inquiry.node;
    request.message = inquiry.id;
    request.run = to_string(inquiry.run);
    request.by = inquiry.connector;
    request.as = plan::Settled::retry;
    request.reason = std::move(why);
    Caller caller;
    caller.tenant = {inquiry.tenant, bucket};
    caller.name = "inquiries about messages";
    caller.key = fmt::format("inquiry:{}:{}", to_string(inquiry.id), inquiry.tries);
    const auto settled =
        co_await settle_step(uses_.runs, std::move(caller), inquiry.run, std::move(request));
    if (settled) co_return true;
    if (reason_of(settled.error()) == "not_unknown") co_return false;
    co_await give_up(inquiry, settled.error().message);
    co_return true;
}

asio::awaitable<void> Reconciler::give_up(
    const store::MessageInquiry& inquiry, std::string_view why
) {
    log::info(
        "a message stays unknown",
        {log::field("run", to_string(inquiry.run)),
         log::field("message", to_string(inquiry.id)),
         log::field("why", why)}
    );
    co_await uses_.inquiries.drop(bucket, inquiry);
}

asio::awaitable<void> Reconciler::follow(store::MessageInquiry inquiry, connect::Finding finding) {
    switch (finding.means) {
        case connect::Means::accepted:
            if (co_await note_sent(inquiry, finding.external_id)) {
                co_return co_await uses_.inquiries.drop(bucket, inquiry);
            }
            break;
        case connect::Means::refused:
            if (co_await send_again(inquiry, finding.why)) {
                co_return co_await uses_.inquiries.drop(bucket, inquiry);
            }
            finding.after = pause_before_commit;
            break;
        case connect::Means::unknown: co_return co_await give_up(inquiry, finding.why);
        case connect::Means::retry: break;
    }
    if (wall_now() > inquiry.since + patience) co_return co_await give_up(inquiry, finding.why);
    const Duration usual = pause_between_inquiries(inquiry.tries);
    const Duration pause =
        std::clamp(finding.after.value_or(usual), Duration(look_every), patience);
    co_await uses_.inquiries.put_off(bucket, inquiry, pause);
}

asio::awaitable<void> Reconciler::ask(store::MessageInquiry inquiry) {
    const bool over = co_await is_over(inquiry);
    if (over) co_return co_await uses_.inquiries.drop(bucket, inquiry);
    const auto known = co_await find(inquiry);
    if (!known && known.error().code == Errc::unavailable) {
        const Duration pause = pause_between_inquiries(inquiry.tries);
        co_return co_await uses_.inquiries.put_off(bucket, inquiry, pause);
    }
    if (!known) co_return co_await give_up(inquiry, known.error().message);
    if (!known->connector->inquiry) {
        co_return co_await give_up(inquiry, "its connector says no more how to ask");
    }
    const Duration wait = co_await turn(inquiry, known->connector->inquiry->per_minute);
    if (wait > Duration::zero()) {
        co_return co_await uses_.inquiries.put_off(bucket, inquiry, wait);
    }
    auto finding = co_await answer_of(inquiry, *known);
    if (!finding) co_return co_await give_up(inquiry, finding.error().message);
    co_await follow(std::move(inquiry), std::move(*finding));
}

asio::awaitable<std::size_t> Reconciler::ask_all() {
    auto due = co_await uses_.inquiries.take(bucket, batch, lease);
    const std::size_t many = due.size();
    for (store::MessageInquiry& inquiry : due) co_await ask(std::move(inquiry));
    co_return many;
}

asio::awaitable<void> Reconciler::run() {
    return engine::work_batches(gate_, trouble_, batch, look_every, [this] { return ask_all(); });
}

}  // namespace pawl::app
