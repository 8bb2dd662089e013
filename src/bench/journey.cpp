#include "app/tenants/auth_key.hpp"
#include "base/json.hpp"
#include "base/sha256.hpp"
#include "base/webhook_secret.hpp"
#include "bench/bench_texts.gen.hpp"
#include "bench/child.hpp"
#include "bench/http_caller.hpp"
#include "bench/http_load.hpp"
#include "bench/meter.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "engine/async/gate.hpp"
#include "model/definition.hpp"
#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/api_keys.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pawl::bench {

namespace {

constexpr Duration patience = std::chrono::minutes(30);
constexpr Duration statement_limit = std::chrono::minutes(5);
constexpr std::int32_t enter_at_once = 20'000;
// Half of them wait while the facts of the others are written: with fewer, the time of a commit is
// what is measured.
constexpr int hook_connections = 512;

constexpr const char* journey = R"(
name: bench_journey
person: true
nodes:
  - {id: entered, type: trigger}
  - {id: gold, type: condition, config: {path: user.tier, operator: in, value: [gold, platinum]}}
  - id: hello
    message:
      channel: webhook
      category: transactional
      text: "Hi {{ user.first_name }}, {{ trigger.amount }} points"
edges:
  - {from: entered, to: gold}
  - {from: gold, to: hello, handle: "true"}
)";

// A port that is free, at least now.
std::uint16_t free_port() {
    asio::io_context loop(1);
    asio::ip::tcp::acceptor acceptor(loop, {asio::ip::make_address("127.0.0.1"), 0});
    return acceptor.local_endpoint().port();
}

struct Account {
    std::string key;  // of the API
    std::string secret;
    std::string send_to;
    std::string hook_path;
};

// CPU seconds of the processes.
struct Usage {
    double server = 0;
    double sandbox = 0;
    double postgres = 0;
};

Usage operator-(const Usage& a, const Usage& b) {
    return {a.server - b.server, a.sandbox - b.sandbox, a.postgres - b.postgres};
}

// Microseconds for each of so many.
void tell(json::object& report, const std::string& what, const Usage& used, double many) {
    const auto part = [many](double seconds) { return many > 0 ? 1e6 * seconds / many : 0.0; };
    report["cpu_us_per_" + what + "_server"] = part(used.server);
    report["cpu_us_per_" + what + "_postgres"] = part(used.postgres);
    report["cpu_us_per_" + what + "_sandbox"] = part(used.sandbox);
}

// What is measured, and with what.
struct Course {
    pg::ConnectOptions connect;
    std::string server_url;
    std::string sandbox_url;
    std::int32_t people = 0;
    Progress progress;
    Account account;
    int server = 0;  // processes
    int sandbox = 0;
    double entered_s = 0;
    double sent_s = 0;
    std::int64_t provider_got = 0;
    std::int64_t not_sent = 0;
    Usage sending;
    std::vector<std::pair<std::string, std::string>> messages;  // id, external id
};

asio::awaitable<void> pause_for(std::chrono::milliseconds time) {
    engine::Gate gate(co_await asio::this_coro::executor);
    co_await gate.wait(Steady::now() + time);
}

asio::awaitable<void> open_accounts(Course& course, pg::Pool& pool) {
    store::ApiKeys keys(pool);
    const auto made = app::make_api_key();
    store::NewApiKey key;
    key.name = "bench";
    key.scopes = {"admin"};
    key.hash = sha256(made.text);
    key.prefix = app::api_key_prefix(made.text);
    co_await keys.create(key);
    course.account.key = made.text;
    HttpCaller caller(co_await asio::this_coro::executor);
    for (int i = 0;; ++i) {
        const bool ready = co_await caller.answers(course.server_url + "/readyz");
        if (ready) break;
        if (i > 600) throw Failure({Errc::timeout, "the server is not ready", {}});
        co_await pause_for(std::chrono::milliseconds(50));
    }
    // The hooks are the load's: the sandbox stays silent.
    const auto opened = co_await caller.call(
        "PUT", course.sandbox_url + "/sandbox/accounts/webhook/bench", json::object()
    );
    const auto account = co_await caller.call(
        "PUT",
        course.server_url + "/v1/connectors/webhook/accounts/main",
        json::object{{"credentials", opened.at("credentials")}},
        course.account.key
    );
    course.account.secret = text_in(opened.at("credentials"), "secret");
    course.account.send_to = text_in(opened.at("settings"), "to");
    const std::string hook(text_in(account, "hook_url"));
    course.account.hook_path = hook.substr(hook.find("/v1/hooks"));
}

asio::awaitable<void> make_people(Course& course, pg::Pool& pool) {
    auto connection = co_await pool.acquire();
    pg::Params params;
    params.add(course.people);
    params.add(course.account.send_to);
    co_await connection->run(store::queries::bench_make_people, std::move(params), statement_limit);
    co_await connection->run(store::queries::bench_person_source, {}, statement_limit);
}

