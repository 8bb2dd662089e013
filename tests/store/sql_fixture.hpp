#pragma once

#include "pg/pg_error.hpp"
#include "steps/sql.hpp"
#include "store/repos/sql_steps.hpp"
#include "store/under_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::test {

inline pg::PoolOptions sql_pool(const std::string& url) {
    pg::PoolOptions options;
    options.connect.conninfo = url;
    options.connect.prepare = false;
    options.connections_max = 4;
    return options;
}

class SqlStepsPg : public ::testing::Test {
protected:
    void SetUp() override { script("create table points (id int primary key, n int not null)"); }

    void script(const std::string& sql) { db_.database().session().script(sql); }
    std::string value(const std::string& sql) { return db_.database().session().value(sql); }

    steps::StepRequest request(
        const std::string& statement, const std::string& params = "[]", const std::string& key = ""
    ) {
        steps::StepRequest request;
        request.run_id = to_string(run_);
        request.worker = worker_;
        request.idempotency_key = key.empty() ? fmt::format("key-{}", ++keys_) : key;
        request.config["statement"] = statement;
        request.config["params"] = json::parse(params);
        request.timeout = std::chrono::seconds(5);
        return request;
    }
    static std::string text(const steps::StepOutcome& outcome) {
        if (!outcome.error) return json::serialize(outcome.result);
        return fmt::format("{} {}", name(outcome.error->error_class), outcome.error->code);
    }
    std::string run(steps::StepRequest request) {
        return text(db_.loop().run(steps::run_sql(steps_, 0, std::move(request))));
    }
    std::string run(
        const std::string& statement, const std::string& params = "[]", const std::string& key = ""
    ) {
        return run(request(statement, params, key));
    }

    PgUnderTest db_;
    WorkerId worker_ = db_.worker();
    RunId run_ = db_.run(worker_);
    int keys_ = 0;
    pg::Pool pool_{db_.loop().context().get_executor(), sql_pool(db_.database().url())};
    store::SqlSteps steps_{pool_, "", true};
};

// A login that is let in for the tenant, and goes with this.
class Login {
public:
    Login(Session& session, std::string name, const std::string& tenant = "default")
        : session_(session), name_(std::move(name)) {
        session_.script("create role " + name_ + " login");
        session_.script("select pawl.allow_sql_role('" + name_ + "', '" + tenant + "')");
    }
    ~Login() { session_.script("drop owned by " + name_ + "; drop role " + name_); }
    Login(const Login&) = delete;
    Login& operator=(const Login&) = delete;

private:
    Session& session_;
    std::string name_;
};

}  // namespace pawl::test
