#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/page_texts.gen.hpp"
#include "api/sandbox/sandbox.hpp"

namespace pawl::api {

namespace {

asio::awaitable<http::ServerResponse> show_page(Sandbox&, Call) {
    co_return sandbox_page();
}

asio::awaitable<http::ServerResponse> list_calls(Sandbox& sandbox, Call call) {
    only_params(call, {"after"});
    const std::string after = text_param(call, "after");
    const auto number = after.empty() ? 0 : number_cursor(after);
    const auto from = static_cast<std::uint64_t>(std::max(number, 0));
    co_return json_response(200, json::object{{"data", sandbox.calls_after(from)}});
}

asio::awaitable<http::ServerResponse> set_behaviour(Sandbox& sandbox, Call call) {
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    const auto error = body.text("fail", 500);
    const auto times = body.whole("times", 1, 1'000'000);
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const std::string& function = call.params.at(0);
    if (error) {
        sandbox.fail(function, *error, static_cast<std::uint32_t>(times.value_or(0)));
    } else {
        sandbox.repair(function);
    }
    json::object answer;
    answer["function"] = function;
    answer["fail"] = error ? json::value(*error) : json::value();
    co_return json_response(200, answer);
}

asio::awaitable<http::ServerResponse> receive(Sandbox& sandbox, Call call) {
    const std::string* key = http::find_header(call.request.headers, "Idempotency-Key");
    co_return sandbox.receive(
        call.params.at(0), call.object(true), key == nullptr ? std::string() : *key
    );
}

asio::awaitable<http::ServerResponse> chat(Sandbox& sandbox, Call call) {
    const std::string* key = http::find_header(call.request.headers, "Idempotency-Key");
    co_return sandbox.chat(call.object(true), key == nullptr ? std::string() : *key);
}

template <class Function>
CallHandler with(Sandbox& sandbox, Function function) {
    return [&sandbox, function](Call call) { return function(sandbox, std::move(call)); };
}

asio::awaitable<http::ServerResponse> console(sandbox::Site& site, Call call) {
    co_return site.console(call.request);
}

}  // namespace

http::ServerResponse sandbox_page() {
    http::ServerResponse response;
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"},
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
         "connect-src 'self'; frame-ancestors 'none'"}};
    // By its title: another page may stand before it.
    for (const std::string_view text : page_texts) {
        if (text.find("<title>Pawl sandbox</title>") != text.npos) response.body = text;
    }
    return response;
}

void add_provider_routes(Router& router, sandbox::Site& site) {
    const auto add = [&](std::string method, std::string pattern, std::optional<Scope> scope) {
        const CallHandler handler = [&site](Call call) { return console(site, std::move(call)); };
        // Not for pages of other origins: there is no key to protect what is read.
        router.add({std::move(method), std::move(pattern), scope, handler, {}, false, false});
    };
    const auto operates = Scope::runs_write;
    add("GET", "/sandbox/messages", {});
    add("GET", "/sandbox/messages/{number}", {});
    add("POST", "/sandbox/messages/{number}/events", operates);
    add("GET", "/sandbox/accounts", operates);
    for (const char* method : {"GET", "PUT", "DELETE"}) {
        add(method, "/sandbox/accounts/{provider}/{name}", operates);
        add(method, "/sandbox/faults", operates);
    }
    add("GET", "/sandbox/accounts/{provider}/{name}/login", operates);
    add("POST", "/sandbox/accounts/{provider}/{name}/events", operates);
}

void add_sandbox_routes(Router& router, Sandbox& sandbox) {
    router.add({"GET", "/sandbox", {}, with(sandbox, show_page), {}, false});
    router.add({"GET", "/sandbox/calls", {}, with(sandbox, list_calls), {}, false});
    router.add(
        {"POST", "/sandbox/functions/{name}", Scope::runs_write, with(sandbox, set_behaviour), {}}
    );
    // The key of a step is for the function, which is the sandbox itself.
    router.add(
        {"POST", "/functions/v1/{name}", Scope::runs_write, with(sandbox, receive), {}, true, false}
    );
    router.add(
        {"POST",
         "/sandbox/v1/chat/completions",
         Scope::runs_write,
         with(sandbox, chat),
         {},
         true,
         false}
    );
}

}  // namespace pawl::api
