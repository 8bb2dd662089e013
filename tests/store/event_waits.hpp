#pragma once

#include "store/under_test.hpp"

#include <algorithm>

namespace pawl::test {

using namespace std::chrono_literals;
using Ids = std::vector<std::string>;

inline store::OutsideEvent event(
    std::string id, std::string key = "k1", std::string name = "paid"
) {
    store::OutsideEvent made;
    made.id = std::move(id);
    made.name = std::move(name);
    made.key = std::move(key);
    made.data = json::object{{"of", made.id}};
    return made;
}

template <class T>
class Events : public Conformance<T> {
protected:
    // A run that waits for an event and is parked. Its log has `seq` events before.
    RunId waiting(WorkerId worker, std::string key = "k1", std::uint32_t token = 0) {
        const RunId run = this->db_.run(worker);
        subscribe(worker, run, 1, key, token);
        return run;
    }
    void subscribe(
        WorkerId worker, RunId run, std::int32_t seq, std::string key, std::uint32_t token = 0
    ) {
        this->db_.commit(subscribing(worker, run, seq, key, token));
    }
    store::CommitBatch subscribing(
        WorkerId worker, RunId run, std::int32_t seq, std::string key, std::uint32_t token = 0
    ) {
        auto batch = appending(worker, run, {wait_started(seq)});
        batch.parks.push_back({run, std::nullopt});
        batch.projections.subscribes.push_back({run, token, 1, "paid", key, started_at(run)});
        return batch;
    }
    static Event wait_started(std::int32_t seq) {
        Event waits;
        waits.seq = seq;
        waits.type = EventType::wait_started;
        waits.node = "wait";
        return waits;
    }
    static Instant started_at(RunId run) {
        return Instant(std::chrono::milliseconds(unix_ms_of(run.uuid))) - 1s;
    }
    std::vector<bool> publish(std::vector<store::OutsideEvent> events) {
        auto fresh = this->db_.publish(std::move(events));
        this->db_.elapse(1ms);
        return fresh;
    }
    // The ids of the events that a claim brings, in order.
    std::vector<std::string> received(WorkerId worker) {
        std::vector<std::string> ids;
        const auto claimed = this->db_.claim(worker);
        for (const auto& signal : claimed.signals) {
            EXPECT_EQ(signal.kind, "event");
            ids.emplace_back(signal.data.at("id").as_string());
        }
        return ids;
    }
    // Takes the signals in as the engine does: into the log, and parks again.
    void take_in(WorkerId worker, RunId run, std::int32_t seq) {
        auto batch = appending(worker, run, {});
        for (const auto& signal : this->db_.signals(worker)) {
            if (signal.run != run) continue;
            Event received;
            received.seq = seq++;
            received.type = EventType::signal_received;
            received.data =
                json::object{{"id", signal.id}, {"kind", signal.kind}, {"data", signal.data}};
            batch.events.push_back({run, std::move(received)});
            batch.consumed.push_back(signal);
        }
        this->db_.commit(batch);
    }
};

}  // namespace pawl::test
