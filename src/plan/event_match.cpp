// Which events end a wait, and which it still has to hear of.
#include "base/json.hpp"
#include "model/condition.hpp"
#include "model/event_names.hpp"
#include "model/events/signal_data.hpp"
#include "plan/waits.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

// One entry of the `events` of a wait.
class Wanted {
public:
    explicit Wanted(const events::AwaitedEvent& entry)
        : name_(text(entry.event)), key_(text(entry.key)), handle_(text(entry.handle)) {
        if (!entry.filter || entry.filter->is_null()) return;
        auto condition = parse_condition(*entry.filter);
        // A value that turned out to be none for its operator lets nothing pass.
        unfit_ = !condition;
        if (condition) filter_ = std::move(*condition);
    }

    std::string_view handle() const { return handle_; }
    WantedEvent event() const { return {std::string(name_), std::string(key_)}; }

    bool takes(const Mail& mail, TokenId token) const {
        if (mail.kind != SignalKind::event || mail.token != token || unfit_) return false;
        const auto event = events::read<events::EventSignal>(mail.data);
        if (event.name != name_ || event.key != key_) return false;
        if (!filter_) return true;
        const auto passes = evaluate_known(*filter_, [&mail](const Path& path) {
            return find_in_event(mail.data, path);
        });
        return passes.value_or(false);
    }

private:
    std::string_view name_;
    std::string_view key_;
    std::string_view handle_;
    std::optional<Condition> filter_;
    bool unfit_ = false;
};

std::vector<Wanted> wanted_of(const events::EventWait& wait) {
    std::vector<Wanted> wanted;
    wanted.reserve(wait.events.size());
    for (const json::value& entry : wait.events) {
        wanted.emplace_back(events::read<events::AwaitedEvent>(entry));
    }
    return wanted;
}

// Gives every entry a message of its own, as far as they reach: an event counts once.
class Pairing {
public:
    Pairing(const RunState& state, const std::vector<Wanted>& wanted, TokenId token)
        : given_(wanted.size()), fitting_(wanted.size()) {
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            for (const Mail& mail : state.mailbox) {
                if (wanted[i].takes(mail, token)) fitting_[i].push_back(&mail);
            }
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            std::vector<const Mail*> tried;
            give(i, tried);
        }
    }

    // By entry; null: none is left for it.
    const std::vector<const Mail*>& given() const { return given_; }

private:
    // The first free one; else an entry gives its mail up when there is another one for it.
    bool give(std::size_t entry, std::vector<const Mail*>& tried) {
        for (const Mail* mail : fitting_[entry]) {
            if (std::find(given_.begin(), given_.end(), mail) != given_.end()) continue;
            given_[entry] = mail;
            return true;
        }
        for (const Mail* mail : fitting_[entry]) {
            if (std::find(tried.begin(), tried.end(), mail) != tried.end()) continue;
            tried.push_back(mail);
            const auto owner = std::find(given_.begin(), given_.end(), mail);
            const auto place = static_cast<std::size_t>(owner - given_.begin());
            if (!give(place, tried)) continue;
            given_[entry] = mail;
            return true;
        }
        return false;
    }

    std::vector<const Mail*> given_;
    std::vector<std::vector<const Mail*>> fitting_;
};

// Of several that have come, the first to come wins.
std::optional<Match> first_of(
    const RunState& state, const std::vector<Wanted>& wanted, TokenId token
) {
    for (const Mail& mail : state.mailbox) {
        for (const Wanted& one : wanted) {
            if (one.takes(mail, token)) return Match{{&mail}, one.handle()};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Match> match_events(const RunState& state, const Token& token) {
    if (const auto* signal = token.waits_for.as<events::SignalWait>()) {
        for (const Mail& mail : state.mailbox) {
            if (mail.kind != SignalKind::signal) continue;
            const std::string_view name = events::read<events::NamedSignal>(mail.data).name;
            if (name == events::text(&signal->name)) return Match{{&mail}, "default"};
        }
        return std::nullopt;
    }
    const auto* wait = token.waits_for.as<events::EventWait>();
    if (wait == nullptr) return std::nullopt;
    const auto wanted = wanted_of(*wait);
    if (!wait->wants_all()) return first_of(state, wanted, token.id);
    const Pairing pairing(state, wanted, token.id);
    const auto& given = pairing.given();
    if (given.empty() || std::find(given.begin(), given.end(), nullptr) != given.end()) {
        return std::nullopt;
    }
    return Match{given, "default"};
}

std::optional<Match> find_exit(const RunState& state) {
    if (!state.exit_watch) return std::nullopt;
    return first_of(state, wanted_of(*state.exit_watch), token_of_run);
}

const events::EventWait* event_wait_of(const RunState& state, TokenId id) {
    if (id == token_of_run) return state.exit_watch ? &*state.exit_watch : nullptr;
    const Token* token = state.find_token(id);
    return token == nullptr ? nullptr : token->waits_for.as<events::EventWait>();
}

bool is_wanted(const RunState& state, const Mail& mail) {
    const events::EventWait* wait = event_wait_of(state, mail.token);
    if (wait == nullptr) return false;
    const auto wanted = wanted_of(*wait);
    return std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& one) {
        return one.takes(mail, mail.token);
    });
}

std::vector<WantedEvent> awaited_events(
    const RunState& state, TokenId token, const events::EventWait& wait
) {
    const auto wanted = wanted_of(wait);
    const bool all = wait.wants_all();
    if (!all && first_of(state, wanted, token)) return {};
    const Pairing pairing(state, wanted, token);
    std::vector<WantedEvent> awaited;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (all && pairing.given()[i] != nullptr) continue;
        WantedEvent event = wanted[i].event();
        if (std::find(awaited.begin(), awaited.end(), event) == awaited.end()) {
            awaited.push_back(std::move(event));
        }
    }
    return awaited;
}

}  // namespace pawl::plan
