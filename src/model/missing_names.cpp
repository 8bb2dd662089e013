#include "model/missing_names.hpp"

#include "base/cut_text.hpp"

#include <fmt/format.h>

namespace pawl {

namespace {

constexpr std::size_t name_bytes_max = 200;

}  // namespace

void MissingNames::add(std::string_view name) {
    const bool fresh = seen_.emplace(name).second;
    if (fresh && shown_.size() < shown_max) shown_.push_back(cut_text(name, name_bytes_max));
}

std::string MissingNames::text() const {
    std::string list = fmt::format("{}", fmt::join(shown_, ", "));
    if (seen_.size() > shown_.size())
        list += fmt::format(" and {} more", seen_.size() - shown_.size());
    return list;
}

}  // namespace pawl
