#pragma once

#include "base/clock.hpp"
#include "engine/core/program.hpp"
#include "store/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace pawl::engine {

// Versions of workflows, ready to run: read once from the store, which outlives it. One thread.
class ProgramCache {
public:
    // The plan of a version that is written in C++, when this process has it.
    using FindPlan =
        std::function<const plan::CodePlan*(std::string_view name, std::string_view version)>;

    explicit ProgramCache(store::Store& store, FindPlan find_plan = {});

    // Null when the version is not there or cannot be read here.
    boost::asio::awaitable<ProgramPtr> find(store::WorkflowId workflow, std::int32_t version);

private:
    using Key = std::pair<store::WorkflowId, std::int32_t>;

    store::Store& store_;
    FindPlan find_plan_;
    std::map<Key, ProgramPtr> programs_;
    // Versions that were asked for in vain, and when to ask again.
    std::map<Key, Steady::time_point> unknown_;
};

}  // namespace pawl::engine
