#pragma once

#include "engine/worker/worker.hpp"
#include "store/under_test.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace pawl::test {

// A real worker over a test's database that works until so many runs are closed. Code steps:
// "work" completes, "outside" too, but takes a place meanwhile, and "hang" does so until the worker
// is stopped; "flaky" fails for good until `mended` is set. Counts what was executed.
class Working {
public:
    explicit Working(PgUnderTest& db);

    // Starts a run of the workflow and works until it is closed.
    RunId run(const std::string& workflow);
    // Works until that many more runs are closed.
    void until_closed(std::size_t runs);
    // Works until something is so; says so when it does not come.
    void until(std::function<bool()> so);

    engine::WorkerOptions options;
    bool mended = false;
    int throws = 0;  // how often the handler of closed runs throws
    int executed(const std::string& node) const;
    // The idempotency keys that a step was executed with.
    std::set<std::string> keys(const std::string& node) const;

private:
    asio::awaitable<void> work(std::function<bool()> so);
    asio::awaitable<void> pause();

    PgUnderTest& db_;
    http::Client client_;
    steps::CodeRegistry registry_;
    steps::Executor steps_;
    engine::Metrics metrics_;
    std::size_t closed_ = 0;
    std::map<std::string, int> executed_;
    std::map<std::string, std::set<std::string>> keys_;
};

}  // namespace pawl::test
