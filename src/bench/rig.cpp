#include "bench/rig.hpp"

#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <future>

namespace pawl::bench {

using engine::Gate;

Rig::Rig(const pg::ConnectOptions& connect, engine::WorkerOptions options) {
    steps::register_builtins(registry_);
    host::ThreadOptions thread;
    thread.connect = connect;
    thread.worker = std::move(options);
    thread_ = std::make_unique<host::WorkerThread>(thread, registry_, metrics_);
}

Rig::~Rig() {
    thread_->stop();
    thread_->join();
}

void Rig::run(asio::awaitable<void> task) {
    asio::co_spawn(thread_->executor(), std::move(task), asio::use_future).get();
}

namespace {

asio::awaitable<void> until_working(host::WorkerThread& thread) {
    while (!thread.worker().working()) {
        Gate pause(thread.executor());
        co_await pause.wait(Steady::now() + std::chrono::milliseconds(1));
    }
}

}  // namespace

void Rig::start() {
    thread_->start();
    run(until_working(*thread_));
}

asio::awaitable<engine::ProgramPtr> make_workflow(
    host::WorkerThread& thread, std::string name, int steps, std::string step_function
) {
    std::string text = "name: " + name + "\nsteps:\n";
    for (int i = 1; i <= steps; ++i) {
        text += "  - {name: step_" + std::to_string(i) + ", code: " + step_function + "}\n";
    }
    const auto definition = parse_definition(text);
    co_await thread.store().apply_workflow(store::default_tenant, definition.value());
    co_return co_await thread.worker().find_program(store::default_tenant, std::move(name));
}

namespace {

struct Load {
    explicit Load(asio::any_io_executor executor)
        : room(executor), done(executor), starters(executor) {}
    Gate room;
    Gate done;
    engine::CoroutineGroup starters;
    engine::ProgramPtr program;
    Steady::time_point until{};
    json::value input = json::object();
    std::size_t start_size = 500;
    std::int64_t keys = 0;
    std::int64_t next_key = 0;
    std::int64_t started = 0;
    std::int64_t closed = 0;
    bool starting = true;
};

asio::awaitable<void> keep_starting(engine::Worker& worker, Load& load) {
    while (Steady::now() < load.until) {
        if (worker.room() < load.start_size) {
            co_await load.room.wait(load.until);
            continue;
        }
        std::vector<engine::StartRequest> requests(load.start_size);
        for (auto& request : requests) {
            request.program = load.program;
            request.input = load.input;
            if (load.keys > 0) request.input.as_object()["key"] = load.next_key++ % load.keys;
        }
        co_await worker.start(std::move(requests));
        load.started += static_cast<std::int64_t>(load.start_size);
    }
}

asio::awaitable<void> run_load(host::WorkerThread& thread, Load& load, double seconds) {
    load.until =
        Steady::now() +
        std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(seconds));
    thread.worker().on_closed = [&load](const engine::ClosedRun&) {
        ++load.closed;
        load.room.open();
        if (!load.starting && load.closed == load.started) load.done.open();
    };
    load.starters.spawn(keep_starting(thread.worker(), load));
    co_await load.starters.join();
    load.starting = false;
    while (load.closed < load.started) co_await load.done.wait();
    thread.worker().on_closed = nullptr;
}

}  // namespace

asio::awaitable<void> run_steps_for(
    host::WorkerThread& thread, double seconds, std::int64_t& steps
) {
    Load load(thread.executor());
    load.program = co_await make_workflow(thread, "bench_steps", 3, "noop");
    co_await run_load(thread, load, seconds);
    steps = load.closed * 3;
}

asio::awaitable<void> drive(host::WorkerThread& thread, Drive drive, std::int64_t& steps) {
    Load load(thread.executor());
    const auto definition = parse_definition(drive.text);
    co_await thread.store().apply_workflow(store::default_tenant, definition.value());
    load.program = co_await thread.worker().find_program(store::default_tenant, drive.name);
    load.input = drive.input;
    load.start_size = drive.batch;
    load.keys = drive.keys;
    co_await run_load(thread, load, drive.seconds);
    steps = load.closed * drive.steps;
}

double steps_per_second(Rig& rig, double seconds) {
    std::int64_t steps = 0;
    const auto begun = Steady::now();
    rig.run(run_steps_for(rig.thread(), seconds, steps));
    return static_cast<double>(steps) /
           std::chrono::duration<double>(Steady::now() - begun).count();
}

double warm_steps_per_second(Rig& rig, double seconds) {
    rig.start();
    steps_per_second(rig, 1);
    return steps_per_second(rig, seconds);
}

}  // namespace pawl::bench
