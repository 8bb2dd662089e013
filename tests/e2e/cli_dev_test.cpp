#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class CliDev : public testing::Test {
protected:
    CliDev() {
        dir_.file(
            "workflows/hello.yaml",
            "name: hello\nsteps: [{name: greet, code: echo, input: {text: hi}}]\n"
        );
        dir_.file("workflows/other.yaml", "on: push\n");
    }
    // Whatever went wrong: leave no server behind.
    void TearDown() override {  // NOLINT(readability-identifier-naming)
        if (const pid_t left = server(); left > 1) ::kill(left, SIGQUIT);
        eventually([this] { return server() == 0; });
    }

    std::vector<std::string> args() const {
        return {"dev", "--data-dir", data().string(), "--listen", "127.0.0.1:0"};
    }
    fs::path data() const { return dir_.path() / "state"; }
    fs::path env_file() const { return data() / "dev.env"; }
    pid_t server() const { return find_process((data() / "postgres/data").string()); }

    std::string variable(const std::string& name) const {
        std::ifstream in(env_file());
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
        }
        return "";
    }
    struct Stat {
        std::string state;  // empty: there is no such process
        pid_t parent = 0;
    };
    // "number (name) state parent ...", and a name may hold anything.
    static Stat stat_of(const fs::path& process) {
        std::ifstream in(process / "stat");
        std::string text;
        std::getline(in, text);
        const auto name_end = text.rfind(')');
        Stat stat;
        if (name_end == std::string::npos) return stat;
        std::istringstream rest(text.substr(name_end + 1));
        rest >> stat.state >> stat.parent;
        return stat;
    }
    static bool is_over(pid_t process) {
        const Stat stat = stat_of("/proc/" + std::to_string(process));
        return stat.state.empty() || stat.state == "Z" || stat.state == "X";
    }
    // The server and everything that it has started.
    static std::vector<pid_t> family(pid_t parent) {
        std::vector<pid_t> all{parent};
        for (const auto& entry : fs::directory_iterator("/proc")) {
            if (stat_of(entry.path()).parent != parent) continue;
            all.push_back(std::stoi(entry.path().filename()));
        }
        return all;
    }
    void await_ready(Program& program) const {
        const bool ready = eventually(
            [&] { return fs::exists(env_file()) || !program.running(); }, std::chrono::seconds(60)
        );
        ASSERT_TRUE(ready && program.running()) << program.err();
        EXPECT_EQ(http_status(variable("PAWL_URL") + "/readyz"), 200);
    }

    TempDir dir_;
};

