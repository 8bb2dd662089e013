#include "http/server_sessions.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace pawl::http {

namespace {

// Descriptors for the database, outgoing calls, files and pipes.
constexpr std::size_t kept_back = 200;

}  // namespace

void SessionTable::add(Session& session) {
    all_.push_back(session);
    ++peers_[session.peer];
    ++size_;
    if (session.kept_place) ++kept_places_;
}

void SessionTable::remove(Session& session) {
    stop_waiting(session);
    if (!session.in_all.is_linked()) return;
    session.in_all.unlink();
    --size_;
    if (session.kept_place) --kept_places_;
    const auto found = peers_.find(session.peer);
    if (--found->second == 0) peers_.erase(found);
}

void SessionTable::wait(Session& session) {
    stop_waiting(session);
    (session.kept_place ? waiting_probes_ : waiting_).push_back(session);
}

void SessionTable::stop_waiting(Session& session) {
    if (session.in_waiting.is_linked()) session.in_waiting.unlink();
}

Session* SessionTable::longest_waiting() {
    return waiting_.empty() ? nullptr : &waiting_.front();
}

Session* SessionTable::longest_waiting_probe() {
    return waiting_probes_.empty() ? nullptr : &waiting_probes_.front();
}

std::size_t SessionTable::of_peer(const std::string& peer) const {
    const auto found = peers_.find(peer);
    return found == peers_.end() ? 0 : found->second;
}

std::vector<std::shared_ptr<Session>> SessionTable::all() {
    std::vector<std::shared_ptr<Session>> sessions;
    sessions.reserve(size_);
    for (Session& session : all_) sessions.push_back(session.shared_from_this());
    return sessions;
}

std::vector<std::shared_ptr<Session>> SessionTable::expired(Steady::time_point now) {
    std::vector<std::shared_ptr<Session>> sessions;
    for (Session& session : all_) {
        if (session.deadline <= now) sessions.push_back(session.shared_from_this());
    }
    return sessions;
}

std::size_t fitting_connections(std::size_t wanted) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    if (limit.rlim_cur < limit.rlim_max) {
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    const auto files = static_cast<std::size_t>(limit.rlim_cur);
    // A limit too low to keep any back: half is better than none.
    const std::size_t room = files > 2 * kept_back ? files - kept_back : files / 2;
    return std::min(wanted, room);
}

}  // namespace pawl::http
