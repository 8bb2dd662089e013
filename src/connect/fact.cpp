#include "connect/fact.hpp"

#include <array>
#include <utility>

namespace pawl::connect {

namespace {

constexpr std::array<std::pair<FactKind, std::string_view>, 11> names{{
    {FactKind::sent, "sent"},
    {FactKind::delivered, "delivered"},
    {FactKind::opened, "opened"},
    {FactKind::clicked, "clicked"},
    {FactKind::bounced, "bounced"},
    {FactKind::complained, "complained"},
    {FactKind::unsubscribed, "unsubscribed"},
    {FactKind::failed, "failed"},
    {FactKind::replied, "replied"},
    {FactKind::followed, "followed"},
    {FactKind::unfollowed, "unfollowed"},
}};

}  // namespace

std::string_view name(FactKind kind) {
    for (const auto& [known, text] : names) {
        if (known == kind) return text;
    }
    return {};
}

std::optional<FactKind> parse_fact_kind(std::string_view text) {
    for (const auto& [kind, known] : names) {
        if (known == text) return kind;
    }
    return std::nullopt;
}

}  // namespace pawl::connect
