#pragma once

#include "pg/connection.hpp"
#include "steps/step_request.hpp"
#include "store/repos/sql_steps.hpp"
#include "store/store.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace pawl::steps {

namespace asio = boost::asio;

// Stands in a URL for the name of the tenant: each tenant has a login of its own.
inline constexpr std::string_view tenant_place = "{tenant}";

// Where statements and conditions of users run.
struct SqlSettings {
    std::optional<pg::ConnectOptions> engine;  // the engine's own login; none: nowhere
    std::string url;  // another login, or with {tenant} one for each tenant; empty: none
    // Without a URL, or with one that has {tenant}: statements of the default tenant may use the
    // engine's.
    bool as_engine = false;
    std::string role;  // to run them as; empty: who connects
    store::Bucket bucket = 0;
    std::size_t connections_max = 4;  // of one login
    std::size_t logins_max = 16;      // that are kept connected
    // What a query that a person waits for may take: a preview, or the check of a new one.
    Duration preview_patience = std::chrono::seconds(30);
    // Asked when the URL has {tenant}.
    std::function<asio::awaitable<std::string>(store::TenantId)> tenant_name;
};

// The URL with the name in its places, as a URL writes it.
std::string url_for_tenant(std::string_view url, std::string_view tenant);

// Connections that no statement of the engine shares, and no two tenants either: a person who
// publishes a statement can do what its login can. Outlives what it runs.
class SqlLogins {
public:
    SqlLogins(asio::any_io_executor executor, SqlSettings settings);
    ~SqlLogins();
    SqlLogins(const SqlLogins&) = delete;
    SqlLogins& operator=(const SqlLogins&) = delete;

    asio::awaitable<StepOutcome> run(StepRequest request);
    // A statement that the owner of the schema wrote: with the engine's own login, for any tenant.
    asio::awaitable<StepOutcome> run_as_engine(StepRequest request);
    asio::awaitable<StepOutcome> ask(StepRequest request);
    asio::awaitable<StepOutcome> read(StepRequest request);

    // The query of an audience, with the login of its tenant. The names of its columns, or what is
    // wrong (Errc::timeout: it takes too long; too_large: rows that are read together do); `take`
    // and `rows` as in store::RowQuery.
    using TakeRows = std::function<asio::awaitable<bool>(pg::TextTable)>;
    asio::awaitable<Result<std::vector<std::string>>> read_rows(
        store::TenantId tenant, std::string query, TakeRows take, std::size_t rows = 2000
    );
    // How many rows it gives, and the first ten.
    asio::awaitable<Result<store::QueryPreview>> preview(store::TenantId tenant, std::string query);

private:
    struct Login;
    using LoginPtr = std::shared_ptr<Login>;  // one that is in use may be let go meanwhile

    // Why statements of the tenant do not run here; nothing: they do.
    std::optional<StepOutcome> refusal(store::TenantId tenant) const;
    // Beside logins of tenants, the default tenant has the engine's.
    bool is_engines(store::TenantId tenant) const;
    asio::awaitable<LoginPtr> login_of(store::TenantId tenant);
    using OnLogin = asio::awaitable<StepOutcome> (*)(
        store::SqlSteps& steps, store::Bucket bucket, StepRequest request
    );
    asio::awaitable<StepOutcome> act_on(
        asio::awaitable<LoginPtr> login, StepRequest request, OnLogin act
    );
    asio::awaitable<StepOutcome> with_login(StepRequest request, OnLogin act);
    // An answer to a query, with the login of the tenant, or what is wrong.
    template <class Answer>
    asio::awaitable<Result<Answer>> ask(
        store::TenantId tenant,
        store::RowQuery asked,
        asio::awaitable<Answer> (store::SqlSteps::*how)(store::RowQuery)
    );
    asio::awaitable<LoginPtr> engine_login();

    asio::any_io_executor executor_;
    SqlSettings settings_;
    bool by_tenant_;
    std::map<store::TenantId, LoginPtr> logins_;
    LoginPtr engine_;  // made when it is first needed
    std::uint64_t uses_ = 0;
};

}  // namespace pawl::steps
