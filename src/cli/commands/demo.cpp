#include "cli/commands/demo.hpp"

#include "api/auth/session_cookie.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"
#include "cli/commands/dev_key.hpp"
#include "cli/demo_texts.gen.hpp"
#include "cli/journey_texts.gen.hpp"
#include "http/client.hpp"
#include "model/definition.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/api_keys.hpp"
#include "store/repos/browser_sessions.hpp"
#include "store/repos/tenants.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <exception>
#include <regex>

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

// In the order of the files' names, as they are embedded: act.sql stands before it.
constexpr std::string_view tables_and_people = demo_texts[1];
// For the script, which makes the logins.
const pg::Query set_password{
    "set_demo_password", "select set_config('demo.password', $1, false)", 1};
constexpr Duration script_limit = std::chrono::seconds(60);
constexpr int seconds_of_a_day = 10;
constexpr int seconds_of_an_hour = 5;

struct Merchant {
    std::string_view tenant;
    std::vector<std::string_view> providers;
};

const std::vector<Merchant>& all_merchants() {
    static const std::vector<Merchant> all{
        {"siam_coffee", {"line", "sms_8x8", "sendgrid", "fcm"}},
        {"river_books", {"line", "twilio", "resend", "fcm"}}};
    return all;
}

// Days and hours of waits as seconds, and what comes once a day every other minute: a visitor of
// the demo does not stay for two weeks.
std::string hurried(const std::string& text) {
    static const std::regex wait(R"((wait|timeout): (\d+)([dh])\b)");
    static const std::regex daily(R"(schedule: "\d+ \d+ \* \* \*")");
    std::string out;
    auto from = text.cbegin();
    for (std::smatch found; std::regex_search(from, text.cend(), found, wait);) {
        const int unit = found[3] == "d" ? seconds_of_a_day : seconds_of_an_hour;
        out.append(from, found[0].first);
        out += fmt::format("{}: {}s", found[1].str(), std::stoi(found[2].str()) * unit);
        from = found[0].second;
    }
    out.append(from, text.cend());
    return std::regex_replace(out, daily, R"(schedule: "*/2 * * * *")");
}

std::vector<Definition> journeys() {
    std::vector<Definition> all;
    for (const std::string_view text : journey_texts) {
        // The others are their tests.
        if (text.find("\nname: ") == text.npos) continue;
        all.push_back(parse_definition(hurried(std::string(text))).value());
    }
    return all;
}

// One caller of the server's own API.
class Caller {
public:
    Caller(asio::any_io_executor executor, std::string url)
        : client_(executor), url_(std::move(url)) {}

    asio::awaitable<json::value> put(std::string key, std::string path, json::object body) {
        http::Request request;
        request.method = "PUT";
        request.url = url_ + path;
        request.headers = {
            {"Authorization", "Bearer " + key}, {"Content-Type", "application/json"}};
        request.body = json::serialize(body);
        request.trusted = true;
        const auto outcome = co_await client_.send(std::move(request));
        const http::Response& answer = outcome.value();
        if (answer.status != 200) {
            throw Failure(
                {Errc::internal,
                 fmt::format("the demo: {} was answered {}: {}", path, answer.status, answer.body),
                 {}}
            );
        }
        co_return parse_json(answer.body).value();
    }

private:
    http::Client client_;
    std::string url_;
};

asio::awaitable<void> connect_all(std::string url, std::vector<DemoMerchant> merchants) {
    Caller caller(co_await asio::this_coro::executor, std::move(url));
    const json::object behaviour{
        {"opened", 45}, {"clicked", 30}, {"bounced", 2}, {"pause_ms", 700}};
    for (std::size_t i = 0; i < merchants.size(); ++i) {
        const DemoMerchant& merchant = merchants[i];
        for (const std::string_view provider : all_merchants()[i].providers) {
            const std::string there =
                fmt::format("/sandbox/accounts/{}/{}", provider, merchant.tenant);
            const std::string here = fmt::format("/v1/connectors/{}/accounts/main", provider);
            const auto opened = co_await caller.put(
                merchant.api_key, there, json::object{{"behaviour", behaviour}}
            );
            const auto account = co_await caller.put(
                merchant.api_key,
                here,
                json::object{
                    {"credentials", opened.at("credentials")}, {"settings", opened.at("settings")}}
            );
            const std::string hook(text_in(account, "hook_url"));
            if (hook.empty()) continue;
            co_await caller.put(merchant.api_key, there, json::object{{"hook_url", hook}});
        }
    }
}

}  // namespace

std::vector<std::string> demo_names() {
    return {"journeys"};
}

asio::awaitable<std::vector<DemoMerchant>> prepare_demo(
    pg::Pool& pool, fs::path dir, std::string password, Duration ticket_life
) {
    {
        auto connection = co_await pool.acquire();
        co_await connection->run(set_password, pg::Params().add(password), script_limit);
        co_await connection->script(std::string(tables_and_people), script_limit);
    }
    store::PgStore store(pool);
    store::Tenants tenants(pool);
    store::ApiKeys keys(pool);
    store::Sessions sessions(pool);
    std::vector<DemoMerchant> merchants;
    for (const Merchant& merchant : all_merchants()) {
        const auto tenant = co_await tenants.find(std::string(merchant.tenant));
        if (!tenant) throw Failure({Errc::internal, "the demo has no tenants", {}});
        const store::TenantId id = tenant->tenant.id;
        for (Definition& definition : journeys()) {
            co_await store.publish_sample(id, std::move(definition));
        }
        const fs::path own = dir / merchant.tenant;
        fs::create_directories(own);
        store::NewApiKey wanted;
        wanted.tenant = id;
        wanted.name = "pawl dev --demo";
        DemoMerchant one;
        one.tenant = merchant.tenant;
        one.api_key = co_await register_key(keys, std::move(wanted), own);
        one.ticket = api::make_session_token();
        co_await sessions.create_ticket(sha256(one.ticket), sha256(one.api_key), ticket_life);
        merchants.push_back(std::move(one));
    }
    co_return merchants;
}

void connect_demo(const std::string& url, const std::vector<DemoMerchant>& merchants) {
    asio::io_context loop(1);
    std::exception_ptr failed;
    asio::co_spawn(loop, connect_all(url, merchants), [&](std::exception_ptr thrown) {
        failed = thrown;
    });
    loop.run();
    if (failed) std::rethrow_exception(failed);
}

}  // namespace pawl::cli
