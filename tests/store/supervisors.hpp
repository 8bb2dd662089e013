#pragma once

#include "pg/pg_error.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace pawl::test {

using Strings = std::vector<std::string>;

inline asio::awaitable<std::string> ask(std::string url, std::string sql) {
    pg::ConnectOptions options;
    options.conninfo = std::move(url);
    options.prepare = false;
    const auto connection = co_await pg::Connection::connect(options);
    const pg::Query role{"role", "set role worker_service_user", 0};
    co_await connection->run(role, {}, std::chrono::seconds(20));
    const pg::Query query{"ask", sql.c_str(), 0};
    const auto rows = co_await connection->run(query, {}, std::chrono::seconds(20));
    std::string text;
    for (int row = 0; row < rows.size(); ++row) text += rows.text(row, 0) + ";";
    co_return text;
}

// The queue of tasks and the comms package, as a worker sees them that only has SQL.
class Supervisors : public ::testing::Test {
protected:
    Supervisors() : worker_(database_.url()) { worker_.script("set role worker_service_user"); }

    void script(const std::string& sql) { database_.session().script(sql); }
    std::string value(const std::string& sql) { return database_.session().value(sql); }

    // What the worker role gets, or the SQLSTATE.
    std::string as_worker(const std::string& sql) {
        try {
            return worker_.value(sql);
        } catch (const pg::PgError& error) {
            return error.detail().sqlstate;
        }
    }
    std::string call(const std::string& function, const std::string& payload) {
        return as_worker(
            fmt::format("select internal.run_function($q${}$q$, '{}')::text", function, payload)
        );
    }
    std::string supervise(const std::string& id = "1") {
        return call("comms.send_email_supervisor", R"({"send_email_task_id": )" + id + "}");
    }
    std::string report(const std::string& how, const std::string& more, int attempt) {
        return call(
            "comms.record_email_" + how,
            fmt::format(
                R"({{"original_payload": {{"send_email_task_id": 1, "attempt": {}}}, {}}})",
                attempt,
                more
            )
        );
    }
    std::string claimed(int limit = 10) {
        return as_worker(fmt::format(
            "select coalesce(string_agg(task_type || coalesce(payload ->> 'attempt', ''), ',' "
            "order by task_id), '') from queues.claim_tasks({})",
            limit
        ));
    }
    void make_email() {
        script(
            "select comms.kickoff_send_email_task(comms.create_email_message('ann@example.com', "
            "'Hello', 'text'))"
        );
    }
    // What waits becomes due.
    void let_time_pass() {
        script("update queues.task set scheduled_at = now() where dequeued_at is null");
    }
    std::string count(const std::string& table) {
        return value("select count(*)::text from " + table);
    }

    TestDatabase database_;
    Session worker_;
};

}  // namespace pawl::test
