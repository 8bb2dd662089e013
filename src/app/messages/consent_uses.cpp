#include "app/messages/consent_uses.hpp"

#include "app/refusal.hpp"
#include "model/civil_time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

namespace pawl::app {

namespace {

constexpr std::int32_t cap_count_max = 1000;
constexpr auto cap_period_max = std::chrono::hours(24 * 366);

// "09:30"
bool is_clock_time(std::string_view text) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return text.size() == 5 && text[2] == ':' && digit(text[0]) && digit(text[1]) &&
           digit(text[3]) && digit(text[4]) && text.substr(0, 2) < "24" && text[3] < '6';
}

std::vector<WrongPlace> problems_of(const PolicyParams& params) {
    std::vector<WrongPlace> wrong;
    const bool quiet = !params.quiet_from.empty() || !params.quiet_to.empty();
    for (const auto& [place, text] :
         {std::pair("/quiet_hours/from", &params.quiet_from),
          std::pair("/quiet_hours/to", &params.quiet_to)}) {
        if (quiet && !is_clock_time(*text))
            wrong.push_back({place, "must be a time such as 21:00"});
    }
    if (quiet && wrong.empty() && params.quiet_from == params.quiet_to) {
        wrong.push_back({"/quiet_hours/to", "must be another time than from"});
    }
    if (!params.timezone.empty() && !parse_time_zone(params.timezone)) {
        wrong.push_back({"/timezone", "must be a time zone such as Asia/Bangkok"});
    }
    if (params.cap_count.has_value() != params.cap_period.has_value()) {
        wrong.push_back({"/cap", "needs count and per: {\"count\": 3, \"per\": \"7d\"}"});
    }
    if (params.cap_count && (*params.cap_count < 1 || *params.cap_count > cap_count_max)) {
        wrong.push_back({"/cap/count", "must be a whole number from 1 to 1000"});
    }
    if (params.cap_period &&
        (*params.cap_period <= Duration(0) || *params.cap_period > cap_period_max)) {
        wrong.push_back({"/cap/per", "must be more than nothing and at most 366d"});
    }
    if (!(params.holdout >= 0 && params.holdout <= 100)) {
        wrong.push_back({"/holdout", "must be a percentage from 0 to 100"});
    }
    return wrong;
}

}  // namespace

asio::awaitable<void> unsubscribe(
    ConsentUses& uses, store::Tenant tenant, std::string person, Wish wish
) {
    co_await uses.consent.unsubscribe(
        tenant, std::move(person), std::move(wish.channel), std::move(wish.category)
    );
    uses.on_facts();
}

asio::awaitable<void> resubscribe(
    ConsentUses& uses, store::TenantId tenant, std::string person, Wish wish
) {
    return uses.consent.subscribe(
        tenant, std::move(person), std::move(wish.channel), std::move(wish.category), true
    );
}

asio::awaitable<void> unsubscribe_by_link(ConsentUses& uses, UnsubscribeLink link) {
    if (!link.message) {
        co_await unsubscribe(uses, link.tenant, link.person, {link.channel, link.category});
        co_return;
    }
    // The fact tells workflows, with the message. It may come without effect: the message may be
    // gone.
    co_await uses.consent.subscribe(
        link.tenant.id, link.person, link.channel, link.category, false
    );
    store::MessageFact fact;
    fact.tenant = link.tenant.id;
    fact.connector = "pawl";
    fact.account = "link";
    fact.event_id = "unsubscribe:" + to_string(*link.message);
    fact.kind = "unsubscribed";
    fact.message = link.message;
    fact.channel = link.channel;
    fact.at = wall_now();
    std::vector<store::MessageFact> facts;
    facts.push_back(std::move(fact));
    co_await uses.messages.take(link.tenant.bucket, std::move(facts));
    uses.on_facts();
}

asio::awaitable<Result<store::Preferences>> find_preferences(ConsentUses& uses, PersonLink link) {
    auto found = co_await uses.consent.preferences(link.tenant.id, link.person);
    if (!found) co_return not_found("the person was erased");
    co_return std::move(*found);
}

asio::awaitable<Result<void>> save_preferences(
    ConsentUses& uses, PersonLink link, std::vector<store::Preference> shown
) {
    auto now = co_await find_preferences(uses, link);
    if (!now) co_return now.error();
    for (store::Preference& cell : now->cells) {
        const auto same = [&](const store::Preference& one) {
            return one.channel == cell.channel && one.category == cell.category;
        };
        const auto said = std::find_if(shown.begin(), shown.end(), same);
        if (said != shown.end()) cell.wanted = said->wanted;
    }
    if (now->cells.empty()) co_return Result<void>();
    co_await uses.consent.set_preferences(link.tenant, link.person, std::move(now->cells));
    uses.on_facts();
    co_return Result<void>();
}

asio::awaitable<std::vector<store::Suppression>> list_suppressions(
    ConsentUses& uses,
    store::TenantId tenant,
    std::string channel,
    std::string address,
    store::SuppressionCursor after,
    int limit
) {
    std::vector<std::string> sealed;
    if (!address.empty()) sealed = co_await uses.hidden.sealed(tenant, channel, address);
    co_return co_await uses.consent.list(
        tenant, std::move(channel), std::move(address), std::move(sealed), std::move(after), limit
    );
}

asio::awaitable<Result<void>> lift_suppression(
    ConsentUses& uses, store::TenantId tenant, std::string channel, std::string address
) {
    auto sealed = co_await uses.hidden.sealed(tenant, channel, address);
    const bool lifted = co_await uses.consent.lift(tenant, channel, address, std::move(sealed));
    if (lifted) co_return Result<void>();
    co_return not_found(fmt::format("'{}' is not suppressed by {}", address, channel));
}

asio::awaitable<Result<void>> put_policy(
    ConsentUses& uses, store::TenantId tenant, PolicyParams params
) {
    auto wrong = problems_of(params);
    if (!wrong.empty()) co_return wrong_places(std::move(wrong));
    json::object policy;
    if (!params.quiet_from.empty()) {
        policy["quiet_from"] = params.quiet_from;
        policy["quiet_to"] = params.quiet_to;
    }
    if (!params.timezone.empty()) policy["timezone"] = params.timezone;
    if (params.cap_count) {
        policy["cap_count"] = *params.cap_count;
        policy["cap_seconds"] = std::chrono::duration<double>(*params.cap_period).count();
    }
    policy["holdout"] = params.holdout;
    co_await uses.consent.put_policy(tenant, std::move(params.channel), std::move(policy));
    co_return Result<void>();
}

}  // namespace pawl::app
