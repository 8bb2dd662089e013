#include "host/start_trips.hpp"

#include "base/rng.hpp"
#include "engine/start_request.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>

namespace pawl::host {

namespace {

using Requests = std::vector<engine::StartRequest>;
using Answers = std::vector<engine::Started>;

struct Ids {
    Rng rng;
    IdMaker maker{rng};
};

asio::awaitable<Answers> hop(WorkerThread& worker, Requests requests, bool together) {
    // A cancellation must not cross threads: the worker answers or its thread ends.
    co_return co_await asio::co_spawn(
        worker.executor(),
        together ? worker.worker().start(std::move(requests))
                 : worker.worker().start_each(std::move(requests)),
        asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable)
    );
}

asio::awaitable<Answers> start_batch(store::PgStore& store, const store::StartBatch& batch) {
    const auto existing = co_await store.start_runs_and_notify(batch);
    Answers answers;
    for (const store::NewRun& run : batch.runs) {
        const auto taken = std::find_if(existing.begin(), existing.end(), [&](const auto& one) {
            return one.requested == run.id;
        });
        if (taken == existing.end()) {
            answers.push_back({run.id, true});
        } else {
            answers.push_back({taken->existing, false, taken->outdated()});
        }
    }
    co_return answers;
}

asio::awaitable<engine::Started> start_alone(store::PgStore& store, store::NewRun run) {
    store::StartBatch batch;
    batch.runs.push_back(std::move(run));
    engine::Started started;
    try {
        started = (co_await start_batch(store, batch)).at(0);
    } catch (const Failure& failure) {
        started.refused = failure.error();
    }
    co_return started;
}

asio::awaitable<Answers> start_directly(
    store::PgStore& store, std::shared_ptr<Ids> ids, Requests requests, bool together
) {
    store::StartBatch batch;
    const auto ms = wall_now().time_since_epoch() / std::chrono::milliseconds(1);
    for (auto& request : requests) {
        const RunId id{ids->maker.next(static_cast<std::uint64_t>(ms))};
        batch.runs.push_back(engine::to_new_run(id, std::move(request)));
    }
    std::optional<Failure> refused;
    Answers answers;
    try {
        answers = co_await start_batch(store, batch);
    } catch (const Failure& failure) {
        if (together || info(failure.error().code).retryable) throw;
        refused = failure;
    }
    if (!refused) co_return answers;
    // Nothing was done. One of them is at fault: those of other callers go without it.
    for (store::NewRun& run : batch.runs) {
        answers.push_back(co_await start_alone(store, std::move(run)));
    }
    co_return answers;
}

}  // namespace

api::Starter::Trip start_on_workers(std::vector<WorkerThread*> workers) {
    auto turn = std::make_shared<std::size_t>(0);
    return [workers = std::move(workers), turn](Requests requests, bool together) {
        WorkerThread& worker = *workers[(*turn)++ % workers.size()];
        return hop(worker, std::move(requests), together);
    };
}

api::Starter::Trip start_in_store(store::PgStore& store) {
    auto ids = std::make_shared<Ids>();
    return [&store, ids](Requests requests, bool together) {
        return start_directly(store, ids, std::move(requests), together);
    };
}

}  // namespace pawl::host
