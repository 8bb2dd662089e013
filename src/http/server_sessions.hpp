#pragma once

#include "http/server_session.hpp"

#include <boost/intrusive/list.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace pawl::http {

// The connections of a server. Those that wait, for a request to begin or to be complete, stand in
// the order in which they began to: the first one makes room for a newcomer.
class SessionTable {
public:
    void add(Session& session);
    void remove(Session& session);
    // Puts it at the end of the line.
    void wait(Session& session);
    void stop_waiting(Session& session);
    // Null when all are busy.
    Session* longest_waiting();
    // The same of those that have a kept place.
    Session* longest_waiting_probe();

    std::size_t size() const { return size_; }
    std::size_t kept_places() const { return kept_places_; }
    std::size_t of_peer(const std::string& peer) const;
    std::vector<std::shared_ptr<Session>> all();
    // Those whose deadline has passed.
    std::vector<std::shared_ptr<Session>> expired(Steady::time_point now);

private:
    // A session that is destroyed leaves its lists by itself, so they cannot count.
    template <Session::Hook Session::*hook>
    using List = boost::intrusive::list<
        Session,
        boost::intrusive::member_hook<Session, Session::Hook, hook>,
        boost::intrusive::constant_time_size<false>>;

    List<&Session::in_all> all_;
    List<&Session::in_waiting> waiting_;
    List<&Session::in_waiting> waiting_probes_;
    std::unordered_map<std::string, std::size_t> peers_;
    std::size_t size_ = 0;
    std::size_t kept_places_ = 0;  // of these
};

// How many connections fit: `wanted`, or fewer when the process may not open that many files.
// Raises its soft limit to the hard one and leaves some files for the rest of the process.
std::size_t fitting_connections(std::size_t wanted);

}  // namespace pawl::http
