#pragma once

#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "http/client.hpp"
#include "sandbox/desk.hpp"

#include <map>

namespace pawl::sandbox {

namespace asio = boost::asio;

// Tells the hooks of accounts what happened, when it is due, and again when they do not answer 2xx.
// Persons who open a message also load its images, and follow its links, if those are of this
// machine.
// One thread; the desk and the client outlive it. Await stop() before the executor ends.
class HookQueue {
public:
    HookQueue(asio::any_io_executor executor, Desk& desk, http::Client& client);

    void start();
    asio::awaitable<void> stop();

    // Decides what becomes of a message, as its account says, and tells it in time.
    void follow(const MessagePtr& message);
    // Tells one thing now. False when the account has no hook.
    bool tell(const Account& account, Event event);

    std::size_t waiting() const { return queue_.size(); }
    std::uint64_t taken() const { return taken_; }
    std::uint64_t refused() const { return refused_; }

private:
    struct Due {
        const Provider* provider = nullptr;
        std::string account;
        Event event;
        int tries = 0;
    };

    void add(const Account& account, Event event, Duration after);
    // A person loads the images of a message, or follows its first link.
    void go_to(std::vector<std::string> urls, Duration after);
    asio::awaitable<void> visit(std::vector<std::string> urls, Duration after);
    asio::awaitable<void> run();
    void begin_next();
    asio::awaitable<void> deliver(std::vector<Due> all);

    Desk& desk_;
    http::Client& client_;
    engine::Gate changed_;
    engine::CoroutineGroup tasks_;
    engine::CoroutineGroup calls_;
    engine::CoroutineGroup visits_;
    std::multimap<Steady::time_point, Due> queue_;
    std::uint64_t taken_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace pawl::sandbox