// How many are sent, opened, and neither.
asio::awaitable<std::array<std::int64_t, 3>> count_messages(pg::Pool& pool) {
    auto connection = co_await pool.acquire();
    const auto rows =
        co_await connection->run(store::queries::bench_count_messages, {}, statement_limit);
    co_return std::array{rows.int8(0, 0), rows.int8(0, 1), rows.int8(0, 2)};
}

asio::awaitable<Usage> used_by(const Course& course, pg::Pool& pool) {
    auto connection = co_await pool.acquire();
    co_return Usage{
        process_cpu_s(course.server),
        process_cpu_s(course.sandbox),
        postgres_cpu_s(connection->backend_pid())};
}

// What the provider has accepted: asked instead of the database, whose time is measured.
asio::awaitable<std::int64_t> accepted(Course& course, HttpCaller& caller) {
    const auto seen =
        co_await caller.call("GET", course.sandbox_url + "/sandbox/messages?limit=1", nullptr);
    co_return seen.at("accepted").to_number<std::int64_t>();
}

// Waits until each message is sent and committed, or is not going to be.
asio::awaitable<void> wait_for_sends(Course& course, pg::Pool& pool, Steady::time_point begun) {
    HttpCaller caller(co_await asio::this_coro::executor);
    std::int64_t got = 0;
    for (;;) {
        const std::int64_t before = std::exchange(got, co_await accepted(course, caller));
        // All, or a stop: the rest may have been refused.
        if (got >= course.people || got == before) {
            const auto [sent, opened, other] = co_await count_messages(pool);
            course.not_sent = other;
            if (sent + other >= course.people) break;
        }
        if (Steady::now() - begun > patience) {
            throw Failure(
                {Errc::timeout,
                 fmt::format("{} of {} were accepted by the provider", got, course.people),
                 {}}
            );
        }
        course.progress(fmt::format("journey: {} of {} are sent", got, course.people));
        co_await pause_for(std::chrono::milliseconds(got >= course.people ? 25 : 250));
    }
    course.provider_got = got;
}

asio::awaitable<void> enter_all(Course& course, pg::Pool& pool) {
    const Usage before = co_await used_by(course, pool);
    const auto begun = Steady::now();
    for (std::int32_t from = 1; from <= course.people; from += enter_at_once) {
        auto connection = co_await pool.acquire();
        pg::Params params;
        params.add(from);
        params.add(std::min(enter_at_once, course.people - from + 1));
        co_await connection->run(
            store::queries::bench_people_enter, std::move(params), statement_limit
        );
    }
    course.entered_s = std::chrono::duration<double>(Steady::now() - begun).count();
    co_await wait_for_sends(course, pool, begun);
    course.sending = co_await used_by(course, pool) - before;
    course.sent_s = std::chrono::duration<double>(Steady::now() - begun).count();
}

asio::awaitable<void> send_all(Course& course) {
    pg::Pool pool(co_await asio::this_coro::executor, {course.connect, 2});
    {
        auto connection = co_await pool.acquire();
        co_await connection->script(std::string(bench_texts[0]), statement_limit);
    }
    store::PgStore store(pool);
    co_await store.apply_workflow(store::default_tenant, parse_definition(journey).value());
    co_await open_accounts(course, pool);
    co_await make_people(course, pool);
    co_await enter_all(course, pool);
    auto connection = co_await pool.acquire();
    const auto rows =
        co_await connection->run(store::queries::bench_list_messages, {}, statement_limit);
    for (int i = 0; i < rows.size(); ++i) {
        course.messages.emplace_back(to_string(rows.uuid(i, 0)), rows.text(i, 1));
    }
}

// Each message is delivered, then opened; each by a signed call of its own.
LoadResult call_hooks(const Course& course, std::uint16_t port) {
    const std::string key = webhook_key(course.account.secret).value();
    std::size_t next = 0;
    LoadOptions load;
    load.port = port;
    load.connections = hook_connections;
    load.seconds = std::chrono::duration<double>(patience).count();
    load.next = [&](std::string& request) {
        const std::size_t many = course.messages.size();
        if (next >= 2 * many) return false;
        const bool opens = next >= many;
        const auto& [id, external] = course.messages[next % many];
        const std::string kind = opens ? "opened" : "delivered";
        const std::string event = fmt::format("{}-{}", kind, id);
        const Instant now = wall_now();
        const json::object about{{"message_id", id}, {"external_id", external}};
        const std::string body = json::serialize(json::object{
            {"type", "message." + kind}, {"timestamp", to_rfc3339(now)}, {"data", about}});
        const std::int64_t seconds = now.time_since_epoch() / std::chrono::seconds(1);
        request = fmt::format(
            "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "webhook-id: {}\r\nwebhook-timestamp: {}\r\nwebhook-signature: {}\r\n"
            "Content-Length: {}\r\n\r\n{}",
            course.account.hook_path,
            event,
            seconds,
            webhook_signature(key, event, seconds, body),
            body.size(),
            body
        );
        ++next;
        return true;
    };
    return load_server(std::move(load));
}

