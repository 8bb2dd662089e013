#include "steps/condition_step.hpp"
#include "store/under_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class ConditionPg : public ::testing::Test {
protected:
    void SetUp() override {
        script(
            "create table customers (id int primary key, name text, city varchar(3), score "
            "numeric, "
            "vip boolean, born date, seen timestamptz, tags text[], data jsonb, \"Odd Name\" text);"
            "insert into customers values (1, 'Ann', 'Ulm', 7.5, true, '2000-02-29', "
            "'2024-05-01 10:00+02', '{a,b}', '{\"plan\": \"pro\", \"ids\": [1, 2]}', 'x');"
            "insert into customers (id, name) values (2, null);"
            "create table orders (customer int, total int);"
            "insert into orders values (1, 10), (1, 20), (2, 5);"
            "select pawl.allow_condition_table('public.customers', 'id');"
            "select pawl.allow_condition_table('orders', 'customer')"
        );
    }
    void script(const std::string& sql) { db_.database().session().script(sql); }
    std::string value(const std::string& sql) { return db_.database().session().value(sql); }

    std::string ask(const json::value& config, const std::string& subject = "1") {
        steps::StepRequest request;
        request.type = NodeType::condition;
        request.tenant = tenant_;
        request.subject = subject;
        request.config = config.as_object();
        request.context = json::object{{"input.total", 100}};
        request.timeout = 10s;
        request.now = parse_rfc3339("2024-05-11T08:00:00Z").value();
        const auto outcome = db_.loop().run(steps::ask_condition(steps_, std::move(request)));
        if (!outcome.error) return json::serialize(outcome.result.at("result"));
        last_message_ = outcome.error->message;
        return fmt::format("{} {}", name(outcome.error->error_class), outcome.error->code);
    }
    // One query of customers.
    std::string ask(
        const std::string& field,
        const std::string& operation,
        const std::string& expected = "null",
        const std::string& subject = "1"
    ) {
        const json::object query{
            {"table", "customers"},
            {"field", field},
            {"operator", operation},
            {"value", json::parse(expected)}};
        return ask(json::object{{"query", query}}, subject);
    }
    static pg::PoolOptions options(const std::string& url) {
        pg::PoolOptions options;
        options.connect.conninfo = url;
        options.connect.prepare = false;
        return options;
    }

    PgUnderTest db_;
    std::int32_t tenant_ = 1;
    std::string last_message_;
    pg::Pool pool_{db_.loop().context().get_executor(), options(db_.database().url())};
    store::SqlSteps steps_{pool_, ""};
};

TEST_F(ConditionPg, EveryOperator) {
    const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
        {"name", "=", R"("Ann")", "true"},
        {"name", "=", R"("ann")", "false"},
        {"name", "!=", R"("Ben")", "true"},
        {"score", "=", "7.5", "true"},
        {"score", "=", R"("7.50")", "true"},
        {"score", "<", "8", "true"},
        {"score", "<=", "7.5", "true"},
        {"score", ">", "7.5", "false"},
        {"score", ">=", "7.5", "true"},
        {"vip", "=", "true", "true"},
        {"city", "=", R"("Ulm")", "true"},
        {"city", "=", R"("Ulmen")", "false"},
        {"id", "in", "[3, 2, 1]", "true"},
        {"id", "in", "[]", "false"},
        {"id", "not in", "[2, 3]", "true"},
        {"name", "in", R"(["Ben", "Ann"])", "true"},
        {"name", "contains", R"("nn")", "true"},
        {"name", "contains", R"("%")", "false"},
        {"tags", "contains", R"("b")", "true"},
        {"tags", "contains", R"("c")", "false"},
        {"data", "contains", R"({"plan": "pro"})", "true"},
        {"data", "contains", R"({"ids": [2]})", "true"},
        {"name", "starts with", R"("An")", "true"},
        {"name", "starts with", R"("nn")", "false"},
        {"name", "matches", R"("^A.n$")", "true"},
        {"name", "matches", R"("^B")", "false"},
        {"name", "exists", "null", "true"},
        {"name", "not exists", "null", "false"},
        {"score", "between", "[7, 8]", "true"},
        {"score", "between", "[8, 9]", "false"},
        {"born", "between", R"(["2000-01-01", "2000-12-31"])", "true"},
        {"born", "before", R"("2000-03-01T00:00:00Z")", "true"},
        {"born", "after", R"("2000-03-01T00:00:00Z")", "false"},
        {"seen", "after", R"("2024-05-01T07:59:59Z")", "true"},
        {"seen", "after", R"("2024-05-01T08:00:00Z")", "false"},
        {"seen", "older_than", R"("9d")", "true"},
        {"seen", "older than", R"("10d")", "false"},
        {"seen", "within_last", R"("10d")", "true"},
        {"seen", "within last", R"("9d")", "false"},
        {"born", "older_than", R"("1000d")", "true"},
        {"name", "is_null", "null", "false"},
        {"name", "is_not_null", "null", "true"},
    };
    for (const auto& [field, operation, expected, answer] : cases) {
        EXPECT_EQ(ask(field, operation, expected), answer)
            << field << " " << operation << " " << expected << ": " << last_message_;
    }
}

