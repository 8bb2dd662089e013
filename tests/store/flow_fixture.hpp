#pragma once

#include "store/under_test.hpp"

namespace pawl::test {

// Runs that bring tickets to gates.
template <class T>
class Flow : public Conformance<T> {
protected:
    // A run that brings these to the limits; each is a gate and its limit.
    store::NewRun limited(std::vector<std::pair<std::string, int>> gates, bool frees = false) {
        store::NewRun run = new_run(this->db_.workflow());
        json::array slots;
        for (const auto& [gate, limit] : gates)
            slots.push_back(json::array{"1/1/c/" + gate, limit});
        run.flow = json::object{{"slots", std::move(slots)}};
        if (frees) run.flow.get_object()["free"] = true;
        return run;
    }
    // Starts it leased; false: it has to wait.
    bool start_leased(WorkerId worker, store::NewRun run, bool resend = false) {
        store::StartBatch batch;
        batch.worker = worker;
        batch.resend = resend;
        run.lease = true;
        batch.runs.push_back(run);
        const auto existing = this->db_.start(batch);
        if (existing.empty()) return true;
        EXPECT_TRUE(existing.size() == 1 && existing[0].queued());
        return false;
    }
    void close(WorkerId worker, const store::NewRun& run) {
        this->db_.commit(closing(worker, run.id));
    }
};

}  // namespace pawl::test
