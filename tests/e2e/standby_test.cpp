#include "base/json.hpp"
#include "cli_program.hpp"
#include "http/client.hpp"
#include "support/database.hpp"
#include "support/process.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <csignal>
#include <regex>

// A server and the doctor on a standby, as the login that the manual gives them.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

struct Answer {
    int status = 0;
    std::string body;
};

Answer get(const std::string& url, const std::string& key = "") {
    Loop loop;
    http::Client client(loop.context().get_executor());
    http::Request request;
    request.url = url;
    request.trusted = true;
    if (!key.empty()) request.headers = {{"Authorization", "Bearer " + key}};
    const auto outcome = loop.run(client.send(std::move(request)));
    return outcome ? Answer{outcome->status, outcome->body} : Answer{};
}

std::size_t count(const std::string& text, const std::string& piece) {
    std::size_t found = 0;
    for (auto at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
        ++found;
    }
    return found;
}

// One pair for all tests: to make it takes seconds.
struct Pair {
    Pair() {
        const Env env{{"DATABASE_URL", primary.url()}};
        EXPECT_EQ(pawl({{"migrate", "up"}, env, ""}).code, 0);
        Session session(primary.url());
        session.script(
            "create role pawl_app login;"
            "grant pawl_worker, pawl_api, worker_service_user to pawl_app"
        );
        const auto made =
            pawl({{"keys", "create", "--name", "k", "--scope", "admin", "-o", "json"}, env, ""});
        key = std::string(json::parse(made.out).at("key").as_string());
        standby = std::make_unique<DurableCluster>(primary.host());
    }

    DurableCluster primary;
    std::unique_ptr<DurableCluster> standby;
    std::string key;
};

class Standby : public testing::Test {
protected:
    // NOLINTNEXTLINE(readability-identifier-naming)
    static void SetUpTestSuite() { pair = std::make_unique<Pair>(); }
    // NOLINTNEXTLINE(readability-identifier-naming)
    static void TearDownTestSuite() { pair.reset(); }

    static std::string url() { return pair->standby->url_as("pawl_app"); }

    static std::string url_of(const Program& at) {
        std::smatch found;
        const std::string log = at.err();
        const bool said = std::regex_search(log, found, std::regex("url=(http://[^ \n]+)"));
        return said ? found[1].str() : "";
    }

    static std::unique_ptr<Pair> pair;
};

std::unique_ptr<Pair> Standby::pair;

TEST_F(Standby, ReadsAreAnsweredAndNothingElseIsPromised) {
    Program server(
        {{"serve", "--no-worker", "--listen", "127.0.0.1:0"}, {{"DATABASE_URL", url()}}, ""}
    );
    ASSERT_TRUE(eventually([&] { return !url_of(server).empty(); })) << server.err();
    const std::string at = url_of(server);
    // The key was never used on the primary, and cannot be marked as used here.
    EXPECT_EQ(get(at + "/v1/runs", pair->key).status, 200) << server.err();
    EXPECT_EQ(get(at + "/v1/workflows", pair->key).status, 200) << server.err();
    const Answer ready = get(at + "/readyz");
    EXPECT_EQ(ready.status, 503);
    EXPECT_NE(ready.body.find("takes no writes"), std::string::npos) << ready.body;
    // Several tries to listen later there is still one line about it.
    Session session(pair->standby->url());
    const auto tries = [&] {
        return std::stoi(
            session.value("select sessions::text from pg_stat_database where datname = 'postgres'")
        );
    };
    const int before = tries();
    EXPECT_TRUE(eventually([&] { return tries() >= before + 5; })) << server.err();
    EXPECT_EQ(count(server.err(), "listening for wake-ups failed"), 1u) << server.err();
    // One line of the runner of jobs, one of the runner of audiences.
    EXPECT_EQ(count(server.err(), "jobs could not be processed"), 2u) << server.err();
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0) << server.err();
}

TEST_F(Standby, TheDoctorSaysWhatItIs) {
    const auto asked = pawl({{"doctor", "-o", "json"}, {{"DATABASE_URL", url()}}, ""});
    EXPECT_EQ(asked.code, 1) << asked.err;
    bool said = false;
    const json::value findings = json::parse(asked.out);
    for (const auto& finding : findings.as_array()) {
        const std::string detail(finding.at("detail").as_string());
        const std::string verdict(finding.at("verdict").as_string());
        const bool standby = detail.find("this is a standby") != std::string::npos;
        said = said || standby;
        EXPECT_TRUE(verdict != "fail" || standby) << json::serialize(finding);
        EXPECT_EQ(detail.find("permission denied"), std::string::npos) << json::serialize(finding);
    }
    EXPECT_TRUE(said) << asked.out;
}

TEST_F(Standby, TheDoctorOnThePrimaryFindsNothingToForbid) {
    const Env env{{"DATABASE_URL", pair->primary.url_as("pawl_app")}};
    const auto asked = pawl({{"doctor", "-o", "json"}, env, ""});
    EXPECT_EQ(asked.code, 0) << asked.out << asked.err;
    EXPECT_EQ(asked.out.find("permission denied"), std::string::npos) << asked.out;
}

// What a full disk answers to a write.
TEST_F(Standby, TheDoctorKnowsAFullDisk) {
    Session session(pair->primary.url());
    session.script(
        "create function disk_is_full() returns trigger language plpgsql as $$ begin"
        " raise exception 'could not extend file: No space left on device'"
        " using errcode = 'disk_full'; end $$;"
        "create trigger disk_is_full before insert on pawl.worker for each statement"
        " execute function disk_is_full()"
    );
    const Env env{{"DATABASE_URL", pair->primary.url_as("pawl_app")}};
    const auto asked = pawl({{"doctor", "-o", "json"}, env, ""});
    session.script("drop function disk_is_full cascade");
    EXPECT_EQ(asked.code, 1) << asked.err;
    const json::value findings = json::parse(asked.out);
    for (const auto& finding : findings.as_array()) {
        if (finding.at("verdict").as_string() != "fail") continue;
        const std::string next(finding.at("next").as_string());
        EXPECT_NE(next.find("disk is full"), std::string::npos) << json::serialize(finding);
    }
}

}  // namespace
}  // namespace pawl::test
