#pragma once

#include "engine/observe/otlp.hpp"
#include "engine/observe/trace_links.hpp"
#include "engine/observe/tracer.hpp"
#include "http/client.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <string>

namespace pawl::host {

namespace asio = boost::asio;

struct TraceOptions {
    std::string url;        // of OTLP's /v1/traces; empty: nothing is traced
    http::Headers headers;  // sent with every request
    engine::TracerOptions tracer;
    engine::OtlpResource resource;
    engine::TraceLinks links;  // also where nothing is traced: others may
};

// Sends spans to a collector, in batches. What cannot be sent after a few tries is dropped and
// counted. One thread; the tracer and the metrics outlive it.
class TraceExporter {
public:
    TraceExporter(
        asio::any_io_executor executor,
        TraceOptions options,
        engine::Tracer& tracer,
        engine::Metrics& metrics
    );

    // Until it is cancelled.
    asio::awaitable<void> run();
    // At the end: what is left, but not for long.
    asio::awaitable<void> flush();

private:
    // Whether there may be more.
    asio::awaitable<bool> send_batch(int tries);
    asio::awaitable<bool> send(std::string body, int tries);

    asio::any_io_executor executor_;
    TraceOptions options_;
    engine::Tracer& tracer_;
    engine::Metrics& metrics_;
    http::Client client_;
    bool complained_ = false;
};

}  // namespace pawl::host
