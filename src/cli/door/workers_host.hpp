#pragma once

#include "embed/code_host.hpp"
#include "host/serve.hpp"
#include "workers/workers.hpp"

#include <memory>
#include <set>
#include <string>

namespace pawl::cli {

namespace asio = boost::asio;

// The workers csr, bdr, sdr and va in a process of ours. Outlives host::serve.
class WorkersHost {
public:
    explicit WorkersHost(workers::WorkerSettings settings);

    // Gives them to a process; email goes where its messages go. With a sandbox, the model and
    // email are those of the sandbox unless others are set.
    void add_to(host::ServeOptions& serve);
    // Makes the workflows known to every tenant that does not have them from here yet.
    asio::awaitable<int> publish(pg::Pool& pool);

private:
    // Tenants that come later get them too.
    asio::awaitable<void> keep_publishing(pg::Pool& pool);

    std::set<store::TenantId> published_;
    workers::WorkerSettings settings_;
    embed::CodeHost code_;
};

// As --model FILE says; makes the workflows known to the database. Null without the file.
std::unique_ptr<WorkersHost> workers_for(
    const pg::ConnectOptions& connect, const std::string& model_file
);

}  // namespace pawl::cli
