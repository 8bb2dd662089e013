#include "host/health.hpp"

#include "api/auth/auth_header.hpp"
#include "base/sha256.hpp"

#include <openssl/crypto.h>

namespace pawl::host {

namespace {

http::ServerResponse plain(int status, std::string body) {
    return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(body)};
}

}  // namespace

bool has_metrics_key(const http::Headers& headers, const std::string& key) {
    const auto given = api::credential_of(headers);
    if (key.empty() || !given) return false;
    // Hashes are of one length: how long the comparison takes says nothing.
    const std::string right = sha256(key);
    return CRYPTO_memcmp(sha256(*given).data(), right.data(), right.size()) == 0;
}

http::ServerResponse answer_health(const HealthPages& pages, const http::ServerRequest& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (request.method != "GET" && request.method != "HEAD") {
        return plain(405, "only GET is answered here\n");
    }
    if (path == "/livez") return plain(200, "ok\n");
    if (path == "/readyz" || path == "/healthz") {
        const std::string why = pages.unready();
        return why.empty() ? plain(200, "ok\n") : plain(503, "not ready: " + why + "\n");
    }
    if (path != "/metrics") {
        return plain(404, "not found; there are /livez, /readyz and /metrics\n");
    }
    if (pages.open || has_metrics_key(request.headers, pages.metrics_key)) {
        return {200, {{"Content-Type", "text/plain; version=0.0.4"}}, pages.metrics()};
    }
    auto response = plain(
        401,
        "the metrics need the key of --metrics-key as bearer token here; a port of this machine "
        "shows them without: --metrics-listen 127.0.0.1:PORT\n"
    );
    response.headers.push_back({"WWW-Authenticate", "Bearer"});
    return response;
}

}  // namespace pawl::host
