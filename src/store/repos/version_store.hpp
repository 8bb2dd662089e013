#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <map>

namespace pawl::store {

// Something that was done to the versions of a workflow.
struct VersionChange {
    Instant at{};
    std::string action;  // applied, activated, deactivated, drafted, canary, retired, ...
    std::int32_t version = 0;
    std::string by;  // empty: not known
    json::value detail;
};

// What can be done to the versions of a workflow beside applying and activating them. The pool must
// outlive it. Those that return a text say what is wrong; empty: it was done.
class Versions {
public:
    explicit Versions(pg::Pool& pool) : pool_(pool) {}

    // What is wrong when the label of a definition belongs to another one: a version never changes.
    asio::awaitable<std::optional<Error>> taken_label(TenantId tenant, Definition definition);

    // What its steps name and the tenant does not have: actions, templates, tables of conditions.
    // As sentences that begin with the place: "send.template: there is no template 'x': ...".
    asio::awaitable<std::vector<Error>> missing_parts(TenantId tenant, Definition definition);

    // Keeps it as a version that nothing starts until it is activated or gets a share.
    asio::awaitable<Applied> save_draft(Author author, Definition definition);
    // Its number, when it is written as a number or as a label; none: there is no such one.
    asio::awaitable<std::optional<std::int32_t>> number(
        TenantId tenant, std::string name, std::string written
    );
    // The head before the one there is now.
    asio::awaitable<std::optional<std::int32_t>> before(TenantId tenant, std::string name);
    asio::awaitable<std::string> set_canary(
        Author author, std::string name, std::vector<VersionShare> shares
    );
    // Without a reason: on again. False: there is no such workflow.
    asio::awaitable<bool> switch_off(
        Author author, std::string name, std::optional<std::string> reason
    );
    // What went with a workflow: its head, its schedules, the events that started it. Its versions
    // and runs stay. None: there is no such workflow.
    struct Removed {
        std::int32_t version = 0;
        std::int64_t schedules = 0;
        std::int64_t events = 0;
    };
    asio::awaitable<std::optional<Removed>> remove(Author author, std::string name);
    // Who answers for it; none: no one. False: there is no such workflow.
    asio::awaitable<bool> set_owner(
        TenantId tenant, std::string name, std::optional<std::string> owner
    );
    // `drain`: its open runs may go to their end with it. Not `retired`: brings it back.
    asio::awaitable<std::string> retire(
        Author author, std::string name, std::int32_t version, bool drain, bool retired = true
    );
    // How many open runs each version has; those without any are left out.
    asio::awaitable<std::map<std::int32_t, std::int64_t>> open_runs(
        TenantId tenant, std::string name
    );
    // Newest first.
    asio::awaitable<std::vector<VersionChange>> changes(
        TenantId tenant, std::string name, int limit
    );

private:
    pg::Pool& pool_;
};

// In percent, as people write it.
json::array to_json(const std::vector<VersionShare>& shares);

}  // namespace pawl::store
