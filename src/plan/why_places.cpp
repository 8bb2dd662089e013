#include "plan/why_places.hpp"

#include "base/json.hpp"
#include "base/spoken.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

namespace {

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text + ".";
}

class Explainer {
public:
    Explainer(
        const Definition& definition, const RunState& state, const Surroundings& around, Instant now
    )
        : definition_(definition), state_(state), around_(around), now_(now) {}

    WhyPlace place(const Token& token) const {
        switch (token.phase) {
            case TokenPhase::ready: return at_work(token);
            case TokenPhase::backoff:
            case TokenPhase::resting: return backing_off(token);
            case TokenPhase::waiting: return waiting_at(id_of(token), around_.run, token);
            case TokenPhase::joining: return joining(token);
            case TokenPhase::iterating: return iterating(token);
            case TokenPhase::arrived:
            case TokenPhase::routing: return unsettled(token);
        }
        return {};
    }

private:
    const std::string& id_of(const Token& token) const { return definition_.nodes[token.node].id; }

    Clause said(WhyCode code, const Token& token, std::string sentence, json::object names = {})
        const {
        return clause_at(id_of(token), code, std::move(sentence), std::move(names));
    }

    WhyPlace without_worker(const Token& token) const {
        const std::string& id = id_of(token);
        const bool later = around_.due_at && *around_.due_at > now_;
        if (around_.workers == 0 && !later) {
            return {
                0,
                said(
                    WhyCode::no_worker,
                    token,
                    fmt::format("'{}' is ready, but no worker is alive", id)
                ),
                help_by(HelpCode::start_worker, "start one", "pawl worker")};
        }
        if (later) {
            return {
                1,
                said(
                    WhyCode::begins_later,
                    token,
                    fmt::format("it begins with '{}' {}", id, moment(*around_.due_at)),
                    {{"at", to_rfc3339(*around_.due_at)}}
                ),
                {}};
        }
        return {
            1,
            said(
                WhyCode::ready,
                token,
                fmt::format("'{}' is ready and waits for a worker with room", id)
            ),
            {}};
    }

    WhyPlace at_work(const Token& token) const {
        if (!around_.held) return without_worker(token);
        const std::size_t turns = token.turns.size();
        const std::string turn = turns == 0 ? "" : fmt::format("turn {}, ", turns + 1);
        return {
            2,
            said(
                WhyCode::at_work,
                token,
                fmt::format(
                    "'{}' is being carried out ({}attempt {})", id_of(token), turn, token.attempt
                ),
                {{"attempt", token.attempt},
                 {"turn", turns == 0 ? json::value() : json::value(turns + 1)}}
            ),
            {}};
    }

    WhyPlace unsettled(const Token& token) const {
        if (!around_.held) return without_worker(token);
        const std::string& id = id_of(token);
        if (definition_.nodes[token.node].disabled) {
            const std::string sentence = fmt::format("'{}' is switched off and is passed", id);
            return {2, said(WhyCode::switched_off, token, sentence), {}};
        }
        return {2, said(WhyCode::reached, token, fmt::format("'{}' was just reached", id)), {}};
    }

    WhyPlace held_back(const Token& token, const events::TargetWait& wait) const {
        Help help{
            HelpCode::look_at_target,
            fmt::format("look at {}", wait.target),
            {{"target", wait.target}}};
        return {
            4,
            said(
                WhyCode::held_back,
                token,
                fmt::format(
                    "'{}' is held back before attempt {}: {}; it goes on {}",
                    id_of(token),
                    token.attempt,
                    wait.reason,
                    moment(token.until)
                ),
                {{"attempt", token.attempt}, {"reason", wait.reason}, {"at", time_of(token.until)}}
            ),
            std::move(help)};
    }

    WhyPlace backing_off(const Token& token) const {
        const auto* target = token.waits_for.as<events::TargetWait>();
        if (target != nullptr) return held_back(token, *target);
        const auto failures = static_cast<std::uint64_t>(token.attempt - 1);
        return {
            3,
            said(
                WhyCode::backing_off,
                token,
                fmt::format(
                    "'{}' failed {} and is tried again {}",
                    id_of(token),
                    times(failures),
                    moment(token.until)
                ),
                {{"failures", failures}, {"at", time_of(token.until)}}
            ),
            skip_help(around_.run, id_of(token))};
    }

    std::string moment(Instant at) const {
        return at <= now_ ? "now" : fmt::format("at {}", to_rfc3339(at));
    }
    // Null: now.
    json::value time_of(Instant at) const {
        return at <= now_ ? json::value() : json::value(to_rfc3339(at));
    }

    WhyPlace joining(const Token& token) const {
        const auto here =
            std::count_if(state_.tokens.begin(), state_.tokens.end(), [&](const Token& other) {
                return other.phase == TokenPhase::joining && other.node == token.node &&
                       other.frame == token.frame;
            });
        return {
            1,
            said(
                WhyCode::joining,
                token,
                fmt::format("'{}' waits for other branches, {} came", id_of(token), here),
                {{"came", here}}
            ),
            {}};
    }

    WhyPlace iterating(const Token& token) const {
        for (const Iteration& one : state_.iterations) {
            if (one.token != token.id) continue;
            const auto done = one.before + one.begun - one.open;
            return {
                1,
                said(
                    WhyCode::iterating,
                    token,
                    fmt::format(
                        "'{}' has done {} of {}, {} under way",
                        id_of(token),
                        done,
                        counted(one.size(), "item"),
                        one.open
                    ),
                    {{"done", done}, {"items", one.size()}, {"open", one.open}}
                ),
                {}};
        }
        const std::string sentence = fmt::format("'{}' was just reached", id_of(token));
        return {0, said(WhyCode::reached, token, sentence), {}};
    }

    const Definition& definition_;
    const RunState& state_;
    const Surroundings& around_;
    Instant now_;
};

}  // namespace

Clause clause_at(const std::string& step, WhyCode code, std::string sentence, json::object names) {
    json::object all{{"step", step}};
    for (auto& [key, value] : names) {
        if (!value.is_null()) all[key] = std::move(value);
    }
    return {code, capitalised(std::move(sentence)), std::move(all)};
}

Help skip_help(std::string_view run, std::string_view step) {
    return help_by(
        HelpCode::skip,
        "or skip it",
        fmt::format("pawl runs skip {} --node {} --reason WHY", run, step)
    );
}

Help help_by(HelpCode code, std::string_view words, std::string command) {
    std::string sentence = fmt::format("{}: {}", words, command);
    return {code, std::move(sentence), {{"command", std::move(command)}}};
}

WhyPlace place_of(
    const Definition& definition,
    const RunState& state,
    const Surroundings& around,
    Instant now,
    const Token& token
) {
    return Explainer(definition, state, around, now).place(token);
}

}  // namespace pawl::plan
