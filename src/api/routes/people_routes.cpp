#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/messages/person_uses.hpp"
#include "app/messages/timeline.hpp"
#include "app/views/message_json.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t search_bytes_max = 200;

const std::string& key_param(const Call& call) {
    const std::string& key = call.params.at(0);
    if (key.size() > app::person_key_bytes_max) {
        refuse_parameter("key", "must have at most 500 bytes");
    }
    return key;
}

// A person as a request describes them, without the key.
store::Person read_person(Body& body) {
    store::Person person;
    if (const json::object* given = body.object("attributes")) person.attributes = *given;
    if (const json::object* given = body.object("addresses")) person.addresses = *given;
    person.locale = body.text("locale", 35).value_or("");
    person.timezone = body.text("timezone", 100).value_or("");
    return person;
}

void check(const store::Person& person, Body& body, const std::string& pointer) {
    for (auto& one : app::person_problems(person, pointer)) {
        body.places().push_back({std::move(one.pointer), "", std::move(one.detail)});
    }
}

asio::awaitable<http::ServerResponse> put(app::PersonUses& uses, Call call) {
    CallBody body(call);
    store::Person person = read_person(body);
    person.key = key_param(call);
    check(person, body, "");
    body.finish();
    std::vector<store::Person> people;
    people.push_back(std::move(person));
    const auto kept =
        or_refuse(co_await app::put_people(uses, call.principal.tenant, std::move(people)));
    co_return json_response(200, app::to_json(kept.at(0)));
}

asio::awaitable<http::ServerResponse> put_many(app::PersonUses& uses, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    const json::array* list = body.array("people");
    if (places.empty() && (list == nullptr || list->empty() || list->size() > app::people_max)) {
        body.wrong("people", fmt::format("must have 1 to {} people", app::people_max));
    }
    body.refuse_unknown();
    refuse_if_wrong(places);
    std::vector<store::Person> people;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string pointer = fmt::format("/people/{}", i);
        const json::object* given = (*list)[i].if_object();
        if (given == nullptr) {
            places.push_back({pointer, "", "must be an object"});
            continue;
        }
        Body one(*given, places, pointer);
        store::Person person = read_person(one);
        person.key = one.text("key", app::person_key_bytes_max).value_or("");
        check(person, one, pointer);
        one.refuse_unknown();
        people.push_back(std::move(person));
    }
    refuse_if_wrong(std::move(places));
    const auto kept =
        or_refuse(co_await app::put_people(uses, call.principal.tenant, std::move(people)));
    co_return json_response(200, json::object{{"count", kept.size()}});
}

asio::awaitable<http::ServerResponse> list(app::PersonUses& uses, Call call) {
    only_params(call, {"q", "limit", "cursor"});
    const int limit = limit_of(call);
    if (const std::string text = text_param(call, "q"); !text.empty()) {
        if (text.size() > search_bytes_max) {
            refuse_parameter("q", fmt::format("must have at most {} bytes", search_bytes_max));
        }
        const auto found = or_refuse(
            co_await app::search_people(uses, call.principal.tenant, cursor_of(call), text, limit)
        );
        co_return page_response(found.people, found.next, [](const auto& person) {
            return app::to_json(person);
        });
    }
    auto people =
        or_refuse(co_await app::list_people(uses, call.principal.tenant, cursor_of(call), limit + 1)
        );
    std::optional<std::string> next;
    if (cut_to(people, limit)) next = people.back().key;
    co_return page_response(people, next, [](const auto& person) { return app::to_json(person); });
}

asio::awaitable<http::ServerResponse> show(app::PersonUses& uses, Call call) {
    only_params(call, {});
    const auto found =
        or_refuse(co_await app::find_person(uses, call.principal.tenant, key_param(call)));
    co_return json_response(200, app::to_json(found));
}

asio::awaitable<http::ServerResponse> erase(app::PersonUses& uses, Call call) {
    only_params(call, {"runs"});
    const std::string& key = key_param(call);
    const bool runs = flag_param(call, "runs").value_or(false);
    const auto forgotten =
        or_refuse(co_await app::erase_person(uses, call.principal.tenant, key, runs));
    co_return json_response(200, json::object{{"key", key}, {"erased", true}, {"runs", forgotten}});
}

asio::awaitable<http::ServerResponse> timeline(app::PersonUses& uses, Call call) {
    only_params(call, {"limit", "cursor"});
    app::TimelineCursor before;
    if (const std::string cursor = cursor_of(call); !cursor.empty()) {
        const auto read = app::parse_timeline_cursor(cursor);
        if (!read) refuse_cursor();
        before = *read;
    }
    const auto page = co_await app::person_timeline(
        uses, tenant_of(call), key_param(call), std::move(before), limit_of(call)
    );
    std::optional<std::string> next;
    if (page.next) next = app::to_text(*page.next);
    co_return page_response(page.entries, next, [](const auto& entry) {
        return app::to_json(entry);
    });
}

}  // namespace

void add_people_routes(Router& router, app::PersonUses& uses) {
    const std::string one = "/v1/people/{key}";
    const auto read = Scope::runs_read;
    const auto write = Scope::runs_write;
    router.add({"GET", "/v1/people", read, bound(uses, list), {}});
    router.add({"POST", "/v1/people", write, bound(uses, put_many), {}});
    router.add({"GET", one, read, bound(uses, show), {}});
    router.add({"PUT", one, write, bound(uses, put), {}});
    router.add({"DELETE", one, Scope::admin, bound(uses, erase), {}});
    router.add({"GET", one + "/timeline", read, bound(uses, timeline), {}});
}

}  // namespace pawl::api
