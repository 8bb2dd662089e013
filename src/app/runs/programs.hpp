#pragma once

#include "app/batching/rounds.hpp"
#include "base/rng.hpp"
#include "engine/core/program.hpp"
#include "plan/places.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/heads.hpp"
#include "store/repos/version_store.hpp"

#include <map>
#include <string>
#include <utility>

namespace pawl::app {

namespace asio = boost::asio;

// Which version of a workflow is to be started.
struct StartChoice {
    std::string key;      // the subject or the correlation key; empty: any
    std::string version;  // a number or a label; empty: the shares decide
};

// A run as its log says: the version that it has now, and where it stands.
struct FoldedLog {
    engine::ProgramPtr program;
    plan::RunState state;
    std::vector<plan::EventPlace> places;  // of the events of the log
};

// The version that a start takes.
struct Chosen {
    engine::ProgramPtr program;
    // For StartRequest::head: chosen by what was known here, which the start has to confirm. 0: by
    // what the database said just now.
    std::int64_t head = 0;
};

// What a start uses: the database says which version, before the start or with it, so that a
// definition changed a moment ago anywhere is the one that starts; versions never change and are
// kept parsed.
class Programs {
public:
    Programs(
        asio::any_io_executor executor,
        store::PgStore& store,
        store::Heads& heads,
        store::Versions& versions
    );

    // An error when there is no such workflow, or it may not be started.
    asio::awaitable<Result<engine::ProgramPtr>> active(
        std::int32_t tenant, std::string name, StartChoice choice = {}
    );
    // The same without a query when the workflow is known. A caller that would refuse something
    // because of it, or learns that it is outdated, calls again with `known` false.
    asio::awaitable<Result<Chosen>> chosen(
        std::int32_t tenant, std::string name, StartChoice choice, bool known
    );
    // The same in two steps, for many starts of one workflow.
    asio::awaitable<Result<store::Head>> head(std::int32_t tenant, std::string name);
    asio::awaitable<Result<engine::ProgramPtr>> started(
        std::int32_t tenant, store::Head head, StartChoice choice
    );
    // The version a run is pinned to.
    asio::awaitable<Result<engine::ProgramPtr>> version(
        store::WorkflowId workflow, std::int32_t version
    );
    // The log must outlive the call.
    asio::awaitable<Result<FoldedLog>> fold(
        store::WorkflowId workflow, const std::vector<Event>& log
    );
    // The same without the state: of a log, or of its beginning, or of EventTail::shape.
    asio::awaitable<Result<std::vector<plan::EventPlace>>> places(
        store::WorkflowId workflow, const std::vector<Event>& log
    );
    asio::awaitable<void> stop();

private:
    asio::awaitable<Result<std::vector<engine::ProgramPtr>>> pinned(
        store::WorkflowId workflow, const std::vector<Event>& log
    );
    struct Asked {
        std::int32_t tenant = 1;
        std::string name;
    };
    using Name = std::pair<std::int32_t, std::string>;  // with its tenant
    // A head without a workflow: there is none of that name.
    asio::awaitable<std::vector<store::Head>> look_up(std::vector<Asked> asked);

    asio::awaitable<Result<std::int32_t>> choose(
        std::int32_t tenant, store::Head head, StartChoice choice
    );

    store::PgStore& store_;
    store::Heads& heads_;
    store::Versions& versions_;
    Rng rng_;
    Rounds<Asked, store::Head> rounds_;
    std::map<Name, store::Head> known_;  // those that could be started when last looked at
    std::map<std::pair<store::WorkflowId, std::int32_t>, engine::ProgramPtr> parsed_;
};

}  // namespace pawl::app
