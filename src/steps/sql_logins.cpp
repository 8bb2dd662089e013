#include "steps/sql_logins.hpp"

#include "base/log.hpp"
#include "pg/pg_error.hpp"
#include "steps/condition_step.hpp"
#include "steps/sql.hpp"
#include "store/pg/statement_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

// One login serves all tenants: it is kept under a number that no tenant has.
constexpr store::TenantId all_tenants = 0;

pg::PoolOptions pool_options(pg::ConnectOptions connect, std::size_t connections_max) {
    pg::PoolOptions options;
    options.connect = std::move(connect);
    // A session is wiped after each use, and prepared statements would go with it.
    options.connect.prepare = false;
    options.connections_max = connections_max;
    return options;
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

constexpr std::size_t preview_rows = 10;
constexpr std::string_view query_canceled = "57014";

// An error of the query itself, with its place; others are thrown on.
Error query_error(const pg::PgError& failure, std::string_view query) {
    const pg::PgError::Detail& detail = failure.detail();
    // The transaction is ours, and can only read because we say so: a query that wants to write, or
    // another kind of transaction, is at fault itself.
    const bool meddles = detail.sqlstate == "25006" || detail.sqlstate == "25001";
    const bool broken = detail.sqlstate.empty() || failure.reaction() == pg::Reaction::reconnect;
    if (broken && !meddles) throw failure;
    std::string message = detail.message;
    message += store::place_in(query, detail.position, store::declare_cursor.size());
    if (!detail.hint.empty()) message += ": " + detail.hint;
    const bool passes = !meddles && failure.reaction() == pg::Reaction::retry_transaction;
    return {passes ? Errc::unavailable : Errc::invalid, std::move(message), {}};
}

Error too_slow(Duration patience) {
    const double seconds = std::chrono::duration<double>(patience).count();
    return {
        Errc::timeout,
        fmt::format(
            "the query took longer than {} s: let it read fewer rows, or add an index on the "
            "columns "
            "that it filters and joins by; EXPLAIN ANALYZE shows where its time goes",
            seconds
        ),
        {}};
}

Error too_large(std::size_t rows) {
    return {
        Errc::too_large,
        fmt::format(
            "{} rows of the query are larger than what is read at once: leave out long columns",
            rows
        ),
        {}};
}

StepOutcome no_login(std::string message) {
    return failed(ErrorClass::permanent, "no_sql_login", std::move(message));
}

}  // namespace

