#include "cli/parse/trace_flags.hpp"

#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"

#include <cstdlib>

namespace pawl::cli {

namespace {

Result<std::optional<double>> some_share(const std::string& text) {
    char* end = nullptr;
    const double share = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(share >= 0 && share <= 1)) {
        return Error{Errc::invalid, "must be a number from 0 to 1, not '" + text + "'", {}};
    }
    return std::optional<double>(share);
}

}  // namespace

void add_trace_flags(App& app, TraceFlags& flags) {
    app.add_option(
           "--trace-endpoint",
           flags.endpoint,
           "Send traces there by OTLP/HTTP (or: OTEL_EXPORTER_OTLP_ENDPOINT)"
    )
        ->type_name("URL");
    add_setting(
        app,
        "--trace-url",
        flags.url,
        "URL",
        "Where people look at a trace, such as https://traces.example.com/trace/{trace_id}"
    );
    add_parsed(app, "--trace-sample", flags.sample, some_share, "Share of runs traced [0.01]")
        ->type_name("SHARE");
    const char* cut = "A run that was idle for longer goes on in a new trace, with a link";
    add_parsed(app, "--trace-cut", flags.cut, parse_duration, cut)
        ->type_name("TIME")
        ->default_str("1m");
}

}  // namespace pawl::cli
