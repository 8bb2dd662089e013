#include "pg/connection.hpp"

#include "pg/connection_impl.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pawl::pg {

namespace {

using Impl = Connection::Impl;

// What was sent and is still owed a result.
struct Owed {
    enum class What { rows, nothing, end_of_transaction };
    const Query* query;
    What what;
};

// The limits of a session, for one transaction: behind a pooler the session belongs to others too.
constexpr Query limit_call{
    "limit_call",
    "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), "
    "set_config('idle_in_transaction_session_timeout', $3, true)",
    3};

Params limits_of(const ConnectOptions& options) {
    Params params;
    for (const Duration limit :
         {options.statement_timeout, lock_timeout, idle_in_transaction_timeout}) {
        params.add(std::string_view(std::to_string(milliseconds(limit))));
    }
    return params;
}

// Not inside a transaction that the caller began, with limits of its own.
bool needs_limits(const Impl& impl, const std::vector<Statement>& statements) {
    return !impl.options.prepare && !statements.empty() && !statements.front().own_transaction &&
           PQtransactionStatus(impl.conn.get()) == PQTRANS_IDLE;
}

void send_prepare(Impl& impl, const Query& query) {
    if (PQsendPrepare(impl.conn.get(), std::string(query.name).c_str(), query.text, 0, nullptr) ==
        0) {
        impl.fail_connection(query.name);
    }
}

void send_query(Impl& impl, const Query& query, const Params& params) {
    PAWL_ASSERT(static_cast<int>(params.size()) == query.param_count);
    const auto wire = params.wire();
    const int count = static_cast<int>(params.size());
    const int sent = impl.options.prepare ? PQsendQueryPrepared(
                                                impl.conn.get(),
                                                std::string(query.name).c_str(),
                                                count,
                                                wire.values.data(),
                                                wire.lengths.data(),
                                                wire.formats.data(),
                                                1
                                            )
                                          : PQsendQueryParams(
                                                impl.conn.get(),
                                                query.text,
                                                count,
                                                nullptr,
                                                wire.values.data(),
                                                wire.lengths.data(),
                                                wire.formats.data(),
                                                1
                                            );
    if (sent == 0) impl.fail_connection(query.name);
}

bool is_error(ExecStatusType status) {
    return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE ||
           status == PGRES_PIPELINE_ABORTED;
}

// The last result of one statement; everything up to the NULL that ends it is read. In pipeline
// mode a dying server may send an error instead of the end: the bound keeps that from looping.
asio::awaitable<ResultPtr> statement_result(Impl& impl, std::string_view query) {
    ResultPtr last;
    for (int bound = 0; bound < 1000; ++bound) {
        ResultPtr result = co_await impl.next_result();
        if (!result) co_return last;
        if (impl.broken || PQstatus(impl.conn.get()) == CONNECTION_BAD) {
            impl.broken = true;
            throw Impl::error_of(result.get(), query);
        }
        if (!last || !is_error(PQresultStatus(last.get()))) last = std::move(result);
    }
    impl.fail("Postgres sent results without end", query);
}

asio::awaitable<void> read_sync(Impl& impl) {
    ResultPtr sync = co_await impl.next_result();
    if (!sync || PQresultStatus(sync.get()) != PGRES_PIPELINE_SYNC) {
        if (sync && is_error(PQresultStatus(sync.get()))) {
            impl.broken = true;
            throw Impl::error_of(sync.get(), "");
        }
        impl.fail("Postgres lost the end of a pipeline", "");
    }
}

void send_sync(Impl& impl, std::vector<Owed>& owed) {
    if (PQpipelineSync(impl.conn.get()) == 0) impl.fail_connection("");
    owed.push_back({nullptr, Owed::What::end_of_transaction});
}

// 26000: the server has forgotten our statements, so forget them too. Otherwise it still has them
// under their names, and only a new session gets rid of them.
void forget_if_stale(Impl& impl, const PgError& error) {
    if (error.reaction() != Reaction::prepare_again) return;
    if (error.detail().sqlstate != "26000") impl.broken = true;
    impl.prepared.clear();
}

}  // namespace

