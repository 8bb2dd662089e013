#include "model/missing_names.hpp"

#include "base/cut_text.hpp"

#include <fmt/format.h>

namespace pawl {

namespace {

constexpr std::size_t name_bytes_max = 200;

}  // namespace

void MissingNames::add(std::string_view name) {
    const bool fresh = seen_.emplace(name).second;
    if (fresh && told_.size() < told_max) told_.push_back(cut_text(name, name_bytes_max));
}

std::string MissingNames::text() const {
    std::string list = fmt::format("{}", fmt::join(told_, ", "));
    if (seen_.size() > told_.size())
        list += fmt::format(" and {} more", seen_.size() - told_.size());
    return list;
}

}  // namespace pawl
