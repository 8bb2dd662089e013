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
    HttpDoor(asio::any_io_executor executor, std::string url, std::string key)
        : client_(executor), url_(std::move(url)), key_(std::move(key)) {}

    asio::awaitable<Result<json::value>> call(Ask ask) override {
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

private:
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
};

}  // namespace

int with_http_door(const Globals& globals, WithDoor command) {
    const std::string key = given(globals.api_key, "PAWL_API_KEY");
    if (!http::is_field_value(key)) {
        throw Failure({Errc::invalid, "the API key holds characters that no key has", {}});
    }
    asio::io_context loop(1);
    HttpDoor door(loop.get_executor(), read_url(globals), key);
    return run_loop(globals, command(door), loop);
}

}  // namespace pawl::cli
