#include "store/repos/browser_sessions.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

std::vector<TenantRoleName> tenant_roles_of(const pg::Rows& rows) {
    std::vector<TenantRoleName> found;
    for (int row = 0; row < rows.size(); ++row) {
        found.push_back({rows.text(row, 0), rows.text(row, 1)});
    }
    return found;
}

Member member_of(const pg::Rows& rows, int row) {
    return {
        rows.text(row, 0),
        rows.text(row, 1),
        rows.instant(row, 2),
        rows.text(row, 3),
        rows.text(row, 4)};
}

}  // namespace

asio::awaitable<std::int64_t> Sessions::create(NewSession session) {
    pg::Params params;
    params.add(std::string_view(session.hash)).add(session.tenant).add(session.key);
    params.add(std::string_view(session.subject)).add_json(session.roles);
    params.add(session.idle).add(session.life).add(some(session.peer)).add(some(session.agent));
    const auto rows = co_await call(pool_, queries::create_session, std::move(params));
    co_return rows.int8(0, 0);
}

asio::awaitable<std::optional<Session>> Sessions::find_by_hash(std::string hash) {
    const auto rows = co_await call(pool_, queries::find_session, params_of(hash));
    if (rows.size() == 0) co_return std::nullopt;
    Session session;
    session.id = rows.int8(0, 0);
    session.tenant = {rows.int4(0, 1), rows.int2(0, 2)};
    session.tenant_name = rows.text(0, 3);
    session.subject = rows.text(0, 4);
    session.person = rows.boolean(0, 5);
    session.role = rows.text(0, 6);
    session.scopes = scope_words(rows.bytes(0, 7));
    session.expires_at = rows.instant(0, 8);
    session.used_at = rows.instant(0, 9);
    co_return session;
}

asio::awaitable<void> Sessions::touch(std::int64_t id) {
    co_await call(pool_, queries::touch_session, params_of(id));
}

asio::awaitable<std::vector<TenantRoleName>> Sessions::tenants(std::int64_t id) {
    const auto rows = co_await call(pool_, queries::session_tenants, params_of(id));
    co_return tenant_roles_of(rows);
}

asio::awaitable<std::string> Sessions::caller_name(
    std::int64_t session, std::optional<std::int32_t> key
) {
    const auto rows = co_await call(pool_, queries::caller_name, params_of(session, key));
    co_return rows.size() == 0 ? std::string() : std::string(rows.text(0, 0));
}

asio::awaitable<std::vector<TenantRoleName>> Sessions::tenants_of(
    std::string subject, json::object roles
) {
    pg::Params params;
    params.add(std::string_view(subject)).add_json(roles);
    const auto rows = co_await call(pool_, queries::member_tenants, std::move(params));
    co_return tenant_roles_of(rows);
}

asio::awaitable<bool> Sessions::switch_to(std::int64_t id, std::string tenant) {
    return any_row(pool_, queries::switch_session, params_of(id, tenant));
}

asio::awaitable<std::vector<std::string>> Sessions::end_by(
    const pg::Query& query, pg::Params params
) {
    const auto rows = co_await call(pool_, query, std::move(params));
    std::vector<std::string> hashes;
    for (int row = 0; row < rows.size(); ++row) hashes.emplace_back(rows.bytes(row, 0));
    co_return hashes;
}

asio::awaitable<std::vector<std::string>> Sessions::end(std::int64_t id) {
    return end_by(queries::end_session, params_of(id));
}

asio::awaitable<std::vector<std::string>> Sessions::end_all(
    std::int64_t session, std::optional<std::int32_t> key
) {
    pg::Params params;
    params.add(session).add(key);
    return end_by(queries::end_sessions, std::move(params));
}

asio::awaitable<std::vector<json::object>> Sessions::list(
    std::int64_t session, std::optional<std::int32_t> key
) {
    pg::Params params;
    params.add(session).add(key);
    const auto rows = co_await call(pool_, queries::list_sessions, std::move(params));
    std::vector<json::object> found;
    for (int row = 0; row < rows.size(); ++row) found.push_back(rows.jsonb(row, 0).as_object());
    co_return found;
}

asio::awaitable<std::vector<std::string>> Sessions::end_one(
    std::int64_t session, std::optional<std::int32_t> key, std::int64_t id
) {
    pg::Params params;
    params.add(session).add(key).add(id);
    return end_by(queries::end_one_session, std::move(params));
}

asio::awaitable<bool> Sessions::create_ticket(
    std::string hash, std::string key_hash, Duration life
) {
    return any_row(pool_, queries::create_ticket, params_of(hash, key_hash, life));
}

asio::awaitable<std::optional<ApiKey>> Sessions::take_ticket(std::string hash) {
    const auto rows = co_await call(pool_, queries::take_ticket, params_of(hash));
    co_return pg::first_row(rows, api_key_of);
}

asio::awaitable<Member> Sessions::put_member(
    TenantId tenant, std::string subject, std::string role, std::string by
) {
    const auto rows =
        co_await call(pool_, queries::put_member, params_of(tenant, subject, role, by));
    co_return member_of(rows, 0);
}

asio::awaitable<std::vector<Member>> Sessions::list_members(
    TenantId tenant, std::string after, std::int32_t limit
) {
    const auto rows = co_await call(pool_, queries::list_members, params_of(tenant, after, limit));
    co_return pg::all_rows(rows, member_of);
}

asio::awaitable<bool> Sessions::delete_member(TenantId tenant, std::string subject) {
    return any_row(pool_, queries::delete_member, params_of(tenant, subject));
}

}  // namespace pawl::store
