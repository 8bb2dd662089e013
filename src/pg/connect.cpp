#include "base/log.hpp"
#include "base/on_thread.hpp"
#include "pg/connection_impl.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>

#include <sstream>
#include <string_view>

namespace pawl::pg {

namespace {

using ConnPtr = std::unique_ptr<PGconn, CloseConn>;

// PQconnectStart may read files and resolve names, and blocks while it does: one helper thread for
// all connections.
asio::thread_pool& resolver_thread() {
    static asio::thread_pool pool(1);
    return pool;
}

// The part of Postgres in which a commit waits for its standbys. Its warnings say that the wait was
// cut short; they have no SQLSTATE of their own, and their text depends on the language.
constexpr std::string_view standby_wait = "SyncRepWaitForLSN";

bool says(const PGresult* result, int field, std::string_view wanted) {
    const char* text = PQresultErrorField(result, field);
    return text != nullptr && text == wanted;
}

void on_notice(void* connection, const PGresult* result) {
    const char* text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const bool warns = says(result, PG_DIAG_SEVERITY_NONLOCALIZED, "WARNING");
    if (warns && says(result, PG_DIAG_SOURCE_FUNCTION, standby_wait)) {
        static_cast<Connection::Impl*>(connection)->unreplicated = true;
    }
    const auto field = log::field("notice", text == nullptr ? "" : text);
    warns ? log::warn("postgres warns", {field}) : log::debug("postgres notice", {field});
}

// One target: the given string, with one host of its list picked.
struct Target {
    std::string conninfo, host, hostaddr, port, application_name;
};

ConnPtr start_connection(const Target& target) {
    // Keywords before dbname are defaults, those after it override what the string says.
    const char* keywords[] = {
        "application_name",
        "keepalives_idle",
        "keepalives_interval",
        "keepalives_count",
        "tcp_user_timeout",
        "dbname",
        "client_encoding",
        "host",
        "hostaddr",
        "port",
        nullptr};
    const char* values[] = {
        target.application_name.c_str(),
        "5",
        "2",
        "3",
        "10000",
        target.conninfo.c_str(),
        "UTF8",
        target.host.empty() ? nullptr : target.host.c_str(),
        target.hostaddr.empty() ? nullptr : target.hostaddr.c_str(),
        target.port.empty() ? nullptr : target.port.c_str(),
        nullptr};
    // libpq reads the string only where there is one; without it the PG* variables decide.
    if (target.conninfo.empty()) values[5] = nullptr;
    return ConnPtr(PQconnectStartParams(keywords, values, 1));
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
}

// A non-blocking libpq connect knows no time limit per host, so a list of hosts is tried here one
// by one. Rules that need to see the whole list (prefer-standby) are left to libpq.
std::vector<Target> targets(const ConnectOptions& options) {
    Target whole{options.conninfo, "", "", "", options.application_name};
    struct Free {
        void operator()(PQconninfoOption* list) const { PQconninfoFree(list); }
    };
    char* problem = nullptr;
    const std::unique_ptr<PQconninfoOption, Free> parsed(
        options.conninfo.empty() ? PQconndefaults()
                                 : PQconninfoParse(options.conninfo.c_str(), &problem)
    );
    if (!parsed) {
        std::string message = problem == nullptr ? "invalid connection string" : problem;
        PQfreemem(problem);
        throw Failure({Errc::invalid, "DATABASE_URL: " + message, {}});
    }
    std::string host, hostaddr, port, attrs;
    for (auto* option = parsed.get(); option->keyword != nullptr; ++option) {
        const std::string_view key = option->keyword;
        const std::string value = option->val == nullptr ? "" : option->val;
        if (key == "host") host = value;
        if (key == "hostaddr") hostaddr = value;
        if (key == "port") port = value;
        if (key == "target_session_attrs") attrs = value;
    }
    const auto hosts = split(host);
    const auto addresses = split(hostaddr);
    const auto ports = split(port);
    const std::size_t count = std::max(hosts.size(), addresses.size());
    if (count < 2 || attrs == "prefer-standby") return {whole};
    std::vector<Target> all;
    for (std::size_t i = 0; i < count; ++i) {
        Target one = whole;
        if (i < hosts.size()) one.host = hosts[i];
        if (i < addresses.size()) one.hostaddr = addresses[i];
        if (ports.size() == 1) one.port = ports[0];
        if (i < ports.size()) one.port = ports[i];
        all.push_back(std::move(one));
    }
    return all;
}

// The server ends what takes too long, and notices by itself when this machine is gone: the
// keepalive of the kernel would let a transaction hold its locks for two hours.
std::string session_settings(const ConnectOptions& options) {
    std::string text;
    const auto set = [&text](const char* name, std::int64_t value) {
        text += "set " + std::string(name) + " = " + std::to_string(value) + ";";
    };
    set("statement_timeout", milliseconds(options.statement_timeout));
    set("lock_timeout", milliseconds(lock_timeout));
    set("idle_in_transaction_session_timeout", milliseconds(idle_in_transaction_timeout));
    set("tcp_keepalives_idle", 5);
    set("tcp_keepalives_interval", 2);
    set("tcp_keepalives_count", 3);
    set("tcp_user_timeout", 10'000);
    // To compile a plan takes longer than any statement of Pawl.
    return text + "set jit = off;";
}

}  // namespace

// Not a member: keeps the libpq handshake in one readable place.
static asio::awaitable<void> handshake(std::shared_ptr<Connection::Impl> impl) {
    using Impl = Connection::Impl;
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (next != PGRES_POLLING_OK) {
        if (next == PGRES_POLLING_FAILED) impl->fail_connection("");
        impl->adopt_socket();
        co_await impl->wait(
            next == PGRES_POLLING_READING ? Impl::For::reading : Impl::For::writing
        );
        // The poll may close the socket and open another with the same number: never keep it
        // registered meanwhile.
        impl->drop_socket();
        next = PQconnectPoll(impl->conn.get());
    }
    impl->adopt_socket();
    if (PQsetnonblocking(impl->conn.get(), 1) != 0) impl->fail_connection("");
}

static asio::awaitable<std::shared_ptr<Connection::Impl>> connect_target(
    ConnectOptions options, Target target
) {
    const auto executor = co_await asio::this_coro::executor;
    auto impl = std::make_shared<Connection::Impl>(executor, options);
    Operation operation(*impl, options.connect_timeout);
    impl->conn = co_await on_thread(resolver_thread(), [target = std::move(target)] {
        return start_connection(target);
    });
    if (!impl->conn || PQstatus(impl->conn.get()) == CONNECTION_BAD) impl->fail_connection("");
    PQsetNoticeReceiver(impl->conn.get(), on_notice, impl.get());
    co_await handshake(impl);
    operation.done();
    co_return impl;
}

asio::awaitable<std::unique_ptr<Connection>> Connection::connect(ConnectOptions options) {
    const auto list = targets(options);
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::exception_ptr failed;
        try {
            auto impl = co_await connect_target(options, list[i]);
            std::unique_ptr<Connection> made(new Connection(std::move(impl)));
            // A pooler in transaction mode would leak these to other clients: there, each
            // transaction sets its own (run_all).
            if (options.prepare) {
                co_await made->script(session_settings(options), options.connect_timeout);
            }
            co_return made;
        } catch (const Failure&) {
            failed = std::current_exception();
        }
        if (i + 1 == list.size()) std::rethrow_exception(failed);
    }
    throw Failure({Errc::internal, "no host to connect to", {}});
}

}  // namespace pawl::pg
