#pragma once

#include "http/client_transfer.hpp"
#include "http/mail_threads.hpp"
#include "http/request_places.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>

namespace pawl::http {

class Multi;

// A coroutine that waits for its transfer. It lives in that coroutine's frame: whatever ends the
// frame takes the transfer off libcurl.
struct Pending {
    Pending(std::shared_ptr<Multi> owner, Request request);
    ~Pending();
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;

    std::shared_ptr<Multi> multi;
    Transfer transfer;
    asio::steady_timer wake;  // runs out at the deadline; cancelled when the outcome is there
    std::optional<Outcome> outcome;
    bool active = false;
    std::list<Pending*>::iterator spot;  // among those under way
};

// Joins libcurl's multi-socket interface to Asio: libcurl says which sockets and which time it
// cares about, Asio waits for them. Owned by the Client and by everything that is under way.
class Multi : public std::enable_shared_from_this<Multi> {
public:
    Multi(asio::any_io_executor executor, ClientOptions options);
    ~Multi();
    Multi(const Multi&) = delete;
    Multi& operator=(const Multi&) = delete;

    // Sends at once; sets `outcome` and cancels `wake` when it is over.
    void start(Pending& pending);
    // Takes it out, wherever it is.
    void drop(Pending& pending);
    // Ends everything; the Multi does nothing afterwards.
    void close();

    // Made when there is mail.
    MailThreads& mail();

    const asio::any_io_executor& executor() const { return executor_; }
    const ClientOptions& options() const { return options_; }
    std::size_t active() const { return active_.size(); }
    std::size_t queued() const { return places_->waiting(); }
    // A request has one of these before it starts.
    Places& places() { return *places_; }
    bool closed() const { return multi_ == nullptr; }

private:
    friend struct MultiCallbacks;

    // A socket of libcurl's. The descriptor only borrows it: libcurl closes it.
    struct Watch {
        explicit Watch(const asio::any_io_executor& executor) : descriptor(executor) {}
        asio::posix::stream_descriptor descriptor;
        int socket = -1;  // -1 once libcurl has let go of it
        bool wants_read = false;
        bool wants_write = false;
        bool waits_read = false;
        bool waits_write = false;
    };
    enum class Direction { read, write };

    void complete(Pending& pending, Outcome outcome);
    void end(Pending& pending);

    void watch(int socket, bool read, bool write);
    void unwatch(int socket);
    void wait(std::shared_ptr<Watch> watch, Direction direction);
    void ready(std::shared_ptr<Watch> watch, Direction direction, bool failed);
    void set_timer(long milliseconds);
    void wake_at(Steady::time_point time);

    void act(int socket, int events);
    void collect();

    asio::any_io_executor executor_;
    const ClientOptions options_;
    void* multi_ = nullptr;  // CURLM
    asio::steady_timer timer_;
    std::uint64_t timer_round_ = 0;
    std::optional<Steady::time_point> due_;    // when libcurl wants to be called
    std::optional<Steady::time_point> wakes_;  // when timer_ ends, at the latest then
    std::unordered_map<int, std::shared_ptr<Watch>> watches_;
    std::list<Pending*> active_;
    std::shared_ptr<Places> places_;
    std::unique_ptr<MailThreads> mail_;
};

}  // namespace pawl::http
