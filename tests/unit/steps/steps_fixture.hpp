#pragma once

#include "steps/executor.hpp"
#include "unit/http/http_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace pawl::steps {

using namespace std::chrono_literals;

class StepTest : public http::HttpTest {
protected:
    CodeRegistry registry;
    http::Client client{io.get_executor(), anywhere()};
    http::ServerRequest received;
    http::ServerResponse answer{200, {{"Content-Type", "application/json"}}, "{}"};
    http::Server server{
        io.get_executor(), http::ServerOptions(), [this](http::ServerRequest request) {
            return answered(std::move(request));
        }};

    asio::awaitable<http::ServerResponse> answered(http::ServerRequest request) {
        received = std::move(request);
        co_return answer;
    }

    void SetUp() override {
        register_builtins(registry);
        server.listen();
    }

    Executor executor(std::string functions_url = "") {
        StepSettings settings;
        settings.functions.all.usual = {std::move(functions_url), "secret"};
        return Executor(io.get_executor(), registry, client, settings);
    }

    static StepRequest step(NodeType type, std::string_view config) {
        StepRequest request;
        request.run_id = "run";
        request.workflow = "workflow";
        request.node = "node";
        request.type = type;
        request.idempotency_key = "key-1";
        request.config = json::parse(config).as_object();
        request.timeout = 10s;
        return request;
    }

    const std::string* header(std::string_view name) const {
        return http::find_header(received.headers, name);
    }

    // "completed {...}" or "retryable code: message".
    static std::string text(const StepOutcome& outcome) {
        if (!outcome.error) return "completed " + json::serialize(outcome.result);
        return fmt::format(
            "{} {}: {}",
            name(outcome.error->error_class),
            outcome.error->code,
            outcome.error->message
        );
    }
};

}  // namespace pawl::steps
