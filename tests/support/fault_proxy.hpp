#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace pawl::test {

// Where and how a connection is cut.
struct Fault {
    enum class From { client, server };
    enum class Cut {
        before,    // the message is not passed on
        after,     // it is passed on and the cut follows at once: what becomes of it is a race
        answered,  // of a client's message: this and what follows is passed on, the answers are
                   // not, and the cut comes when the server is done: committed, reply lost
    };
    enum class How { reset, close };  // RST or FIN towards the client

    From from = From::client;
    Cut cut = Cut::before;
    How how = How::reset;
    std::size_t message = 1;  // the first is 1, counted over all connections
};

// Stands between a client and the cluster of the tests (PGHOST), on a thread of its own, and knows
// where the messages of the wire protocol begin. It cuts one connection at one message and passes
// everything on afterwards. Requests for encryption are declined and not counted.
class FaultProxy {
public:
    FaultProxy();
    ~FaultProxy();
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;

    std::string url_of(const std::string& database) const;

    // Begins to count anew. The fault happens once.
    void arm(const Fault& fault);
    void disarm();
    bool fired() const;
    // Messages seen since the last arm() or disarm().
    std::size_t seen(Fault::From from) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::test
