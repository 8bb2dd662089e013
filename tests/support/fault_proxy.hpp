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
    enum class How {
        reset,    // RST towards the client
        close,    // FIN
        silence,  // of a client's message: nothing passes any more, in no direction, on any
                  // connection, without a word: the network is gone
    };

    From from = From::client;
    Cut cut = Cut::before;
    How how = How::reset;
    std::size_t message = 1;  // the first is 1, counted over all connections
    // Where a client's message is not passed on: so many bytes of it are.
    std::size_t bytes = 0;
    // Counted from the Bind of this prepared statement on, on its connection; that is the first.
    std::string statement = {};
};

// Stands between a client and the cluster of the tests (PGHOST), on a thread of its own, and knows
// where the messages of the wire protocol begin. It cuts one connection at one message and passes
// everything on afterwards; after a silence, what connects anew once it is disarmed. Requests for
// encryption are declined and not counted.
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
    // From now on nothing passes, as after How::silence; what connects gets no answer.
    void fall_silent();
    bool fired() const;
    // Messages seen since the last arm() or disarm().
    std::size_t seen(Fault::From from) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::test
