#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/task_page.hpp"
#include "api/services.hpp"

namespace pawl::api {

namespace {

constexpr const char* page_title = "Unsubscribe";

std::optional<app::UnsubscribeLink> link_of(Services& services, const Call& call) {
    return app::open_unsubscribe(services.seal, call.params.at(0));
}

http::ServerResponse no_link() {
    return word_page(403, page_title, "This link is not valid. Was it copied as a whole?");
}

// Opening it changes nothing: programs open links too.
asio::awaitable<http::ServerResponse> ask(Services& services, Call call) {
    const auto link = link_of(services, call);
    if (!link) co_return no_link();
    const std::string what = link->channel == "*" ? "messages" : link->channel + " messages";
    co_return button_page(page_title, "Do you want no more " + what + " like this?", page_title);
}

// By the button of the page, or by a mail program (List-Unsubscribe=One-Click).
asio::awaitable<http::ServerResponse> unsubscribe(Services& services, Call call) {
    auto link = link_of(services, call);
    if (!link) co_return no_link();
    co_await app::unsubscribe_by_link(services.app.consent, std::move(*link));
    co_return word_page(200, page_title, "You will get no more messages of this kind.");
}

}  // namespace

void add_unsubscribe_routes(Router& router, Services& services) {
    // The link is the proof.
    const std::string page = "/v1/unsubscribe/{token}";
    router.add(public_route("GET", page, bound(services, ask)));
    router.add(public_route("POST", page, bound(services, unsubscribe)));
}

}  // namespace pawl::api
