// Orders: reserve, ask a person if the sum is large, charge, ship. Prepare the database with
// `pawl migrate up`, then:
//   orders worker DATABASE_URL          executes orders until Ctrl-C
//   orders place DATABASE_URL ID SUM    places an order and waits until it ends
#include <boost/json/serialize.hpp>
#include <pawl/engine.hpp>
#include <pawl/store.hpp>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace json = boost::json;

namespace {

// Decides what comes next from what has happened: no I/O, no clock, no randomness.
class Orders : public pawl::Workflow {
public:
    std::string id() const override { return "orders"; }
    std::string version() const override { return "1.0.0"; }
    std::vector<std::string> required_fields() const override { return {"order", "sum"}; }

    std::vector<pawl::StepDef> steps() const override {
        return {
            {.name = "reserve"},
            {.name = "approve", .type = "human", .config = {{"title", "A large order"}}},
            {.name = "charge", .attempts = 3, .timeout = std::chrono::seconds(20)},
            {.name = "ship"}};
    }

    pawl::Plan plan(const pawl::Run& run) const override {
        pawl::Plan next;
        const json::object& order = run.input->as_object();
        const auto* reserved = next.run_step(run, "reserve", order);
        if (!reserved) return next;
        if (order.at("sum").to_number<double>() > 1000) {
            const auto* answer = next.step(run, "approve", {{"data", order}, {"due", "2d"}});
            if (!answer) return next;
            if (answer->outcome != "approved") {
                next.finish({{"order", order.at("order")}, {"status", answer->outcome}});
                return next;
            }
        }
        const auto* charged = next.run_step(run, "charge", order);
        if (!charged) return next;
        const auto* shipped = next.run_step(run, "ship", *reserved->result);
        if (!shipped) return next;
        next.finish(
            {{"order", order.at("order")},
             {"status", "shipped"},
             {"receipt", charged->result->at("receipt")}}
        );
        return next;
    }
};

// Steps are the only place for effects. If a step is executed again, it gets the same key.
class Reserve : public pawl::Step {
public:
    std::string name() const override { return "reserve"; }
    pawl::StepResult execute(const pawl::ExecutionContext& context) override {
        return pawl::StepResult::ok({{"shelf", 7}, {"order", context.input.at("order")}});
    }
};

class Charge : public pawl::Step {
public:
    std::string name() const override { return "charge"; }
    pawl::StepResult execute(const pawl::ExecutionContext& context) override {
        if (context.attempt == 1) {
            return pawl::StepResult::fail(
                pawl::FailureKind::retryable,
                "busy",
                "the bank is busy",
                std::chrono::milliseconds(10)
            );
        }
        return pawl::StepResult::ok({{"receipt", "r-" + context.idempotency_key}});
    }
};

class Ship : public pawl::Step {
public:
    std::string name() const override { return "ship"; }
    pawl::StepResult execute(const pawl::ExecutionContext&) override {
        return pawl::StepResult::ok();
    }
};

int work(const std::string& database) {
    auto registry = std::make_shared<pawl::Registry>();
    registry->add(std::make_shared<Orders>());
    registry->add(std::make_shared<Reserve>());
    registry->add(std::make_shared<Charge>());
    registry->add(std::make_shared<Ship>());
    pawl::EngineOptions options;
    options.database = database;
    options.on_ready = [] { std::puts("ready"), std::fflush(stdout); };
    pawl::Engine engine(options, registry);
    return engine.run();
}

int place(const std::string& database, const std::string& order, double sum) {
    const auto store = pawl::make_state_store(database);
    const auto run = store->create_run(
        {.workflow = "orders", .input = {{"order", order}, {"sum", sum}}, .correlation_id = order}
    );
    const auto record = store->wait_for_run(run, std::chrono::seconds(30));
    if (!record) {
        std::printf("%s has not ended yet\n", run.c_str());
        return 3;
    }
    std::printf(
        "%s %s %s\n", run.c_str(), record->status.c_str(), json::serialize(record->output).c_str()
    );
    return record->status == "completed" ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string command = argc > 2 ? argv[1] : "";
    if (command == "worker") return work(argv[2]);
    if (command == "place" && argc == 5) return place(argv[2], argv[3], std::stod(argv[4]));
    std::fputs("usage: orders worker DATABASE_URL | orders place DATABASE_URL ID SUM\n", stderr);
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "orders: %s\n", error.what());
    return 1;
}
