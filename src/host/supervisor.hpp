#pragma once

#include "base/clock.hpp"

#include <optional>
#include <string>

namespace pawl::host {

// Tells systemd how we are, by the socket it gave us (sd_notify's protocol). Without one every call
// does nothing. One thread.
class Supervisor {
public:
    // Reads NOTIFY_SOCKET and WATCHDOG_USEC.
    Supervisor();

    void ready(const std::string& status);
    void stopping();
    // To be called often; tells at half of the time that the watchdog allows.
    void alive();

private:
    void tell(const std::string& message) const;

    std::string socket_;
    std::optional<Duration> every_;
    Steady::time_point told_{};
};

}  // namespace pawl::host
