#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

struct MessageTemplate {
    std::string name;
    std::int32_t version = 1;
    std::string category;
    json::object languages;  // the content of each
    Instant created_at{};
};

// One of a list, without its contents.
struct TemplateSummary {
    std::string name;
    std::int32_t version = 1;
    std::string category;
    json::value languages;  // their names
    Instant created_at{};
};

struct TemplateSaved {
    std::int32_t version = 1;
    bool changed = false;  // false: the newest version says the same
};

// pawl.message_template. The pool must outlive it.
class MessageTemplates {
public:
    explicit MessageTemplates(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<TemplateSaved> put(
        TenantId tenant, std::string name, std::string category, json::object languages
    );
    // Without a version the newest one.
    asio::awaitable<std::optional<MessageTemplate>> find(
        TenantId tenant, std::string name, std::optional<std::int32_t> version
    );
    // By name, after this one.
    asio::awaitable<std::vector<TemplateSummary>> list(
        TenantId tenant, std::string after, int limit
    );
    // Those that include others.
    asio::awaitable<std::vector<std::string>> with_partials(TenantId tenant);
    asio::awaitable<bool> remove(TenantId tenant, std::string name);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
