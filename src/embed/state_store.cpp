#include "app/runs/folded_run.hpp"
#include "app/views/run_steps.hpp"
#include "base/json.hpp"
#include "embed/sessions.hpp"
#include "engine/async/gate.hpp"
#include "pawl/store.hpp"
#include "plan/planner.hpp"
#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <stdexcept>

namespace pawl {

namespace {

namespace asio = boost::asio;

RunId parse_run(const std::string& text) {
    const auto id = parse_uuid(text);
    if (!id) throw std::invalid_argument("'" + text + "' is not the id of a run");
    return RunId{*id};
}

StepRecordView step_of(const json::value& step) {
    StepRecordView view;
    view.name = text_in(step, "step");
    view.status = text_in(step, "status");
    if (const auto* attempts = find(step, "attempts"); attempts && attempts->is_array()) {
        view.attempts = static_cast<int>(attempts->get_array().size());
    }
    if (const auto* result = find(step, "result")) view.result = *result;
    if (const auto* error = find(step, "error")) view.error = *error;
    return view;
}

RunRecord record_of(const store::RunDetails& run) {
    RunRecord record;
    record.id = to_string(run.id);
    record.workflow = run.workflow;
    record.status = run.status;
    record.closed = run.closed_at.has_value();
    record.output = run.output;
    record.error = run.error;
    return record;
}

asio::awaitable<std::optional<RunRecord>> load(pg::Pool& pool, RunId id) {
    store::PgStore store(pool);
    store::Heads heads(pool);
    store::Versions versions(pool);
    app::Programs programs(co_await asio::this_coro::executor, store, heads, versions);
    auto folded = co_await app::fold_run(store, programs, {}, id);
    if (!folded) {
        // Perhaps a newer program wrote its version: return what is known without it.
        const auto found = co_await store.find_run({}, id);
        co_return found ? std::optional(record_of(*found)) : std::nullopt;
    }
    RunRecord record = record_of(folded->run);
    record.context = plan::context_of(folded->program->definition, folded->state);
    for (const json::value& step : app::steps_of(std::move(*folded))) {
        record.steps.push_back(step_of(step));
    }
    co_return record;
}

asio::awaitable<std::optional<RunRecord>> wait(
    embed::Session& session, RunId id, Steady::time_point until
) {
    for (;;) {
        auto record = co_await load(session.pool(), id);
        if (!record || record->closed) co_return record;
        if (Steady::now() >= until) co_return std::nullopt;
        engine::Gate pause(co_await asio::this_coro::executor);
        co_await pause.wait(Steady::now() + std::chrono::milliseconds(50));
    }
}

class PgStateStore : public StateStore {
public:
    explicit PgStateStore(const std::string& database) : sessions_({.conninfo = database}) {}

    std::string create_run(const NewRun& run) override {
        pg::Params params;
        params.add(run.workflow).add_json(run.input).add(store::some(run.correlation_id));
        params.add(store::some(run.subject)).add(std::int32_t{run.priority});
        return to_string(sessions_.ask(store::queries::embed_start, std::move(params)).uuid(0, 0));
    }

    std::optional<RunRecord> load_run(const std::string& id) override {
        const RunId run = parse_run(id);
        return sessions_.run<std::optional<RunRecord>>([run](embed::Session& session) {
            return load(session.pool(), run);
        });
    }

    std::optional<RunRecord> wait_for_run(const std::string& id, std::chrono::milliseconds patience)
        override {
        const RunId run = parse_run(id);
        const auto until = Steady::now() + patience;
        return sessions_.run<std::optional<RunRecord>>([run, until](embed::Session& session) {
            return wait(session, run, until);
        });
    }

    bool signal(const std::string& run, const std::string& name, const boost::json::value& data)
        override {
        pg::Params params;
        params.add(parse_run(run).uuid).add(name).add_json(data);
        return sessions_.ask(store::queries::embed_signal, std::move(params)).boolean(0, 0);
    }

    bool cancel(const std::string& run, const std::string& reason) override {
        pg::Params params;
        params.add(parse_run(run).uuid).add(reason);
        return sessions_.ask(store::queries::embed_cancel, std::move(params)).boolean(0, 0);
    }

    std::string enqueue_event(
        const std::string& name,
        const std::string& key,
        const boost::json::value& data,
        const std::string& id
    ) override {
        pg::Params params;
        params.add(name).add(store::some(key)).add_json(data).add(store::some(id));
        return sessions_.ask(store::queries::embed_emit, std::move(params)).text(0, 0);
    }

private:
    embed::Sessions sessions_;
};

}  // namespace

std::unique_ptr<StateStore> make_state_store(const std::string& database) {
    return std::make_unique<PgStateStore>(database);
}

}  // namespace pawl
