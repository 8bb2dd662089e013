#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/task_page.hpp"
#include "api/services.hpp"
#include "app/messages/tracking.hpp"
#include "base/html.hpp"

#include <fmt/format.h>

namespace pawl::api {

namespace {

// One pixel that is not seen.
constexpr unsigned char pixel[] = {
    'G', 'I', 'F', '8', '9', 'a',  1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x21, 0xf9, 4,
    1,   0,   0,   0,   0,   0x2c, 0, 0, 0, 0, 1,    0, 1, 0, 0, 2, 2,    0x44, 1,    0,    0x3b};

bool by_machine(const http::ServerRequest& request) {
    const auto header = [&](std::string_view name) {
        const std::string* found = http::find_header(request.headers, name);
        return found == nullptr ? std::string_view() : std::string_view(*found);
    };
    app::Visit visit{request.method, header("User-Agent"), header("Sec-Purpose")};
    for (const std::string_view name : {"Purpose", "X-Purpose", "X-Moz"}) {
        if (visit.purpose.empty()) visit.purpose = header(name);
    }
    return app::is_machine(visit);
}

http::ServerResponse nothing_here() {
    return word_page(404, "Link", "This link leads nowhere. Was it copied as a whole?");
}

// It is kept nowhere else, so that each visit is seen, and none shows up in a search.
void forbid_copies(http::ServerResponse& response) {
    response.headers.push_back({"Cache-Control", "no-store, private, max-age=0"});
    response.headers.push_back({"X-Robots-Tag", "noindex, nofollow"});
    response.headers.push_back({"Referrer-Policy", "no-referrer"});
}

// Notes that a link or a picture of a message was asked for, as `fact_of` says it.
template <class Link, class FactOf>
asio::awaitable<void> note(Services& services, const Call& call, const Link& link, FactOf fact_of) {
    auto fact = fact_of(link, by_machine(call.request), wall_now());
    co_await app::note_visit(services.app.hooks(), link.tenant.bucket, std::move(fact));
}

asio::awaitable<http::ServerResponse> follow(Services& services, Call call) {
    const auto link = app::open_click(services.seal, call.params.at(0));
    if (!link) co_return nothing_here();
    co_await note(services, call, *link, app::click_fact);
    http::ServerResponse response;
    response.status = 302;
    response.headers.push_back({"Location", link->url});
    response.headers.push_back({"Content-Type", "text/html; charset=utf-8"});
    forbid_copies(response);
    const std::string url = escape_html(link->url);
    response.body =
        fmt::format("<!doctype html>\n<title>Link</title>\n<a href=\"{0}\">{0}</a>\n", url);
    co_return response;
}

asio::awaitable<http::ServerResponse> show_pixel(Services& services, Call call) {
    const auto mark = app::open_pixel(services.seal, call.params.at(0));
    if (!mark) co_return nothing_here();
    co_await note(services, call, *mark, app::open_fact);
    http::ServerResponse response;
    response.headers.push_back({"Content-Type", "image/gif"});
    forbid_copies(response);
    response.body.assign(std::begin(pixel), std::end(pixel));
    co_return response;
}

}  // namespace

// Public: the link is the proof. HEAD comes here too, and counts as a program's.
void add_link_routes(Router& router, Services& services) {
    router.add(public_route("GET", "/l/{token}", bound(services, follow)));
    router.add(public_route("GET", "/o/{token}", bound(services, show_pixel)));
}

}  // namespace pawl::api
