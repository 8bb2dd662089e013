#include "api/http/call_body.hpp"
#include "api/http/preference_page.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "connect/form.hpp"

namespace pawl::api {

namespace {

std::string_view accepted_language(const Call& call) {
    const std::string* found = http::find_header(call.request.headers, "Accept-Language");
    return found == nullptr ? std::string_view() : std::string_view(*found);
}

asio::awaitable<http::ServerResponse> answer(Services& services, Call call, bool saved) {
    const std::string_view asked = accepted_language(call);
    const auto link = app::open_preferences(services.seal, call.params.at(0));
    if (!link) co_return no_preference_page(page_language("", asked));
    const auto found = co_await app::find_preferences(services.app.consent, *link);
    if (!found) co_return no_preference_page(page_language("", asked));
    co_return preference_page(*found, page_language(found->locale, asked), saved);
}

// Opening it changes nothing: programs open links too.
asio::awaitable<http::ServerResponse> ask(Services& services, Call call) {
    return answer(services, std::move(call), false);
}

asio::awaitable<http::ServerResponse> save(Services& services, Call call) {
    const auto link = app::open_preferences(services.seal, call.params.at(0));
    auto shown = read_preferences(call.request.body);
    if (link && !shown.empty()) {
        const auto done =
            co_await app::save_preferences(services.app.consent, *link, std::move(shown));
        // The page says why not.
        if (!done && done.error().code != Errc::not_found) or_refuse(done);
    }
    co_return co_await answer(services, std::move(call), link.has_value());
}

// --- Links of a person, for who writes to them by other ways than a message step

app::PersonLink link_for(Services& services, const Call& call) {
    const std::string& key = call.params.at(0);
    if (key.size() > app::person_key_bytes_max) {
        refuse_parameter("key", "must have at most 500 bytes");
    }
    if (!services.seal.usable()) {
        refuse(
            503,
            "no_link_secret",
            "links need a secret to be signed with: start the server with --link-secret"
        );
    }
    return {tenant_of(call), key};
}

asio::awaitable<http::ServerResponse> links(Services& services, Call call) {
    only_params(call, {});
    const app::PersonLink link = link_for(services, call);
    app::UnsubscribeLink all;
    all.tenant = link.tenant;
    all.person = link.person;
    json::object out{{"key", link.person}};
    out["preferences_url"] = app::preferences_url(services.seal, services.public_url, link);
    out["unsubscribe_url"] = app::unsubscribe_url(services.seal, services.public_url, all);
    co_return json_response(200, out);
}

constexpr Duration nonce_life = std::chrono::minutes(30);
constexpr std::size_t link_token_max = 500;

// The person has logged in at the caller's, and came there with a link token of LINE.
asio::awaitable<http::ServerResponse> link_line(Services& services, Call call) {
    only_params(call, {});
    const app::PersonLink link = link_for(services, call);
    CallBody body(call);
    const auto token = body.name("link_token", link_token_max);
    if (!token && body.places().empty()) {
        body.wrong("link_token", "is required: what LINE gave for the user");
    }
    body.finish();
    const Instant expires = wall_now() + nonce_life;
    const auto nonce = app::seal_line_nonce(services.seal, link, expires);
    if (!nonce) refuse_parameter("key", "is too long: LINE takes a nonce of 255 characters");
    json::object out{{"key", link.person}, {"nonce", *nonce}};
    out["url"] = "https://access.line.me/dialog/bot/accountLink?linkToken=" +
                 connect::percent_encoded(*token) + "&nonce=" + *nonce;
    out["expires_at"] = to_rfc3339(expires);
    co_return json_response(201, out);
}

}  // namespace

void add_preference_routes(Router& router, Services& services) {
    // The link is the proof.
    router.add(public_route("GET", "/p/{token}", bound(services, ask)));
    Route act = public_route("POST", "/p/{token}", bound(services, save));
    act.prove = [&services](const Call& call) -> asio::awaitable<std::int32_t> {
        const auto link = app::open_preferences(services.seal, call.params.at(0));
        if (!link) refuse(413, "body_too_large", "this link is not valid");
        co_return link->tenant.id;
    };
    router.add(std::move(act));
    const std::string person = "/v1/people/{key}";
    const auto write = Scope::runs_write;
    Route own{"GET", person + "/links", write, bound(services, links), {}};
    own.cross_origin = false;
    router.add(std::move(own));
    router.add(with_secret({"POST", person + "/line-link", write, bound(services, link_line), {}}));
}

}  // namespace pawl::api
