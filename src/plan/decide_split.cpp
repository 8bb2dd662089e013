#include "base/json.hpp"
#include "base/sha256.hpp"
#include "plan/decision.hpp"

#include <fmt/core.h>

#include <cstdint>

namespace pawl::plan {

namespace {

// A number that is the same for a subject at this node, whatever else happens, and independent of
// what the subject got at other nodes.
std::uint64_t draw(std::string_view workflow, std::string_view node, std::string_view subject) {
    const auto digest = sha256(fmt::format("{}\n{}\n{}", workflow, node, subject));
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i)
        number = number << 8 | static_cast<unsigned char>(digest[i]);
    return number;
}

}  // namespace

// Before the first step has begun: a subject of the holdout goes no further. The same ones whenever
// it is asked. A run that another one waits for is none of a person's own.
bool Decision::hold_out() {
    if (definition_.holdout <= 0 || state_.subject.empty() || state_.caller) return false;
    if (state_.tokens.size() != 1 || !state_.records.empty() || state_.unwinding) return false;
    const Token& token = state_.tokens.front();
    const bool fresh = token.phase == TokenPhase::arrived || token.phase == TokenPhase::ready;
    if (!fresh || token.node != 0 || token.visit > 1 || token.attempt > 1) return false;
    const bool first = state_.next_seq == 1;  // nothing can be under way
    if (token.withdrawn || (!first && (is_under_way(token) || may_have_begun(token)))) return false;
    const auto share = static_cast<std::uint64_t>(definition_.holdout);
    if (draw(definition_.name, "holdout", state_.subject) % 100 >= share) return false;
    pass(token, "holdout", json::object{{"outcome", "holdout"}});
    return true;
}

// By share. A run without a subject is a subject of its own.
void Decision::split_over(const Token& token, const json::object& config) {
    const json::value* written = config.if_contains("variants");
    const json::array none;
    const json::array& variants = written && written->is_array() ? written->get_array() : none;
    std::uint64_t total = 0;
    const auto share_of = [](const json::value& variant) {
        return static_cast<std::uint64_t>(whole_number(find(variant, "share")).value_or(0));
    };
    for (const json::value& variant : variants) total += share_of(variant);
    if (total == 0) return fail_step(token, "split", "there is no variant to choose");
    const std::string& subject = state_.subject.empty() ? state_.run_id : state_.subject;
    std::uint64_t left = draw(definition_.name, node_of(token).id, subject) % total;
    for (const json::value& variant : variants) {
        const std::uint64_t share = share_of(variant);
        if (left >= share) {
            left -= share;
            continue;
        }
        const std::string name(text_in(variant, "name"));
        const bool own = definition_.next(token.node, name).has_value();
        return pass(token, own ? name : "default", json::object{{"variant", name}});
    }
}

}  // namespace pawl::plan
