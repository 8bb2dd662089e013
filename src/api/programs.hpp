#pragma once

#include "api/rounds.hpp"
#include "engine/program.hpp"
#include "store/heads.hpp"
#include "store/pg_store.hpp"

#include <map>
#include <string>
#include <utility>

namespace pawl::api {

namespace asio = boost::asio;

// What a start uses: the database says which version, every time, so that a definition changed a
// moment ago anywhere is the one that starts; versions never change and are kept parsed.
class Programs {
public:
    Programs(asio::any_io_executor executor, store::PgStore& store, store::Heads& heads);

    // Throws Refused when there is no such workflow, or it may not be started.
    asio::awaitable<engine::ProgramPtr> active(std::int32_t tenant, std::string name);
    // The version a run is pinned to.
    asio::awaitable<engine::ProgramPtr> version(store::WorkflowId workflow, std::int32_t version);
    asio::awaitable<void> stop();

private:
    struct Asked {
        std::int32_t tenant = 1;
        std::string name;
    };
    // A head without a workflow: there is none of that name.
    asio::awaitable<std::vector<store::Head>> look_up(std::vector<Asked> asked);

    store::PgStore& store_;
    store::Heads& heads_;
    Rounds<Asked, store::Head> rounds_;
    std::map<std::pair<store::WorkflowId, std::int32_t>, engine::ProgramPtr> parsed_;
};

}  // namespace pawl::api
