#pragma once

#include "model/definition.hpp"
#include "plan/code_plan.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace pawl::engine {

// A workflow version ready to run. Immutable, shared by all runs pinned to it.
struct Program {
    store::WorkflowId workflow = 0;
    std::int32_t version = 1;
    std::int32_t tenant = 1;
    store::Bucket bucket = 0;
    Definition definition;
    // Of a code workflow that this process has; it outlives the program.
    const plan::CodePlan* plan = nullptr;
};
using ProgramPtr = std::shared_ptr<const Program>;

}  // namespace pawl::engine
