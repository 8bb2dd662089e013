#include "cli/parse/door_options.hpp"

#include "cli/parse/input.hpp"
#include "http/url.hpp"

#include <cstdlib>

namespace pawl::cli {

namespace {

constexpr std::size_t key_bytes_max = 4096;
constexpr std::size_t key_length_min = 16;

std::string read_metrics_key(const std::string& file) {
    std::string key;
    if (const char* text = std::getenv("PAWL_METRICS_KEY")) key = text;
    if (!file.empty()) key = read_source(file, key_bytes_max).value();
    while (key.ends_with('\n')) key.pop_back();
    if (key.empty() || key.size() >= key_length_min) return key;
    throw Failure(
        {Errc::invalid,
         "the metrics key is too short: it could be guessed",
         {{"next", "take at least 16 characters: openssl rand -base64 32"}}}
    );
}

}  // namespace

void open_doors(host::ServeOptions& serve, const DoorFlags& flags, const ListenAddress& listen) {
    serve.server.host = listen.host;
    serve.server.port = listen.port;
    std::vector<std::string> origins;
    if (serve.api) origins = serve.api->service.cors.origins;
    serve.server.hosts = http::rules_for(listen.host, flags.allowed_hosts, std::move(origins));
    // A proxy on this machine passes on the name by which it was called.
    const auto own = http::parse_url(serve.public_url);
    if (own.place) serve.server.hosts.hosts.push_back(own.place->host);
    serve.metrics_key = read_metrics_key(flags.metrics_key_file);
    if (!flags.metrics_listen) return;
    const ListenAddress& metrics = *flags.metrics_listen;
    if (!http::is_loopback_host(metrics.host) && serve.metrics_key.empty()) {
        throw Failure(
            {Errc::invalid,
             "will not show the metrics on " + to_string(metrics) +
                 " without a key: they name all tenants and workflows",
             {{"next", "give --metrics-key FILE (or PAWL_METRICS_KEY), or listen on 127.0.0.1"}}}
        );
    }
    serve.metrics_server.emplace();
    serve.metrics_server->host = metrics.host;
    serve.metrics_server->port = metrics.port;
    serve.metrics_server->hosts = http::rules_for(metrics.host, flags.allowed_hosts, {});
}

}  // namespace pawl::cli
