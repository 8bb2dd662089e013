#include "embed/sessions.hpp"

#include "store/pg/tenant_call.hpp"

namespace pawl::embed {

namespace {

constexpr std::size_t idle_max = 4;

}  // namespace

std::unique_ptr<Session> Sessions::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto session = std::move(idle_.back());
            idle_.pop_back();
            return session;
        }
    }
    return std::make_unique<Session>(connect_);
}

void Sessions::give_back(std::unique_ptr<Session> session) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < idle_max) idle_.push_back(std::move(session));
}

pg::Rows Sessions::ask(const pg::Query& query, pg::Params params) {
    return run<pg::Rows>([&](Session& session) {
        return store::call(session.pool(), query, std::move(params));
    });
}

pg::Rows Sessions::ask_as(int tenant, const pg::Query& query, pg::Params params) {
    return run<pg::Rows>([&](Session& session) {
        return store::call_as(session.pool(), tenant, query, std::move(params));
    });
}

}  // namespace pawl::embed
