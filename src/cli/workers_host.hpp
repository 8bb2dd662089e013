#pragma once

#include "embed/code_host.hpp"
#include "host/serve.hpp"
#include "workflows/workers.hpp"

#include <memory>
#include <string>

namespace pawl::cli {

namespace asio = boost::asio;

// The workers csr, bdr, sdr and va in a process of ours. Outlives host::serve.
class WorkersHost {
public:
    explicit WorkersHost(workflows::WorkerSettings settings);

    // Gives them to a process; email goes where its messages go. With a sandbox, the model and
    // email are those of the sandbox unless others are set.
    void add_to(host::ServeOptions& serve);
    asio::awaitable<int> publish(store::Store& store) {
        return code_.publish(store, store::default_tenant);
    }

private:
    workflows::WorkerSettings settings_;
    embed::CodeHost code_;
};

// As --model FILE says; makes the workflows known to the database. Null without the file.
std::unique_ptr<WorkersHost> workers_for(
    const pg::ConnectOptions& connect, const std::string& model_file
);

}  // namespace pawl::cli
