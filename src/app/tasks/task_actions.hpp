#pragma once

#include "app/caller.hpp"
#include "store/repos/human_tasks.hpp"

namespace pawl::app {

// What the use cases of tasks work with. All of it outlives them.
struct TaskUses {
    store::HumanTasks& tasks;
    const Wake& wake_workers;
};

// An error when the tenant has no such task.
asio::awaitable<Result<store::HumanTask>> find_task(TaskUses& uses, store::Tenant tenant, Uuid id);

// Applies the action and returns the state of the task. An error when it is not possible, or when
// what was filled in is not what the form asks for. The form of a task that is closed is not looked
// at: what is wrong then is that it is closed.
asio::awaitable<Result<store::HumanTask>> act_on_task(
    TaskUses& uses, store::Tenant tenant, Uuid id, store::TaskAction action
);

// Whether this person may decide the task: the same rule as pawl.may_decide.
bool may_decide(const store::HumanTask& task, const std::string& by);

}  // namespace pawl::app
