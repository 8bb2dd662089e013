#include "cli/door/http_door.hpp"

#include "base/exact_json.hpp"
#include "base/fresh_id.hpp"
#include "cli/door/database.hpp"
#include "cli/terminal/version.hpp"
#include "http/client.hpp"
#include "http/url.hpp"

#include <fmt/core.h>

#include <cstdlib>

namespace pawl::cli {

namespace {

constexpr std::size_t answer_bytes_max = 256 << 20;
constexpr Duration patience = std::chrono::seconds(60);

std::string given(const std::string& option, const char* variable) {
    if (!option.empty()) return option;
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

std::string read_url(const Globals& globals) {
    std::string url = given(globals.url, "PAWL_URL");
    while (url.ends_with('/')) url.pop_back();
    const auto parsed = http::parse_url(url);
    const bool web = parsed.place && parsed.place->scheme.starts_with("http");
    if (web && url.find_first_of("?#") == std::string::npos) return url;
    throw Failure(
        {Errc::invalid,
         "--url (PAWL_URL) must be the address of a Pawl server, like https://pawl.example.com",
         {}}
    );
}

class HttpDoor : public Door {
public:
    // `tenant`: whose key it must be; empty: any.
    HttpDoor(asio::any_io_executor executor, std::string url, std::string key, std::string tenant)
        : client_(executor),
          url_(std::move(url)),
          key_(std::move(key)),
          tenant_(std::move(tenant)) {}

    asio::awaitable<Result<json::value>> call(Ask ask) override {
        if (!tenant_.empty()) {
            if (auto same = co_await check_tenant(); !same) co_return same.error();
        }
        co_return co_await send(std::move(ask));
    }

private:
    // A key is of one tenant: a command that names another one was meant for another key.
    asio::awaitable<Result<void>> check_tenant() {
        Ask ask;
        ask.path = {"session"};
        const auto session = co_await send(std::move(ask));
        if (!session) co_return session.error();
        const std::string_view found = text_in(session->as_object(), "tenant");
        if (found == tenant_) {
            tenant_.clear();
            co_return Result<void>();
        }
        co_return Error{
            Errc::invalid,
            fmt::format("the API key is of the tenant '{}', not of '{}'", found, tenant_),
            {{"next", "give a key of that tenant (--api-key), or leave --tenant out"}}};
    }

    asio::awaitable<Result<json::value>> send(Ask ask) {
        const http::Request request = request_of(ask);
        http::Outcome outcome = co_await client_.send(request);
        // What was sent may have been done: the key makes sure that it is done once.
        const bool keyed = ask.method == "POST" || ask.method == "GET";
        if (!outcome && outcome.error().kind == http::FaultKind::interrupted_after_sent && keyed) {
            outcome = co_await client_.send(request);
        }
        if (!outcome) throw Failure(unreachable(outcome.error()));
        auto answer = read_answer(outcome->status, outcome->body);
        if (!answer && outcome->status == 401) {
            co_return Error(answer.error())
                .with("next", "give a key: --api-key, or PAWL_API_KEY; pawl keys create makes one");
        }
        co_return answer;
    }

    http::Request request_of(const Ask& ask) const {
        http::Request request;
        request.method = ask.method;
        request.url = url_ + target_of(ask);
        request.headers.push_back({"User-Agent", fmt::format("pawl-cli/{}", version)});
        if (!key_.empty()) request.headers.push_back({"Authorization", "Bearer " + key_});
        if (ask.body) {
            request.headers.push_back({"Content-Type", "application/json"});
            request.body = plain_json(*ask.body);
        }
        if (ask.method == "POST") {
            request.headers.push_back({"Idempotency-Key", to_string(fresh_id())});
        }
        request.timeout = patience;
        request.response_bytes_max = answer_bytes_max;
        request.trusted = true;  // who runs this command has named the server
        return request;
    }

    Error unreachable(const http::Fault& fault) const {
        const bool late = fault.kind == http::FaultKind::timeout_after_sent ||
                          fault.kind == http::FaultKind::timeout_before_sent;
        return {
            late ? Errc::timeout : Errc::unavailable,
            fmt::format("{} does not answer: {}", url_, fault.message),
            {{"next", "is the server up, and does --url (PAWL_URL) name it?"}}};
    }

    http::Client client_;
    std::string url_;
    std::string key_;
    std::string tenant_;  // empty: it is the right one
};

}  // namespace

int with_http_door(const Globals& globals, WithDoor command) {
    const std::string key = given(globals.api_key, "PAWL_API_KEY");
    if (!http::is_field_value(key)) {
        throw Failure({Errc::invalid, "the API key holds characters that no key has", {}});
    }
    asio::io_context loop(1);
    const bool any = globals.tenant == Globals().tenant;
    HttpDoor door(loop.get_executor(), read_url(globals), key, any ? "" : globals.tenant);
    return run_loop(globals, command(door), loop);
}

}  // namespace pawl::cli