std::string url_for_tenant(std::string_view url, std::string_view tenant) {
    std::string name;
    for (const char c : tenant) {
        name +=
            is_plain(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    std::string filled(url);
    for (std::size_t at = filled.find(tenant_place); at != std::string::npos;
         at = filled.find(tenant_place, at + name.size())) {
        filled.replace(at, tenant_place.size(), name);
    }
    return filled;
}

struct SqlLogins::Login {
    Login(
        const asio::any_io_executor& executor,
        pg::PoolOptions options,
        const std::string& role,
        bool as_engine
    )
        : pool(executor, std::move(options)), steps(pool, role, as_engine) {}

    pg::Pool pool;
    store::SqlSteps steps;
    std::uint64_t used = 0;
};

SqlLogins::SqlLogins(asio::any_io_executor executor, SqlSettings settings)
    : executor_(std::move(executor)),
      settings_(std::move(settings)),
      by_tenant_(settings_.url.find(tenant_place) != std::string::npos) {}

SqlLogins::~SqlLogins() = default;

std::optional<StepOutcome> SqlLogins::refusal(store::TenantId tenant) const {
    if (settings_.url.empty() && !settings_.as_engine) {
        return no_login(
            "this worker carries out no sql steps: they need a login, pawl serve --sql-url"
        );
    }
    // A login sees what all who share it have.
    if (!by_tenant_ && tenant != store::default_tenant) {
        return no_login(
            "sql steps of this tenant need a login of their own: pawl serve --sql-url with {tenant}"
        );
    }
    return std::nullopt;
}

bool SqlLogins::is_engines(store::TenantId tenant) const {
    return by_tenant_ && settings_.as_engine && tenant == store::default_tenant;
}

asio::awaitable<SqlLogins::LoginPtr> SqlLogins::login_of(store::TenantId tenant) {
    const store::TenantId place = by_tenant_ ? tenant : all_tenants;
    auto found = logins_.find(place);
    if (found == logins_.end()) {
        pg::ConnectOptions connect = *settings_.engine;
        const bool as_engine = settings_.url.empty() || is_engines(tenant);
        if (!as_engine) connect.conninfo = settings_.url;
        if (!as_engine && by_tenant_) {
            const std::string name = co_await settings_.tenant_name(tenant);
            connect.conninfo = url_for_tenant(settings_.url, name);
        }
        auto options = pool_options(std::move(connect), settings_.connections_max);
        auto made =
            std::make_shared<Login>(executor_, std::move(options), settings_.role, as_engine);
        if (logins_.size() >= settings_.logins_max) {
            logins_.erase(std::min_element(
                logins_.begin(),
                logins_.end(),
                [](const auto& one, const auto& other) {
                    return one.second->used < other.second->used;
                }
            ));
        }
        found = logins_.emplace(place, std::move(made)).first;
    }
    found->second->used = ++uses_;
    co_return found->second;
}

asio::awaitable<StepOutcome> SqlLogins::act_on(
    asio::awaitable<LoginPtr> login, StepRequest request, OnLogin act
) {
    std::optional<StepError> error;
    try {
        const LoginPtr held = co_await std::move(login);
        co_return co_await act(held->steps, settings_.bucket, std::move(request));
    } catch (const Failure& failure) {
        error = classify_sql(failure);
    }
    co_return failed(std::move(*error));
}

asio::awaitable<StepOutcome> SqlLogins::with_login(StepRequest request, OnLogin act) {
    if (auto refused = refusal(request.tenant)) co_return std::move(*refused);
    auto login = login_of(request.tenant);
    co_return co_await act_on(std::move(login), std::move(request), act);
}

asio::awaitable<StepOutcome> SqlLogins::run(StepRequest request) {
    return with_login(std::move(request), run_sql);
}

asio::awaitable<SqlLogins::LoginPtr> SqlLogins::engine_login() {
    if (!engine_) {
        auto options = pool_options(*settings_.engine, settings_.connections_max);
        engine_ = std::make_shared<Login>(executor_, std::move(options), "", true);
    }
    co_return engine_;
}

asio::awaitable<StepOutcome> SqlLogins::run_as_engine(StepRequest request) {
    return act_on(engine_login(), std::move(request), run_sql);
}

asio::awaitable<StepOutcome> SqlLogins::read(StepRequest request) {
    return with_login(std::move(request), read_page);
}

template <class Answer>
asio::awaitable<Result<Answer>> SqlLogins::ask(
    store::TenantId tenant,
    store::RowQuery asked,
    asio::awaitable<Answer> (store::SqlSteps::*how)(store::RowQuery)
) {
    if (auto refused = refusal(tenant)) {
        co_return Error{Errc::conflict, refused->error->message, {}};
    }
    const std::string query = asked.query;
    const Duration patience = asked.timeout;
    const std::size_t rows = asked.rows;
    const auto began = Steady::now();
    std::optional<Error> error;
    try {
        const LoginPtr login = co_await login_of(tenant);
        co_return co_await (login->steps.*how)(std::move(asked));
    } catch (const pg::PgError& failure) {
        // One that was ended sooner was ended by a person.
        const bool slow =
            failure.detail().sqlstate == query_canceled && Steady::now() - began >= patience;
        error = slow ? too_slow(patience) : query_error(failure, query);
    } catch (const Failure& failure) {
        // A query may give itself more time; we do not.
        if (failure.error().code == Errc::timeout) error = too_slow(patience);
        if (failure.error().code == Errc::too_large) error = too_large(rows);
        if (!error) throw;
    }
    co_return std::move(*error);
}

asio::awaitable<Result<std::vector<std::string>>> SqlLogins::read_rows(
    store::TenantId tenant, std::string query, TakeRows take, std::size_t rows
) {
    store::RowQuery asked;
    asked.query = std::move(query);
    asked.take = std::move(take);
    asked.rows = rows;
    if (!asked.take) asked.timeout = settings_.preview_patience;
    return ask(tenant, std::move(asked), &store::SqlSteps::read_rows);
}

asio::awaitable<Result<store::QueryPreview>> SqlLogins::preview(
    store::TenantId tenant, std::string query
) {
    store::RowQuery asked;
    asked.query = std::move(query);
    asked.rows = preview_rows;
    asked.timeout = settings_.preview_patience;
    return ask(tenant, std::move(asked), &store::SqlSteps::preview);
}

asio::awaitable<StepOutcome> SqlLogins::ask(StepRequest request) {
    const auto asking = [](store::SqlSteps& steps, store::Bucket, StepRequest asked) {
        return ask_condition(steps, std::move(asked));
    };
    auto login = login_of(request.tenant);
    return act_on(std::move(login), std::move(request), asking);
}

}  // namespace pawl::steps