TEST_F(ConditionPg, APatternThatPostgresWouldTryForLongIsRefused) {
    EXPECT_EQ(ask("name", "matches", R"("((a*)*)*b")"), "false");
    EXPECT_EQ(ask("name", "matches", R"("(a*)\\1")"), "permanent condition");
    EXPECT_EQ(ask("name", "matches", R"("(")"), "permanent condition");
}

TEST_F(ConditionPg, WhatIsNotThereIsNull) {
    EXPECT_EQ(ask("name", "exists", "null", "2"), "false");
    EXPECT_EQ(ask("name", "=", "null", "2"), "true");
    EXPECT_EQ(ask("name", "!=", "null", "2"), "false");
    EXPECT_EQ(ask("name", "!=", R"("Ann")", "2"), "true");
    EXPECT_EQ(ask("name", "not in", R"(["Ann"])", "2"), "true");
    EXPECT_EQ(ask("name", "exists", "null", "99"), "false");
    EXPECT_EQ(ask("name", "not exists", "null", "99"), "true");
    EXPECT_EQ(ask("name", "!=", R"("Ann")", "99"), "true");
    EXPECT_EQ(ask("score", "<", "100", "99"), "false");
}

TEST_F(ConditionPg, OneOfSeveralRowsIsEnough) {
    const auto orders = [this](const std::string& operation, const std::string& expected) {
        const json::object query{
            {"table", "public.orders"},
            {"field", "total"},
            {"operator", operation},
            {"value", json::parse(expected)}};
        return ask(json::object{{"query", query}});
    };
    EXPECT_EQ(orders(">", "15"), "true");
    EXPECT_EQ(orders(">", "20"), "false");
    EXPECT_EQ(orders("!=", "10"), "false") << "one of them is 10";
    EXPECT_EQ(orders("!=", "5"), "true") << "that one is another customer's";
}

TEST_F(ConditionPg, QueriesStandAmongOtherConditions) {
    const auto test = [](const std::string& text) { return json::parse(text); };
    const std::string pro =
        R"({"query": {"table": "customers", "field": "score", "operator": ">", "value": 7}})";
    const std::string poor =
        R"({"query": {"table": "customers", "field": "score", "operator": "<", "value": 7}})";
    const std::string large = R"({"path": "input.total", "operator": ">", "value": 50})";
    const std::string absent = R"({"path": "input.none", "operator": "exists"})";
    EXPECT_EQ(ask(test(R"({"all": [)" + pro + "," + large + "]}")), "true");
    EXPECT_EQ(ask(test(R"({"all": [)" + poor + "," + large + "]}")), "false");
    EXPECT_EQ(ask(test(R"({"any": [)" + poor + "," + absent + "]}")), "false");
    EXPECT_EQ(ask(test(R"({"any": [)" + poor + "," + absent + "," + pro + "]}")), "true");
    EXPECT_EQ(ask(test(R"({"not": )" + poor + "}")), "true");
}

TEST_F(ConditionPg, AnotherColumnCanHoldTheSubject) {
    const json::object query{
        {"table", "customers"},
        {"field", "id"},
        {"operator", "="},
        {"value", 1},
        {"subject_field", "name"}};
    EXPECT_EQ(ask(json::object{{"query", query}}, "Ann"), "true");
    EXPECT_EQ(ask(json::object{{"query", query}}, "Ben"), "false");
}

TEST_F(ConditionPg, OnlyTablesThatWereAllowed) {
    const auto table = [this](const std::string& name) {
        const json::object query{{"table", name}, {"field", "id"}, {"operator", "exists"}};
        return ask(json::object{{"query", query}});
    };
    EXPECT_EQ(table("customers"), "true");
    EXPECT_EQ(table("public.customers"), "true");
    script("create table secrets (id int); insert into secrets values (1)");
    EXPECT_EQ(table("secrets"), "permanent condition");
    EXPECT_NE(last_message_.find("pawl.allow_condition_table('public.secrets'"), std::string::npos)
        << last_message_;
    EXPECT_EQ(table("pawl.api_key"), "permanent condition");
    EXPECT_EQ(table("pg_catalog.pg_authid"), "permanent condition");
    EXPECT_EQ(value("select pawl.forbid_condition_table('customers')::text"), "true");
    EXPECT_EQ(value("select pawl.forbid_condition_table('customers')::text"), "false");
    EXPECT_EQ(table("customers"), "permanent condition");
}

TEST_F(ConditionPg, ATableForOneTenantAndSomeColumns) {
    script("insert into pawl.tenant (name) values ('acme')");
    script("select pawl.forbid_condition_table('customers')");
    script("select pawl.allow_condition_table('customers', 'id', '{score}', 'acme')");
    EXPECT_EQ(ask("score", "=", "7.5"), "permanent condition") << "another tenant";
    tenant_ = std::stoi(value("select id::text from pawl.tenant where name = 'acme'"));
    EXPECT_EQ(ask("score", "=", "7.5"), "true");
    EXPECT_EQ(ask("id", "=", "1"), "true") << "the subject itself";
    EXPECT_EQ(ask("name", "=", R"("Ann")"), "permanent condition");
    const json::object query{
        {"table", "customers"},
        {"field", "score"},
        {"operator", "exists"},
        {"subject_field", "name"}};
    EXPECT_EQ(ask(json::object{{"query", query}}, "Ann"), "permanent condition");
}

// A login of a tenant learns what its tenant may ask, whatever number it gives.
TEST_F(ConditionPg, ALoginAsksForItsOwnTenant) {
    script("insert into pawl.tenant (name) values ('acme'), ('rival')");
    script("select pawl.allow_condition_table('orders', 'customer', '{total}', 'acme')");
    script("select pawl.allow_condition_table('customers', 'id', null, 'rival')");
    script("select pawl.forbid_condition_table('customers')");
    script("create role pawl_test_asks login; select pawl.allow_sql_role('pawl_test_asks', 'acme')"
    );
    script("grant select on customers, orders to pawl_test_asks");
    {
        Session login(db_.database().url() + "&user=pawl_test_asks");
        EXPECT_EQ(
            login.value("select string_agg(table_name || ' ' || (tenant > 0), ', ' order by 1) "
                        "from pawl.condition_table"),
            "orders false, orders true"
        );
        const std::string rival = value("select id::text from pawl.tenant where name = 'rival'");
        const std::string asked =
            "select pawl.check_condition(" + rival + ", 'customers', 'id', '=', '1', '1', null)";
        EXPECT_EQ(login.refusal(asked).sqlstate, "PW010");
        const std::string other =
            "select pawl.check_condition(" + rival + ", 'orders', 'total', '=', '10', '1', null)";
        EXPECT_EQ(login.value("select (" + other + ")::text"), "true");
    }
    script("drop owned by pawl_test_asks; drop role pawl_test_asks");
}

TEST_F(ConditionPg, AllowingIsChecked) {
    const auto refused = [this](const std::string& arguments) {
        try {
            script("select pawl.allow_condition_table(" + arguments + ")");
        } catch (const Failure& failure) {
            return failure.error().message;
        }
        return std::string("allowed");
    };
    EXPECT_EQ(refused("'nope', 'id'"), "there is no table public.nope");
    EXPECT_EQ(refused("'customers', 'nope'"), "public.customers has no column 'nope'");
    EXPECT_EQ(refused("'customers', 'id', '{a}'"), "public.customers has no column 'a'");
    EXPECT_EQ(refused("'customers', 'id', null, 'unknown'"), "there is no tenant 'unknown'");
    EXPECT_EQ(refused("'a.b.c', 'id'"), "write a table as \"schema.table\"");
    EXPECT_EQ(refused("'\"open', 'id'"), "'\"open' is not the name of a table");
    EXPECT_EQ(refused("'customers', 'ctid'"), "public.customers has no column 'ctid'");
    EXPECT_EQ(refused("'public.\"customers\"', 'name'"), "allowed");
}

// What the reader of conditions lets through is not the only guard.
TEST_F(ConditionPg, NamesAndOperatorsAreNeverSql) {
    const char* attacks[] = {
        "id\" is not null or true --",
        "id\" = 1; drop table customers; --",
        "'; drop table customers; --",
        "id = 1 or 1",
        "(select 1)",
        "customers, pg_shadow",
        "id::text",
        "*",
        "",
        "%I",
        "$1",
        "\\",
        "id\"\"",
    };
    const auto try_ask = [this](store::ConditionQuery query, const std::string& subject) {
        store::ConditionQueries asked;
        asked.subject = subject;
        asked.queries.push_back(std::move(query));
        try {
            const auto answers = db_.loop().run(steps_.ask(std::move(asked)));
            return std::string(answers[0] ? "true" : "false");
        } catch (const Failure& failure) {
            for (const auto& [key, text] : failure.error().context) {
                if (key == "sqlstate") return text;
            }
            return std::string(failure.what());
        }
    };
    const store::ConditionQuery fine{"customers", "name", "=", "Ann", std::nullopt};
    EXPECT_EQ(try_ask(fine, "1"), "true");
    EXPECT_EQ(try_ask({"customers", "Odd Name", "=", "x", std::nullopt}, "1"), "true");
    for (const char* attack : attacks) {
        auto query = fine;
        query.table = attack;
        EXPECT_EQ(try_ask(query, "1"), "PW010") << attack;
        query = fine;
        query.field = attack;
        EXPECT_EQ(try_ask(query, "1"), "PW011") << attack;
        query = fine;
        query.subject_field = attack;
        EXPECT_EQ(try_ask(query, "1"), "PW011") << attack;
        query = fine;
        query.operation = attack;
        EXPECT_EQ(try_ask(query, "1"), "PW012") << attack;
        query = fine;
        query.value = attack;
        EXPECT_EQ(try_ask(query, "1"), "false") << attack;
        EXPECT_EQ(try_ask(fine, attack), "22P02") << attack;
        query = fine;
        query.subject_field = "name";
        EXPECT_EQ(try_ask(query, attack), "false") << attack;
    }
    for (const char* word : {"<>", "is", "like", "= any", "or", "=;", "OR 1=1", "!~"}) {
        auto query = fine;
        query.operation = word;
        EXPECT_EQ(try_ask(query, "1"), "PW012") << word;
    }
    EXPECT_EQ(value("select count(*)::text from customers"), "2");
}

TEST_F(ConditionPg, AConditionCannotWrite) {
    script(
        "create table log (n int);"
        "create function noted() returns int language sql volatile as "
        "'insert into public.log values (1) returning 1';"
        "create view spy as select id, noted() as n from customers;"
        "select pawl.allow_condition_table('spy', 'id')"
    );
    const json::object query{{"table", "spy"}, {"field", "n"}, {"operator", "="}, {"value", 1}};
    EXPECT_EQ(ask(json::object{{"query", query}}), "permanent sql.25006");
    EXPECT_EQ(value("select count(*)::text from log"), "0");
}

TEST_F(ConditionPg, ASlowOneIsStopped) {
    script(
        "create view slow as select id, pg_sleep(30)::text as n from customers;"
        "select pawl.allow_condition_table('slow', 'id')"
    );
    const json::object query{{"table", "slow"}, {"field", "n"}, {"operator", "exists"}};
    const auto begun = Steady::now();
    EXPECT_EQ(ask(json::object{{"query", query}}), "retryable timeout");
    EXPECT_LT(Steady::now() - begun, 5s);
}

TEST_F(ConditionPg, OperatorsOfExtensionsCount) {
    script(
        "create extension citext; create table people (id int, mail citext);"
        "insert into people values (1, 'Ann@Example.org');"
        "select pawl.allow_condition_table('people', 'id')"
    );
    const json::object query{
        {"table", "people"}, {"field", "mail"}, {"operator", "="}, {"value", "ann@example.ORG"}};
    EXPECT_EQ(ask(json::object{{"query", query}}), "true");
}

TEST_F(ConditionPg, ErrorsSayWhatToDo) {
    EXPECT_EQ(ask("score", ">", R"("many")"), "permanent sql.22P02");
    EXPECT_EQ(ask("name", "=", R"("Ann")", ""), "permanent condition");
    EXPECT_EQ(
        last_message_,
        "the condition asks about the run's subject, and the run was started without one"
    );
    EXPECT_EQ(ask("nope", "exists", "null"), "permanent condition");
    EXPECT_EQ(last_message_, "the table public.customers has no column 'nope'");
}

TEST_F(ConditionPg, ManyQueriesCostOneRoundTrip) {
    json::array all;
    for (int i = 0; i < 50; ++i) {
        const json::object query{
            {"table", "customers"}, {"field", "id"}, {"operator", "="}, {"value", 1}};
        all.push_back(json::object{{"query", query}});
    }
    EXPECT_EQ(ask(json::object{{"all", all}}), "true");
    EXPECT_EQ(pool_.open(), 1U);
}

}  // namespace
}  // namespace pawl::test
