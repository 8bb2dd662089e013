#pragma once

#include "workers/workers.hpp"

#include <memory>
#include <string_view>

namespace pawl::workers {

inline std::shared_ptr<Workflow> workflow_of(std::string_view id) {
    for (auto& one : make_workflows()) {
        if (one->id() == id) return one;
    }
    return nullptr;
}

}  // namespace pawl::workers
