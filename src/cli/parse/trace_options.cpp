#include "cli/parse/trace_options.hpp"

#include "cli/terminal/version.hpp"
#include "http/url.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace pawl::cli {

namespace {

std::string text_of(const Environment& environment, const char* name) {
    const char* value = environment(name);
    return value == nullptr ? std::string() : std::string(value);
}

[[noreturn]] void refuse(const std::string& name, const std::string& value, const char* wanted) {
    throw Failure(
        {Errc::invalid, name + " must be " + wanted + ", not '" + value + "'", {{"setting", name}}}
    );
}

// %41 becomes A, as in the values of OTEL_EXPORTER_OTLP_HEADERS.
std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        int byte = 0;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr ==
                text.data() + i + 3) {
            plain += static_cast<char>(byte);
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

// a=1,b=2
std::vector<std::pair<std::string, std::string>> pairs_in(
    const std::string& setting, std::string_view text
) {
    std::vector<std::pair<std::string, std::string>> pairs;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view item = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (item.empty()) continue;
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos || equals == 0)
            refuse(setting, std::string(item), "a list like name=value,name=value");
        pairs.emplace_back(trimmed(item.substr(0, equals)), decoded(item.substr(equals + 1)));
    }
    return pairs;
}

double share_in(const std::string& setting, const std::string& text) {
    char* end = nullptr;
    const double share = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(share >= 0 && share <= 1))
        refuse(setting, text, "a number from 0 to 1");
    return share;
}

double sample_of(const TraceFlags& flags, const Environment& environment) {
    if (flags.sample) return *flags.sample;
    const std::string sampler = text_of(environment, "OTEL_TRACES_SAMPLER");
    const std::string share = text_of(environment, "OTEL_TRACES_SAMPLER_ARG");
    if (sampler.ends_with("always_on")) return 1;
    if (sampler.ends_with("always_off")) return 0;
    if (!share.empty()) return share_in("OTEL_TRACES_SAMPLER_ARG", share);
    return engine::TracerOptions{}.sample;
}

// A page for people: only a web address, and only what a link may hold.
std::string checked_page(const std::string& url) {
    constexpr const char* wanted = "an http:// or https:// URL with {trace_id} in it";
    const bool web = url.starts_with("http://") || url.starts_with("https://");
    const bool plain = std::all_of(url.begin(), url.end(), [](unsigned char c) {
        return c > ' ' && c < 0x7f && c != '"' && c != '<' && c != '>' && c != '\\';
    });
    if (!web || !plain || url.find("{trace_id}") == url.npos || url.size() > 2000) {
        refuse("--trace-url", url, wanted);
    }
    std::string filled = url;
    filled.replace(filled.find("{trace_id}"), 10, "0");
    const std::size_t run = filled.find("{run_id}");
    if (run != filled.npos) filled.replace(run, 8, "0");
    const auto place = http::parse_url(filled).place;
    const std::size_t path = url.find('/', url.find("://") + 3);
    if (!place || url.find("{trace_id}") < path) refuse("--trace-url", url, wanted);
    return url;
}

engine::TraceLinks links_of(const TraceFlags& flags, const Environment& environment) {
    engine::TraceLinks links;
    if (flags.url.empty()) return links;
    links.url = checked_page(flags.url);
    links.sample = sample_of(flags, environment);
    links.cut = flags.cut;
    return links;
}

}  // namespace

host::TraceOptions trace_options(const TraceFlags& flags, const Environment& environment) {
    host::TraceOptions options;
    options.links = links_of(flags, environment);
    const bool off = text_of(environment, "OTEL_SDK_DISABLED") == "true" ||
                     text_of(environment, "OTEL_TRACES_EXPORTER") == "none";
    std::string base = flags.endpoint;
    if (base.empty()) base = text_of(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
    while (base.ends_with('/')) base.pop_back();
    options.url = base.empty() ? "" : base + "/v1/traces";
    const std::string own = text_of(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    if (flags.endpoint.empty() && !own.empty()) options.url = own;
    if (off) options.url.clear();
    if (options.url.empty()) return options;
    if (!options.url.starts_with("http://") && !options.url.starts_with("https://"))
        refuse("OTEL_EXPORTER_OTLP_ENDPOINT", options.url, "an http:// or https:// URL");
    const std::string protocol = text_of(environment, "OTEL_EXPORTER_OTLP_PROTOCOL");
    if (!protocol.empty() && protocol != "http/json")
        refuse("OTEL_EXPORTER_OTLP_PROTOCOL", protocol, "http/json: pawl speaks nothing else");
    const char* headers = "OTEL_EXPORTER_OTLP_HEADERS";
    for (auto& [name, value] : pairs_in(headers, text_of(environment, headers)))
        options.headers.push_back({name, value});
    const char* attributes = "OTEL_RESOURCE_ATTRIBUTES";
    options.resource.attributes = pairs_in(attributes, text_of(environment, attributes));
    const std::string service = text_of(environment, "OTEL_SERVICE_NAME");
    if (!service.empty()) options.resource.service = service;
    options.resource.version = version;
    options.tracer.sample = sample_of(flags, environment);
    options.tracer.cut = flags.cut;
    return options;
}

}  // namespace pawl::cli
