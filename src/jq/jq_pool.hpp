#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "jq/frame.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace pawl::jq {

namespace asio = boost::asio;

// The running binary. Good as PoolOptions::binary where main() looks at is_child() first.
inline constexpr char this_binary[] = "/proc/self/exe";

struct PoolOptions {
    std::string binary;  // started as a child; empty: programs are not run here
    // At once; started when first needed. One tenant leaves one of them to others, or more.
    std::size_t children_max = 3;
    // How long a call may wait for a child that is busy.
    Duration queue_timeout = std::chrono::seconds(30);
    // The most that a program gets, however long its step may take.
    Duration time_max = program_time_max;
    // How much processor time it may take to compile a program, however busy the machine is.
    Duration check_computing = std::chrono::seconds(5);
};

// What came of running a program.
enum class Fate {
    done,           // text is the first output as JSON, or empty when there was none
    failed,         // the program raised an error: text
    invalid,        // it does not compile: text
    too_large,      // program, input or output: text
    out_of_memory,  // it wanted more than a child may have
    timeout,        // it was killed when its time was over
    crashed,        // it made jq crash: text
    unavailable,    // nothing wrong with the program: no child could be had, or it was killed: text
    unwanted,       // it was killed because its answer was not wanted any more
};

struct Outcome {
    Fate fate = Fate::done;
    std::string text;
};

// The tenant that a program runs for, and whether its answer is still wanted.
struct Caller {
    std::int32_t tenant = 0;  // 0: for this process
    // Asked again and again while the program waits and runs; none: its answer is wanted to the
    // end.
    std::function<bool()> wanted;
};

// Runs jq programs of users in children: libjq cannot be interrupted, and a program can loop for
// ever, want all memory or make it crash. A child whose time is over is killed, and the next call
// gets another. Tenants share the children (base/fair_places.hpp). One thread.
class Pool {
public:
    Pool(asio::any_io_executor executor, PoolOptions options);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // `input` is JSON. The limit counts from the moment a child is free, and is at most
    // PoolOptions::time_max.
    asio::awaitable<Outcome> run(
        std::string program, std::string input, Duration limit, Caller caller = {}
    );
    // Compiles a program without running it.
    asio::awaitable<Result<void>> check(std::string program, Caller caller = {});

    std::size_t children() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace pawl::jq