TEST_F(CliDev, StartsServesAndLeavesNothingBehind) {
    Program program({args()}, dir_.path());
    await_ready(program);
    struct stat info {};
    ASSERT_EQ(::stat(env_file().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    EXPECT_TRUE(
        std::regex_match(variable("PAWL_API_KEY"), std::regex("pawl_[a-z2-7]{8}_[A-Za-z0-9_-]{43}"))
    );
    EXPECT_TRUE(eventually([&] { return program.out().find("Ctrl-C") != std::string::npos; }));
    EXPECT_NE(program.out().find(variable("PAWL_URL")), std::string::npos);
    EXPECT_NE(program.out().find(variable("DATABASE_URL")), std::string::npos);
    EXPECT_NE(program.err().find("other.yaml"), std::string::npos) << "no word about a bad file";

    const Env env{{"DATABASE_URL", variable("DATABASE_URL")}};
    EXPECT_EQ(pawl({{"run", "hello", "--wait"}, env}).code, 0);
    EXPECT_EQ(pawl({{"doctor"}, env}).code, 0);

    const auto second = pawl({args()}, dir_.path());
    EXPECT_EQ(second.code, 8);
    EXPECT_NE(second.err.find("already runs"), std::string::npos) << second.err;
    EXPECT_TRUE(fs::exists(env_file()));

    EXPECT_NE(server(), 0);
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(server(), 0);
    EXPECT_FALSE(fs::exists(env_file()));
}

TEST_F(CliDev, EndsInTimeThoughItsDatabaseIsFrozen) {
    Program program({args()}, dir_.path());
    await_ready(program);
    const auto frozen = family(server());
    EXPECT_GT(frozen.size(), 5u);
    for (const pid_t one : frozen) ::kill(one, SIGSTOP);
    const auto asked = Steady::now();
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0) << program.err();
    EXPECT_LT(Steady::now() - asked, std::chrono::seconds(10)) << program.err();
    EXPECT_EQ(server(), 0);
    for (const pid_t one : frozen) {
        EXPECT_TRUE(eventually([one] { return is_over(one); })) << one << " is still there";
    }
}

TEST_F(CliDev, PublishesWhatIsSavedAndGoesOnWhenThatIsWrong) {
    auto words = args();
    words.insert(words.end(), {"--watch", "workflows"});
    dir_.file("workflows/billing/below.yaml", "name: below\nsteps: [{name: x, code: echo}]\n");
    Program program({words}, dir_.path());
    await_ready(program);
    const Env env{{"DATABASE_URL", variable("DATABASE_URL")}};
    const auto says = [&](const std::string& text) {
        return eventually([&] { return program.err().find(text) != std::string::npos; });
    };
    dir_.file("workflows/wrong.yaml", "name: wrong\nsteps: [{name: x, code: [1]}]\n");
    EXPECT_TRUE(says("wrong.yaml: line 2")) << program.err();
    dir_.file("workflows/late.yaml", "name: late\nsteps: [{name: greet, code: echo}]\n");
    EXPECT_TRUE(says("workflow=late version=1")) << program.err();
    // As editors do it: a file of another name is put in its place.
    const std::string draft =
        dir_.file("late.new", "name: late\nsteps: [{name: greet, wait: 1ms}]\n");
    fs::rename(draft, dir_.path() / "workflows/late.yaml");
    EXPECT_TRUE(says("workflow=late version=2")) << program.err();
    EXPECT_EQ(pawl({{"run", "late", "--wait"}, env}).code, 0);
    EXPECT_EQ(pawl({{"run", "below", "--wait"}, env}).code, 0);
    dir_.file("workflows/billing/below.yaml", "name: below\nsteps: [{name: x, wait: 1ms}]\n");
    EXPECT_TRUE(says("workflow=below version=2")) << program.err();
    dir_.file("workflows/new/deep/fresh.yaml", "name: fresh\nsteps: [{name: x, code: echo}]\n");
    EXPECT_TRUE(says("workflow=fresh version=1")) << program.err();
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
    words.back() = "nowhere";
    EXPECT_EQ(pawl({words}, dir_.path()).code, 2);
}

// The login is called as the schema, and "$user" would lead all users' tables there.
TEST_F(CliDev, TablesOfItsUserAreInPublic) {
    Program program({args()}, dir_.path());
    await_ready(program);
    Session session(variable("DATABASE_URL"));
    EXPECT_EQ(session.value("show search_path"), "public");
    session.script("create table orders (id int)");
    EXPECT_EQ(
        session.value("select relnamespace::regnamespace::text from pg_class where relname = "
                      "'orders'"),
        "public"
    );
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
}

TEST_F(CliDev, APortThatIsTakenIsSaidBeforeAnythingIsMade) {
    asio::io_context loop;
    asio::ip::tcp::acceptor taken(loop, {asio::ip::make_address("127.0.0.1"), 0});
    const int port = taken.local_endpoint().port();
    const std::string listen = fmt::format("127.0.0.1:{}", port);
    const auto outcome = pawl({{"dev", "--data-dir", data().string(), "--listen", listen}});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("another process already listens on " + listen), std::string::npos)
        << outcome.err;
    const std::string next = fmt::format("--listen 127.0.0.1:{}", port + 1);
    EXPECT_NE(outcome.err.find(next), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(data()));
}

