#include "api/ui/ui_routes.hpp"

#include "base/base64url.hpp"
#include "base/html.hpp"
#include "base/random_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace pawl::api {

namespace {

constexpr std::string_view page_name = "index.html";
constexpr std::size_t nonce_bytes = 16;

struct Ui {
    std::vector<UiFile> files;
    std::string page;  // with the base path filled in; empty: there is none
};

std::string filled(std::string text, std::string_view name, std::string_view value) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size()) {
        text.replace(at, name.size(), value);
    }
    return text;
}

// Nothing from elsewhere, nothing inline but styles with the nonce, in no frame.
std::string policy(const std::string& nonce) {
    return fmt::format(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; "
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; "
        "manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'self'; "
        "frame-ancestors 'none'",
        nonce
    );
}

void add_safety(http::Headers& headers, const std::string& nonce) {
    headers.push_back({"Content-Security-Policy", policy(nonce)});
    headers.push_back({"X-Content-Type-Options", "nosniff"});
    headers.push_back({"Referrer-Policy", "no-referrer"});
    headers.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
}

constexpr std::string_view how_to_get_it = R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Pawl</title></head>
<body>
<h1>Pawl</h1>
<p>This program was built without its web UI. To build it with the UI, run <code>make build</code>
on a machine with Node.js, without <code>-DPAWL_UI=OFF</code>.</p>
<p>The API is here: <a href="{}/openapi.json">openapi.json</a> describes it.</p>
</body>
</html>
)";

// Never from a cache: a nonce is used once.
http::ServerResponse page_of(const Ui& ui, const std::string& base_path) {
    const std::string nonce = to_base64url(random_bytes(nonce_bytes));
    http::ServerResponse response;
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"}, {"Cache-Control", "no-store"}};
    add_safety(response.headers, nonce);
    if (ui.page.empty()) {
        response.status = 404;
        response.body = fmt::format(fmt::runtime(how_to_get_it), escape_html(base_path));
    } else {
        response.body = filled(ui.page, "__PAWL_NONCE__", nonce);
    }
    return response;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// Whether a header like "gzip, br;q=0.5" has the word, and not with a weight of zero.
bool lists(const http::Headers& headers, std::string_view name, std::string_view word) {
    const std::string* header = http::find_header(headers, name);
    std::string_view rest = header == nullptr ? std::string_view() : std::string_view(*header);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view entry = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t semicolon = std::min(entry.find(';'), entry.size());
        if (!http::equal_ignoring_case(trimmed(entry.substr(0, semicolon)), word)) continue;
        const std::string_view weight =
            trimmed(entry.substr(std::min(semicolon + 1, entry.size())));
        const bool none =
            weight == "q=0" || weight == "q=0.0" || weight == "q=0.00" || weight == "q=0.000";
        return !none;
    }
    return false;
}

struct Encoded {
    std::string_view name;
    std::string_view bytes;
};

Encoded best_of(const UiFile& file, const http::Headers& headers) {
    if (!file.br.empty() && lists(headers, "Accept-Encoding", "br")) return {"br", file.br};
    if (!file.gzip.empty() && lists(headers, "Accept-Encoding", "gzip")) return {"gzip", file.gzip};
    return {"", file.plain};
}

http::ServerResponse file_of(const UiFile& file, const http::Headers& headers) {
    const Encoded encoded = best_of(file, headers);
    std::string etag = "\"" + file.etag;
    if (!encoded.name.empty()) etag.append("-").append(encoded.name);
    etag += '"';
    http::ServerResponse response;
    response.headers = {
        {"Content-Type", file.type},
        {"Cache-Control", file.hashed ? "public, max-age=31536000, immutable" : "no-cache"},
        {"ETag", etag},
        {"Vary", "Accept-Encoding"}};
    if (!encoded.name.empty()) {
        response.headers.push_back({"Content-Encoding", std::string(encoded.name)});
    }
    add_safety(response.headers, "none");
    if (lists(headers, "If-None-Match", etag) || lists(headers, "If-None-Match", "W/" + etag)) {
        response.status = 304;
    } else {
        response.body = encoded.bytes;
    }
    return response;
}

// The file is one of the UI's.
asio::awaitable<http::ServerResponse> answer_file(
    std::shared_ptr<const Ui> ui, const UiFile& file, Call call
) {
    (void)ui;
    co_return file_of(file, call.request.headers);
}

// What begins like this is the API's, whatever a browser accepts: a wrong address is not a page.
bool is_of_the_api(const Target& target) {
    static constexpr std::array<std::string_view, 10> names{
        "v1",
        "functions",
        "sandbox",
        "assets",
        "openapi.json",
        "docs",
        "metrics",
        "livez",
        "readyz",
        "healthz"};
    return !target.segments.empty() &&
           std::find(names.begin(), names.end(), target.segments.front()) != names.end();
}

}  // namespace

void add_ui_routes(Router& router, std::vector<UiFile> files, const std::string& base_path) {
    auto ui = std::make_shared<Ui>();
    ui->files = std::move(files);
    for (const UiFile& file : ui->files) {
        if (file.path == page_name) {
            ui->page =
                filled(std::string(file.plain), "__PAWL_BASE__", escape_html(base_path + "/"));
            continue;
        }
        const auto answer = [ui, &file](Call call) {
            return answer_file(ui, file, std::move(call));
        };
        router.add(public_route("GET", "/" + file.path, answer));
    }
    const auto page = [ui, base_path](const http::ServerRequest& request, const Target& target) {
        const bool read = request.method == "GET" || request.method == "HEAD";
        std::optional<http::ServerResponse> answer;
        if (read && !is_of_the_api(target) && lists(request.headers, "Accept", "text/html")) {
            answer = page_of(*ui, base_path);
        }
        return answer;
    };
    router.otherwise(page);
}

}  // namespace pawl::api
