#include "host/trace_exporter.hpp"

#include "base/log.hpp"
#include "engine/async/gate.hpp"

namespace pawl::host {

namespace {

constexpr std::size_t batch_max = 512;
constexpr Duration pause_between = std::chrono::seconds(1);
constexpr Duration send_timeout = std::chrono::seconds(5);
constexpr int tries_max = 4;

bool may_help_to_retry(const http::Outcome& outcome) {
    if (!outcome) return true;
    const int status = outcome->status;
    return status == 429 || status == 502 || status == 503 || status == 504;
}

}  // namespace

TraceExporter::TraceExporter(
    asio::any_io_executor executor,
    TraceOptions options,
    engine::Tracer& tracer,
    engine::Metrics& metrics
)
    : executor_(executor),
      options_(std::move(options)),
      tracer_(tracer),
      metrics_(metrics),
      client_(executor) {}

asio::awaitable<bool> TraceExporter::send(std::string body, int tries) {
    Duration pause = std::chrono::milliseconds(500);
    for (int tried = 1;; ++tried, pause *= 2) {
        http::Request request;
        request.method = "POST";
        request.url = options_.url;
        request.headers = options_.headers;
        request.headers.push_back({"Content-Type", "application/json"});
        request.body = body;
        request.timeout = send_timeout;
        request.trusted = true;  // the operator configures where traces go
        const http::Outcome outcome = co_await client_.send(std::move(request));
        if (outcome && outcome->status >= 200 && outcome->status < 300) {
            complained_ = false;
            co_return true;
        }
        if (tried >= tries || !may_help_to_retry(outcome)) {
            const std::string why =
                outcome ? "status " + std::to_string(outcome->status) : outcome.error().message;
            // Once, until it works again: a collector that is down must not fill the log.
            if (!complained_) log::warn("traces cannot be sent", {log::field("error", why)});
            complained_ = true;
            co_return false;
        }
        engine::Gate wait(executor_);
        co_await wait.wait(Steady::now() + pause);
    }
}

asio::awaitable<bool> TraceExporter::send_batch(int tries) {
    const auto spans = tracer_.take(batch_max);
    if (spans.empty()) co_return false;
    const bool sent = co_await send(engine::to_otlp(spans, options_.resource), tries);
    metrics_.spans(sent ? engine::SpanFate::exported : engine::SpanFate::dropped, spans.size());
    co_return spans.size() == batch_max;
}

asio::awaitable<void> TraceExporter::run() {
    for (;;) {
        while (co_await send_batch(tries_max)) {
        }
        engine::Gate wait(executor_);
        co_await wait.wait(Steady::now() + pause_between);
    }
}

asio::awaitable<void> TraceExporter::flush() {
    const auto until = Steady::now() + std::chrono::seconds(2);
    while (Steady::now() < until && co_await send_batch(1)) {
    }
}

}  // namespace pawl::host