Connection::Connection(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Connection::~Connection() {
    impl_->timer.cancel();
    impl_->drop_socket();
}

bool Connection::usable() const {
    return !impl_->broken && PQstatus(impl_->conn.get()) == CONNECTION_OK;
}

int Connection::backend_pid() const {
    return PQbackendPID(impl_->conn.get());
}

asio::awaitable<Rows> Connection::run(const Query& query, Params params, Duration limit) {
    const auto impl = impl_;
    if (!impl->options.prepare || !impl->prepared.contains(query.name)) {
        std::vector<Statement> one;
        one.push_back(Statement{&query, std::move(params)});
        auto rows = co_await run_all(std::move(one), limit);
        co_return std::move(rows.front());
    }
    Operation operation(*impl, limit);
    send_query(*impl, query, params);
    co_await impl->flush();
    ResultPtr result = co_await statement_result(*impl, query.name);
    if (!result) impl->fail("Postgres sent no result", query.name);
    operation.done();
    if (is_error(PQresultStatus(result.get()))) {
        const PgError error = Impl::error_of(result.get(), query.name);
        forget_if_stale(*impl, error);
        throw PgError(error);
    }
    impl->require_replicated(query.name);
    co_return Rows(result.release());
}

asio::awaitable<std::vector<Rows>> Connection::run_all(
    std::vector<Statement> statements, Duration limit
) {
    const auto impl = impl_;
    Operation operation(*impl, limit);
    const bool limited = needs_limits(*impl, statements);
    if (PQenterPipelineMode(impl->conn.get()) == 0) impl->fail_connection("");
    std::vector<Owed> owed;
    if (limited) {
        send_query(*impl, limit_call, limits_of(impl->options));
        owed.push_back({&limit_call, Owed::What::nothing});
    }
    for (const Statement& statement : statements) {
        const Query& query = *statement.query;
        if (statement.own_transaction && !owed.empty()) send_sync(*impl, owed);
        if (impl->options.prepare && impl->prepared.insert(query.name).second) {
            send_prepare(*impl, query);
            owed.push_back({&query, Owed::What::nothing});
        }
        send_query(*impl, query, statement.params);
        owed.push_back({&query, Owed::What::rows});
    }
    send_sync(*impl, owed);
    co_await impl->flush();
    std::vector<Rows> rows;
    std::optional<PgError> failed;
    for (const Owed& next : owed) {
        if (next.what == Owed::What::end_of_transaction) {
            co_await read_sync(*impl);
            continue;
        }
        ResultPtr result = co_await statement_result(*impl, next.query->name);
        if (!result) impl->fail("Postgres sent no result", next.query->name);
        const auto status = PQresultStatus(result.get());
        if (is_error(status)) {
            if (next.what == Owed::What::nothing) impl->prepared.erase(next.query->name);
            // What follows an error is only "aborted": the first one tells the story.
            if (!failed && status != PGRES_PIPELINE_ABORTED)
                failed = Impl::error_of(result.get(), next.query->name);
        } else if (next.what == Owed::What::rows) {
            rows.emplace_back(result.release());
        }
    }
    if (PQexitPipelineMode(impl->conn.get()) == 0) impl->fail_connection("");
    operation.done();
    if (failed) {
        forget_if_stale(*impl, *failed);
        throw PgError(*failed);
    }
    impl->require_replicated(statements.back().query->name);
    co_return rows;
}

asio::awaitable<void> Connection::script(std::string sql, Duration limit) {
    const auto impl = impl_;
    Operation operation(*impl, limit);
    if (PQsendQuery(impl->conn.get(), sql.c_str()) == 0) impl->fail_connection("script");
    co_await impl->flush();
    std::optional<PgError> failed;
    for (;;) {
        ResultPtr result = co_await impl->next_result();
        if (!result) break;
        if (is_error(PQresultStatus(result.get())) && !failed)
            failed = Impl::error_of(result.get(), "script");
        if (PQstatus(impl->conn.get()) == CONNECTION_BAD) {
            impl->broken = true;
            break;
        }
    }
    operation.done();
    if (failed) throw PgError(*failed);
    impl->require_replicated("script");
}

asio::awaitable<std::int64_t> Connection::copy_in(
    const Query& query, std::string data, Duration limit
) {
    const auto impl = impl_;
    PGconn* conn = impl->conn.get();
    Operation operation(*impl, limit);
    if (PQsendQuery(conn, query.text) == 0) impl->fail_connection(query.name);
    co_await impl->flush();
    ResultPtr begun = co_await impl->next_result();
    if (!begun || PQresultStatus(begun.get()) != PGRES_COPY_IN) {
        if (begun) throw Impl::error_of(begun.get(), query.name);
        impl->fail("Postgres sent no result", query.name);
    }
    constexpr std::size_t chunk_bytes = 1 << 16;
    for (std::size_t at = 0; at < data.size(); at += chunk_bytes) {
        const int length = static_cast<int>(std::min(chunk_bytes, data.size() - at));
        if (PQputCopyData(conn, data.data() + at, length) < 0) impl->fail_connection(query.name);
        co_await impl->flush();
    }
    if (PQputCopyEnd(conn, nullptr) < 0) impl->fail_connection(query.name);
    co_await impl->flush();
    ResultPtr result = co_await statement_result(*impl, query.name);
    if (!result) impl->fail("Postgres sent no result", query.name);
    operation.done();
    if (is_error(PQresultStatus(result.get()))) throw Impl::error_of(result.get(), query.name);
    impl->require_replicated(query.name);
    co_return Rows(result.release()).affected();
}

asio::awaitable<std::vector<Notification>> Connection::notifications(Duration limit) {
    const auto impl = impl_;
    Operation operation(*impl, limit);
    std::vector<Notification> all;
    for (;;) {
        struct Free {
            void operator()(PGnotify* notify) const { PQfreemem(notify); }
        };
        while (const std::unique_ptr<PGnotify, Free> notify{PQnotifies(impl->conn.get())}) {
            all.push_back({notify->relname, notify->extra, notify->be_pid});
        }
        if (!all.empty()) break;
        boost::system::error_code interrupted;
        co_await impl->descriptor.async_wait(
            asio::posix::stream_descriptor::wait_read,
            asio::redirect_error(asio::use_awaitable, interrupted)
        );
        // Nothing was asked of the server, so the limit passing leaves the protocol in a known
        // state.
        if (impl->limit_hit) break;
        if (interrupted) impl->fail("waiting for notifications was interrupted", "");
        if (PQconsumeInput(impl->conn.get()) == 0) impl->fail_connection("");
    }
    operation.done();
    co_return all;
}

asio::awaitable<Connection::Description> Connection::describe(const Query& query, Duration limit) {
    const auto impl = impl_;
    Operation operation(*impl, limit);
    send_prepare(*impl, query);
    co_await impl->flush();
    ResultPtr prepared = co_await statement_result(*impl, query.name);
    if (prepared && !is_error(PQresultStatus(prepared.get()))) {
        if (PQsendDescribePrepared(impl->conn.get(), std::string(query.name).c_str()) == 0) {
            impl->fail_connection(query.name);
        }
        co_await impl->flush();
        prepared = co_await statement_result(*impl, query.name);
    }
    if (!prepared) impl->fail("Postgres sent no result", query.name);
    operation.done();
    if (is_error(PQresultStatus(prepared.get()))) throw Impl::error_of(prepared.get(), query.name);
    impl->prepared.insert(query.name);
    Description description;
    for (int i = 0; i < PQnparams(prepared.get()); ++i) {
        description.params.push_back(PQparamtype(prepared.get(), i));
    }
    for (int i = 0; i < PQnfields(prepared.get()); ++i) {
        description.columns.push_back({PQfname(prepared.get(), i), PQftype(prepared.get(), i)});
    }
    co_return description;
}

}  // namespace pawl::pg