TEST_F(CliDev, ItsKeyIsInTheDatabase) {
    dir_.file("state/api_key", "pawl_" + std::string(64, 'a') + "\n");  // the form of release 0.1
    std::string first;
    for (int start = 0; start < 2; ++start) {
        Program program({args()}, dir_.path());
        await_ready(program);
        const std::string key = variable("PAWL_API_KEY");
        ASSERT_EQ(key.size(), 57u) << key;
        EXPECT_TRUE(start == 0 || key == first);
        first = key;
        const Env env{{"DATABASE_URL", variable("DATABASE_URL")}};
        const auto listed = pawl({{"keys", "list", "-o", "json"}, env});
        const auto keys = parse_json(listed.out).value();
        ASSERT_EQ(keys.as_array().size(), 1u) << listed.out;
        const auto& only = keys.as_array().at(0).as_object();
        EXPECT_EQ(only.at("prefix").as_string(), key.substr(0, 13));
        EXPECT_EQ(only.at("scopes").as_array().at(0).as_string(), "admin");
        if (start == 1) EXPECT_EQ(pawl({{"keys", "revoke", key}, env}).code, 0);
        program.signal(SIGTERM);
        EXPECT_EQ(program.wait(), 0);
    }
    Program program({args()}, dir_.path());
    await_ready(program);
    EXPECT_NE(variable("PAWL_API_KEY"), first) << "a revoked key must make way";
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
}

TEST_F(CliDev, SurvivesKill9) {
    std::string key;
    std::string run;
    {
        Program program({args()}, dir_.path());
        await_ready(program);
        key = variable("PAWL_API_KEY");
        const Env env{{"DATABASE_URL", variable("DATABASE_URL")}};
        run = pawl({{"run", "hello", "--wait", "-o", "json"}, env}).out;
        program.signal(SIGKILL);
        program.wait();
    }
    Program program({args()}, dir_.path());
    // The old file must not be taken for the new one.
    ASSERT_TRUE(eventually([&] { return program.out().find("Ctrl-C") != std::string::npos; }))
        << program.err();
    await_ready(program);
    EXPECT_EQ(variable("PAWL_API_KEY"), key);
    const std::string id(find(parse_json(run).value(), "id")->as_string());
    const Env env{{"DATABASE_URL", variable("DATABASE_URL")}};
    EXPECT_EQ(pawl({{"runs", "show", id}, env}).code, 0);
    program.signal(SIGINT);
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(server(), 0);
}

TEST_F(CliDev, SurvivesAKilledServerAndAReusedProcessId) {
    {
        Program program({args()}, dir_.path());
        await_ready(program);
        const pid_t running = server();
        // Zero would be our own process group.
        ASSERT_GT(running, 1);
        ::kill(running, SIGKILL);
        program.signal(SIGKILL);
        program.wait();
    }
    // The number in the stale file now belongs to another process: to this test.
    const fs::path pid_file = data() / "postgres/data/postmaster.pid";
    ASSERT_TRUE(fs::exists(pid_file));
    std::ifstream in(pid_file);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    text.replace(0, text.find('\n'), std::to_string(::getpid()));
    std::ofstream(pid_file) << text;
    fs::remove(env_file());
    Program program({args()}, dir_.path());
    await_ready(program);
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
}

TEST_F(CliDev, RefusesANamedFolderWithABadDefinition) {
    auto call = args();
    call.insert(call.end(), {"--workflows", (dir_.path() / "workflows").string()});
    const auto outcome = pawl({call}, dir_.path());
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("other.yaml"), std::string::npos) << outcome.err;
    EXPECT_EQ(server(), 0);
}

TEST_F(CliDev, SaysWhenThereIsNoServerToStart) {
    const auto outcome = pawl({args(), {{"PAWL_PG_BIN", "/nowhere"}}}, dir_.path());
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("PAWL_PG_BIN"), std::string::npos) << outcome.err;
}

TEST_F(CliDev, RefusesADataDirectoryThatIsAFile) {
    const std::string file = dir_.file("plain", "x");
    const auto outcome = pawl({{"dev", "--data-dir", file, "--listen", "127.0.0.1:0"}});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST_F(CliDev, EphemeralKeepsNothing) {
    Program program({{"dev", "--ephemeral", "--listen", "127.0.0.1:0", "-o", "json"}}, dir_.path());
    ASSERT_TRUE(eventually([&] { return program.out().ends_with("}\n"); })) << program.err();
    const std::string dir(find(parse_json(program.out()).value(), "data_dir")->as_string());
    EXPECT_TRUE(fs::exists(fs::path(dir) / "dev.env"));
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
    EXPECT_FALSE(fs::exists(dir));
    EXPECT_EQ(find_process(dir), 0);
}

}  // namespace
}  // namespace pawl::test
