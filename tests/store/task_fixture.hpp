#pragma once

#include "store/repos/human_tasks.hpp"
#include "store/under_test.hpp"

#include <string>
#include <vector>

namespace pawl::test {

using namespace std::chrono_literals;
using store::TaskAction;
using store::TaskActionKind;
using store::TaskAnswer;
using Lines = std::vector<std::string>;

class Tasks : public ::testing::Test {
protected:
    // Opens a task; its run is parked.
    Uuid open(json::object data) {
        if (!data.contains("title")) data["title"] = "Refund?";
        run_ = db_.run(worker_);
        auto batch = appending(worker_, run_, {waits(1)});
        batch.parks.push_back({run_, std::nullopt});
        batch.projections.opened.push_back(
            {run_, 4, 1, db_.workflow(), "ask", "order 7", std::move(data)}
        );
        db_.commit(batch);
        store::TaskFilter filter;
        filter.run = run_;
        return page(filter).tasks.at(0).id;
    }
    static Event waits(std::int32_t seq) {
        Event event;
        event.seq = seq;
        event.type = EventType::wait_started;
        event.node = "ask";
        return event;
    }
    store::TaskPage page(const store::TaskFilter& filter, store::Tenant tenant = {}) {
        return db_.loop().run(tasks_.list(tenant, filter));
    }
    store::HumanTask find(Uuid id) { return db_.loop().run(tasks_.find({}, id)).value(); }
    TaskAnswer act(Uuid id, TaskAction action, store::Tenant tenant = {}) {
        return db_.loop().run(tasks_.apply_action(tenant, id, std::move(action)));
    }
    TaskAnswer act(Uuid id, TaskActionKind kind, const std::string& by) {
        TaskAction action;
        action.kind = kind;
        action.by = by;
        return act(id, std::move(action));
    }
    TaskAnswer approve(Uuid id, const std::string& by) {
        return act(id, TaskActionKind::approve, by);
    }
    // "open pawl", "approve ann", ...
    std::vector<std::string> audit(Uuid id) {
        std::vector<std::string> lines;
        for (const auto& one : db_.loop().run(tasks_.decisions({}, id))) {
            lines.push_back(one.action + " " + one.by);
        }
        return lines;
    }
    std::vector<store::Signal> signals() { return db_.claim(worker_).signals; }
    void escalate(const std::string& to) {
        db_.cancel(run_);
        db_.claim(worker_);
        auto batch = appending(worker_, run_, {step_completed(2)});
        batch.projections.noted.push_back(
            {run_, 4, json::object{{"note", "escalated"}, {"assignee", to}}}
        );
        db_.commit(batch);
    }

    PgUnderTest db_;
    store::HumanTasks tasks_{db_.pool()};
    WorkerId worker_ = db_.worker();
    RunId run_;
};

}  // namespace pawl::test
