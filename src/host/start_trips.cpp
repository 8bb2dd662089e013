#include "host/start_trips.hpp"

#include "base/rng.hpp"
#include "engine/async/gate.hpp"
#include "engine/start/start_request.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <exception>
#include <optional>

namespace pawl::host {

namespace {

using Requests = std::vector<engine::StartRequest>;
using Answers = std::vector<engine::Started>;

struct Ids {
    Rng rng;
    IdMaker maker{rng};
};

// What comes back from the worker's thread.
struct Landing {
    explicit Landing(const asio::any_io_executor& executor) : came(executor) {}
    engine::Gate came;
    std::optional<Answers> answers;
    std::exception_ptr failed;
};

// Neither a cancellation nor a thread that ends may cross: the caller that waits here can be
// cancelled, and the worker goes on with what it was asked for.
asio::awaitable<Answers> hop(WorkerThread& worker, Requests requests, bool together) {
    const auto home = co_await asio::this_coro::executor;
    const auto landing = std::make_shared<Landing>(home);
    asio::co_spawn(
        worker.executor(),
        together ? worker.worker().start(std::move(requests))
                 : worker.worker().start_each(std::move(requests)),
        [home, landing](std::exception_ptr failed, Answers answers) {
            asio::post(home, [landing, failed, answers = std::move(answers)]() mutable {
                landing->failed = failed;
                landing->answers = std::move(answers);
                landing->came.open();
            });
        }
    );
    while (!landing->answers) co_await landing->came.wait();
    if (landing->failed) std::rethrow_exception(landing->failed);
    co_return std::move(*landing->answers);
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
            answers.push_back({taken->existing, false, taken->outdated(), taken->kept_out});
        }
    }
    co_return answers;
}

// When the connection breaks meanwhile, it is not known whether the runs were started: the same
// batch is sent once more, marked as such, and each run exists once either way.
asio::awaitable<Answers> start_surely(store::PgStore& store, store::StartBatch& batch) {
    try {
        co_return co_await start_batch(store, batch);
    } catch (const Failure& failure) {
        if (!info(failure.error().code).retryable) throw;
    }
    batch.resend = true;
    co_return co_await start_batch(store, batch);
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
        request.uncounted = true;
        batch.runs.push_back(engine::to_new_run(id, std::move(request)));
    }
    std::optional<Failure> refused;
    Answers answers;
    try {
        answers = co_await start_surely(store, batch);
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

app::Starter::Trip start_on_workers(std::vector<WorkerThread*> workers) {
    auto turn = std::make_shared<std::size_t>(0);
    return [workers = std::move(workers), turn](Requests requests, bool together) {
        WorkerThread& worker = *workers[(*turn)++ % workers.size()];
        return hop(worker, std::move(requests), together);
    };
}

app::Starter::Trip start_in_store(store::PgStore& store) {
    auto ids = std::make_shared<Ids>();
    return [&store, ids](Requests requests, bool together) {
        return start_directly(store, ids, std::move(requests), together);
    };
}

}  // namespace pawl::host
