#include "pg/connection_impl.hpp"

#include <cstdlib>

namespace pawl::pg {

namespace {

// As on the wire: what is empty or null takes memory too.
constexpr std::size_t value_overhead = 4;

using Impl = Connection::Impl;

[[noreturn]] void too_large(std::string what) {
    throw Failure({Errc::too_large, std::move(what), {}});
}

void take_columns(TextTable& table, const PGresult* result) {
    if (!table.columns.empty()) return;
    for (int i = 0; i < PQnfields(result); ++i) {
        table.columns.push_back({PQfname(result, i), PQftype(result, i)});
    }
}

// Returns the bytes it took.
std::size_t take_rows(TextTable& table, const PGresult* result) {
    std::size_t bytes = 0;
    for (int row = 0; row < PQntuples(result); ++row) {
        TextTable::Row& taken = table.rows.emplace_back();
        for (int i = 0; i < PQnfields(result); ++i) {
            bytes += value_overhead;
            if (PQgetisnull(result, row, i) != 0) {
                taken.emplace_back();
                continue;
            }
            const auto length = static_cast<std::size_t>(PQgetlength(result, row, i));
            taken.emplace_back(std::string(PQgetvalue(result, row, i), length));
            bytes += length;
        }
    }
    return bytes;
}

}  // namespace

void Connection::discard() {
    impl_->broken = true;
}

bool Connection::is_left_busy() const {
    PGconn* const conn = impl_->conn.get();
    return impl_->broken && PQstatus(conn) == CONNECTION_OK &&
           PQtransactionStatus(conn) == PQTRANS_ACTIVE;
}

bool Connection::in_transaction() const {
    return PQtransactionStatus(impl_->conn.get()) == PQTRANS_INTRANS;
}

// Row by row, so that a result without end is cut off before it fills our memory.
asio::awaitable<TextTable> Connection::run_foreign(
    std::string sql, Params params, TextLimits limits, Duration limit
) {
    const auto impl = impl_;
    PGconn* const conn = impl->conn.get();
    Operation operation(*impl, limit);
    const auto wire = params.wire();
    const int sent = PQsendQueryParams(
        conn,
        sql.c_str(),
        static_cast<int>(params.size()),
        nullptr,
        wire.values.data(),
        wire.lengths.data(),
        wire.formats.data(),
        0
    );
    if (sent == 0 || PQsetSingleRowMode(conn) == 0) impl->fail_connection("");
    co_await impl->flush();
    TextTable table;
    std::size_t bytes = 0;
    std::optional<PgError> failed;
    for (;;) {
        const ResultPtr result = co_await impl->next_result();
        if (!result) break;
        switch (PQresultStatus(result.get())) {
            case PGRES_SINGLE_TUPLE:
            case PGRES_TUPLES_OK:
                take_columns(table, result.get());
                bytes += take_rows(table, result.get());
                break;
            case PGRES_COMMAND_OK:
            case PGRES_EMPTY_QUERY: break;
            case PGRES_COPY_IN:
            case PGRES_COPY_OUT:
            case PGRES_COPY_BOTH: impl->fail("COPY cannot be used here", "");
            default:
                if (!failed) failed = Impl::error_of(result.get(), "");
                if (impl->broken || PQstatus(conn) == CONNECTION_BAD) throw PgError(*failed);
        }
        table.affected = std::atoll(PQcmdTuples(result.get()));
        // The connection is broken by this, and so the server undoes what the statement did.
        if (table.rows.size() > limits.rows_max)
            too_large("more than " + std::to_string(limits.rows_max) + " rows");
        if (bytes > limits.bytes_max)
            too_large("more than " + std::to_string(limits.bytes_max) + " bytes");
    }
    operation.done();
    if (failed) throw PgError(*failed);
    co_return table;
}

}  // namespace pawl::pg
