#pragma once

#include "base/complaint.hpp"
#include "pg/connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <vector>

namespace pawl::pg {

struct ListenerOptions {
    ConnectOptions connect;
    const Query* listen = nullptr;     // LISTEN channel
    const Query* self_test = nullptr;  // one boolean: does this session listen?
    // Checked this often even when nothing comes, so that a half-dead connection is noticed.
    Duration check_every = std::chrono::seconds(10);
    Duration retry_after = std::chrono::milliseconds(500);
};

// Keeps a connection of its own that listens, and calls `on_wake` for each batch of notifications,
// and once with none after every (re)connect: what was sent meanwhile is lost. A hint only; polling
// is the truth. Behind a pooler that has no LISTEN it says so once and gives up; a standby may be
// promoted, so there it goes on trying.
class Listener {
public:
    using OnWake = std::function<void(const std::vector<Notification>& heard)>;

    Listener(ListenerOptions options, OnWake on_wake)
        : options_(std::move(options)), on_wake_(std::move(on_wake)) {}

    // Runs until cancelled or until LISTEN proves useless here.
    asio::awaitable<void> run();
    bool listening() const { return listening_; }

private:
    asio::awaitable<void> listen_once();
    ListenerOptions options_;
    OnWake on_wake_;
    bool listening_ = false;
    bool useless_ = false;
    Complaint trouble_{"listening for wake-ups failed; polling goes on"};
};

}  // namespace pawl::pg
