#include "base/sealed_list.hpp"

#include <boost/json/serialize.hpp>

namespace pawl {

std::string close_list(const Seal& seal, std::string_view purpose, const json::array& values) {
    return seal.close(purpose, json::serialize(values));
}

std::optional<json::array> open_list(
    const Seal& seal, std::string_view purpose, std::string_view text, std::size_t size
) {
    const auto payload = seal.open(purpose, text);
    if (!payload) return std::nullopt;
    auto parsed = parse_json(*payload);
    if (!parsed || !parsed->is_array() || parsed->get_array().size() != size) return std::nullopt;
    return std::move(parsed->get_array());
}

}  // namespace pawl
