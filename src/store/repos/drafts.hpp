#pragma once

#include "base/json.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A workflow that is being written: any text.
struct WorkflowDraft {
    std::string name;
    std::string text;  // empty in lists
    std::string etag;  // changes with the text
    Instant updated_at{};
    std::string updated_by;
    std::string updated_by_name;  // if that is an API key
};

struct NewDraft {
    std::string name;
    std::string text;
    std::string by;
    std::string seen;  // the etag of what the writer saw; empty: there was none
};

// pawl.workflow_draft, workflow_layout and workflow_tests. The pool must outlive it.
class Drafts {
public:
    explicit Drafts(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<void> put_layout(TenantId tenant, std::string name, json::value layout);
    // Null: there is none.
    asio::awaitable<json::value> find_layout(TenantId tenant, std::string name);

    // None: there is another draft now than the writer saw.
    asio::awaitable<std::optional<WorkflowDraft>> put(TenantId tenant, NewDraft draft);
    asio::awaitable<std::optional<WorkflowDraft>> find(TenantId tenant, std::string name);
    asio::awaitable<std::vector<WorkflowDraft>> list(
        TenantId tenant, std::string after, std::int32_t limit
    );
    // False when there is none, or another than the caller saw (empty: whichever).
    asio::awaitable<bool> remove(TenantId tenant, std::string name, std::string seen);

    // The same for the test cases of a workflow.
    asio::awaitable<std::optional<WorkflowDraft>> put_tests(TenantId tenant, NewDraft tests);
    asio::awaitable<std::optional<WorkflowDraft>> find_tests(TenantId tenant, std::string name);
    asio::awaitable<bool> remove_tests(TenantId tenant, std::string name, std::string seen);

private:
    asio::awaitable<std::optional<WorkflowDraft>> write(
        const pg::Query& query, TenantId tenant, NewDraft draft
    );
    asio::awaitable<std::optional<WorkflowDraft>> look(
        const pg::Query& query, TenantId tenant, std::string name
    );
    asio::awaitable<bool> take_away(
        const pg::Query& query, TenantId tenant, std::string name, std::string seen
    );

    pg::Pool& pool_;
};

}  // namespace pawl::store
