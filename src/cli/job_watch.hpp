#pragma once

#include "cli/globals.hpp"
#include "store/jobs.hpp"

namespace pawl::cli {

namespace asio = boost::asio;

// Until it is over. The job is a server's; here it is only watched. Both outlive the call.
asio::awaitable<store::Job> watch_job(store::Jobs& jobs, const Globals& globals, store::Job job);

// What it does, in a word: cancel, migrate, impact, replay ...
std::string job_action(const store::Job& job);

// Says what came of it; returns the exit code.
int print_job(const Globals& globals, const store::Job& job);

}  // namespace pawl::cli