asio::awaitable<void> measure_usage(const Course& course, Usage& usage) {
    pg::Pool pool(co_await asio::this_coro::executor, {course.connect, 1});
    usage = co_await used_by(course, pool);
}

// What is known at the end, once the projector has counted all.
struct Counted {
    std::int64_t opened = 0;
    std::int64_t funnel_sent = 0;
    std::int64_t funnel_opened = 0;
    double behind_s = 0;
};

asio::awaitable<void> count_all(const Course& course, Counted& counted) {
    pg::Pool pool(co_await asio::this_coro::executor, {course.connect, 1});
    const auto begun = Steady::now();
    counted.opened = (co_await count_messages(pool))[1];
    const auto sent = static_cast<std::int64_t>(course.messages.size());
    for (;;) {
        {
            auto connection = co_await pool.acquire();
            const auto rows =
                co_await connection->run(store::queries::bench_count_funnel, {}, statement_limit);
            counted.funnel_sent = rows.int8(0, 0);
            counted.funnel_opened = rows.int8(0, 1);
        }
        const auto waited = Steady::now() - begun;
        counted.behind_s = std::chrono::duration<double>(waited).count();
        const bool all = counted.funnel_sent >= sent && counted.funnel_opened >= counted.opened;
        if (all || waited > patience) break;
        course.progress(fmt::format("journey: {} of {} are counted", counted.funnel_opened, sent));
        co_await pause_for(std::chrono::milliseconds(100));
    }
}

}  // namespace

// People enter a journey, which looks at their profile and sends each a message by HTTP to a
// provider on this machine; then the provider tells of each that it was delivered and opened.
Reports run_journey(WorkloadContext context) {
    Course course;
    course.connect = context.target.connect();
    course.people = static_cast<std::int32_t>(context.options.people);
    course.progress = context.progress;
    const std::string& program = context.options.program;
    Child sandbox(program, {"sandbox", "--listen", "127.0.0.1:0", "-o", "jsonl"}, {});
    const auto about = parse_json(sandbox.read_line(std::chrono::seconds(20))).value();
    course.sandbox_url = text_in(about, "url");
    const std::uint16_t port = free_port();
    course.server_url = fmt::format("http://127.0.0.1:{}", port);
    const Child server(
        program,
        {"serve", "--listen", fmt::format("127.0.0.1:{}", port), "--log-level", "error"},
        {"DATABASE_URL=" + context.target.url(),
         "PAWL_SECRET_KEY=" + std::string(64, '7'),
         "PAWL_LINK_SECRET=" + std::string(32, '7'),
         "PAWL_ALLOW_OUTBOUND=127.0.0.0/8"}
    );
    course.server = server.pid();
    course.sandbox = sandbox.pid();
    run_sync(send_all(course));
    const double sending_mib = peak_memory_mib(server.pid());
    context.progress("journey: hooks");
    Usage before, after;
    run_sync(measure_usage(course, before));
    const LoadResult hooks = call_hooks(course, port);
    run_sync(measure_usage(course, after));
    Counted counted;
    run_sync(count_all(course, counted));
    const auto part = [&](double share) {
        const auto& sorted = hooks.latency_ms;
        if (sorted.empty()) return 0.0;
        const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
        return static_cast<double>(sorted[place]);
    };
    const double many = static_cast<double>(course.messages.size());
    json::object report{
        {"workload", "journey"},
        {"people", course.people},
        {"entered_per_s", course.people / course.entered_s},
        {"messages_per_s", many / course.sent_s},
        {"sent", course.messages.size()},
        {"not_sent", course.not_sent},
        {"provider_got", course.provider_got},
        {"hooks_per_s", static_cast<double>(hooks.answers) / hooks.seconds},
        {"hooks_taken", hooks.answers},
        {"hooks_refused", hooks.others},
        {"hook_p50_ms", part(0.5)},
        {"hook_p99_ms", part(0.99)},
        {"opened", counted.opened},
        {"funnel_sent", counted.funnel_sent},
        {"funnel_opened", counted.funnel_opened},
        {"funnel_behind_s", counted.behind_s},
        {"server_mib_sending", sending_mib},
        {"server_mib", peak_memory_mib(server.pid())}};
    tell(report, "message", course.sending, many);
    tell(report, "hook", after - before, static_cast<double>(hooks.answers));
    return {report};
}

}  // namespace pawl::bench
