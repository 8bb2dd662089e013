#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/seal.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::api {

// A link by which one person may decide one task without a key. The link is the proof of identity,
// so it must go to that person only.
struct TaskLink {
    Uuid task;
    store::Tenant tenant;
    std::string by;
    Instant expires{};
};

std::string seal_link(const Seal& seal, const TaskLink& link);
// Nothing when it was not made by us. Whether it has expired is for the caller to see.
std::optional<TaskLink> open_link(const Seal& seal, std::string_view text);

}  // namespace pawl::api
