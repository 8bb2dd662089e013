#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "http/client.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <string>
#include <utility>

namespace pawl::bench {

namespace asio = boost::asio;

// Calls the servers that a workload has started.
class HttpCaller {
public:
    explicit HttpCaller(asio::any_io_executor executor) : client_(executor) {}

    asio::awaitable<json::value> call(
        std::string method, std::string url, json::value body, std::string key = ""
    ) {
        http::Request request;
        request.method = std::move(method);
        request.url = url;
        request.headers = {{"Content-Type", "application/json"}};
        if (!key.empty()) request.headers.push_back({"Authorization", "Bearer " + key});
        if (!body.is_null()) request.body = json::serialize(body);
        request.trusted = true;
        const auto answer = co_await client_.send(std::move(request));
        if (!answer || answer->status != 200) {
            throw Failure(
                {Errc::unavailable,
                 fmt::format("{}: {}", url, answer ? answer->body : answer.error().message),
                 {}}
            );
        }
        co_return parse_json(answer->body).value();
    }

    asio::awaitable<bool> answers(std::string url) {
        http::Request request;
        request.url = std::move(url);
        request.trusted = true;
        const auto answer = co_await client_.send(std::move(request));
        co_return answer && answer->status == 200;
    }

private:
    http::Client client_;
};

}  // namespace pawl::bench
