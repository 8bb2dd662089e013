#include "api/auth/task_link.hpp"
#include "api/http/call_body.hpp"
#include "api/http/preference_page.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/task_page.hpp"
#include "api/services.hpp"
#include "base/exact_json.hpp"
#include "model/duration.hpp"
#include "model/json_schema.hpp"

#include <fmt/format.h>

namespace pawl::api {

namespace {

constexpr Duration link_life = std::chrono::hours(24 * 7);
constexpr std::size_t reason_max = 2000;

asio::awaitable<http::ServerResponse> make_link(Services& services, Call call) {
    only_params(call, {});
    if (!services.seal.usable()) {
        refuse(
            503,
            "no_link_secret",
            "links need a secret to be signed with: start the server with --link-secret"
        );
    }
    CallBody body(call);
    const auto by = body.person("by", 500);
    if (!by && body.places().empty()) body.wrong("by", "is required: who decides by this link?");
    Duration life = link_life;
    if (const auto text = body.text("expires_in", 40)) {
        const auto given = parse_duration(*text);
        if (!given || *given <= Duration(0)) {
            body.wrong("expires_in", given ? "must be longer than zero" : given.error().message);
        } else {
            life = *given;
        }
    }
    body.finish();
    const auto task =
        or_refuse(co_await app::find_task(services.app.tasks, tenant_of(call), task_param(call)));
    if (!app::may_decide(task, by.value_or(""))) {
        refuse_places(
            "a link needs a person who may decide", {{"/by", "", "may not decide this task"}}
        );
    }
    TaskLink link{task.id, tenant_of(call), by.value_or(""), wall_now() + life};
    json::object out;
    out["url"] = services.public_url + "/v1/tasks/" + to_string(task.id) +
                 "/decide?token=" + seal_link(services.seal, link);
    out["expires_at"] = to_rfc3339(link.expires);
    co_return json_response(201, out);
}

// In the language of the browser.
const TaskWords& words_for(const Call& call) {
    const std::string* wanted = http::find_header(call.request.headers, "Accept-Language");
    return task_words(page_language("", wanted == nullptr ? "" : *wanted));
}

template <typename... Given>
std::string said(const char* sentence, const Given&... given) {
    return fmt::format(fmt::runtime(sentence), given...);
}

// What a person should read instead of a problem.
struct NotPossible {
    int status = 400;
    std::string word;
};

// The link of a request, or a page that says what is wrong with it.
std::optional<TaskLink> link_of(Services& services, const Call& call, NotPossible& why) {
    auto link = open_link(services.seal, text_param(call, "token"));
    const auto task = parse_uuid(call.params.at(0));
    if (!link || !task || link->task != *task) {
        why = {403, words_for(call).no_link};
        return std::nullopt;
    }
    if (link->expires <= wall_now()) {
        why = {410, words_for(call).expired_link};
        return std::nullopt;
    }
    return link;
}

http::ServerResponse closed_page(const store::HumanTask& task, const TaskWords& say) {
    const std::string state = state_word(say, task.state);
    const std::string word = task.decided_by.empty()
                                 ? said(say.closed, state)
                                 : said(say.decided, state, store::called(task, task.decided_by));
    return word_page(409, task.title, word, say.language);
}

using LinkHandler =
    asio::awaitable<http::ServerResponse> (*)(Services&, Call, TaskLink, store::HumanTask);

// Handles a request with the open task that its link leads to, or says why there is none.
template <LinkHandler handle>
asio::awaitable<http::ServerResponse> with_linked(Services& services, Call call) {
    NotPossible why;
    const TaskWords& say = words_for(call);
    const auto link = link_of(services, call, why);
    if (!link) co_return word_page(why.status, say.page, why.word, say.language);
    auto task = co_await services.app.tasks.tasks.find(link->tenant, link->task);
    if (!task) co_return word_page(404, say.page, say.no_task, say.language);
    if (task->state != "open") co_return closed_page(*task, say);
    co_return co_await handle(services, std::move(call), *link, std::move(*task));
}

asio::awaitable<http::ServerResponse> show_link(
    Services&, Call call, TaskLink link, store::HumanTask task
) {
    co_return ask_page(task, link.by, words_for(call));
}

// What the form says, or what is wrong with it.
Result<store::TaskAction> action_of(
    const TaskForm& form,
    const TaskLink& link,
    const store::HumanTask& task,
    const TaskWords& say,
    FormProblems& wrong
) {
    store::TaskAction action;
    action.by = link.by;
    action.reason = form.reason;
    if (form.reason.size() > reason_max) return Error{Errc::invalid, say.reason_too_long, {}};
    if (form.decision == "reject") {
        action.kind = store::TaskActionKind::reject;
        if (form.reason.empty()) return Error{Errc::invalid, say.say_why, {}};
        return action;
    }
    if (form.decision != "approve") return Error{Errc::invalid, say.choose, {}};
    if (form.data.empty() && !form.fields.empty() && has_fields(task.form)) {
        action.data = read_fields(task.form, task.data, form.fields, wrong);
        if (!wrong.empty()) return Error{Errc::invalid, say.look_at_fields, {}};
        return action;
    }
    if (form.data.empty()) return action;
    auto data = parse_exact_json(form.data);
    if (!data) return Error{Errc::invalid, said(say.no_json, data.error().message), {}};
    action.data = std::move(*data);
    return action;
}

// Says what was refused: what the form does not allow in the words of the page.
void note_problems(
    TaskWrong& wrong,
    const store::HumanTask& task,
    const json::value& filled,
    const Problem& problem,
    const TaskWords& say
) {
    std::vector<ProblemPlace> places = problem.places;
    auto by_form = check_document(task.form, filled, say.form);
    if (!by_form.empty()) places.clear();
    for (SchemaProblem& one : by_form) {
        places.push_back({"/data" + one.pointer, "", std::move(one.message)});
    }
    const bool fields = has_fields(task.form);
    wrong.word = fields || !by_form.empty() ? say.look_at_fields : problem.detail;
    for (ProblemPlace& place : places) {
        if (fields && place.pointer.starts_with("/data/")) {
            wrong.fields.emplace(place.pointer.substr(5), std::move(place.detail));
        } else {
            wrong.word += "\n" + place.pointer + " " + place.detail;
        }
    }
}

asio::awaitable<http::ServerResponse> decide_by_link(
    Services& services, Call call, TaskLink link, store::HumanTask task
) {
    const TaskForm form = read_form(call.request.body);
    const TaskWords& say = words_for(call);
    TaskWrong wrong;
    auto action = action_of(form, link, task, say, wrong.fields);
    if (!action) {
        wrong.word = action.error().message;
        co_return ask_page(task, link.by, say, form, wrong, 422);
    }
    const json::value filled = action->data ? *action->data : task.data;
    // Unchanged is not edited.
    if (action->data && *action->data == task.data) action->data.reset();
    const auto after =
        co_await app::act_on_task(services.app.tasks, link.tenant, link.task, std::move(*action));
    if (after) {
        const bool open = after->state == "open";
        const std::string word =
            open ? say.thanks_others : said(say.thanks, state_word(say, after->state));
        co_return word_page(200, after->title, word, say.language);
    }
    const Problem problem = to_problem(after.error());
    if (problem.status != 422) {
        co_return word_page(problem.status, task.title, problem.detail, say.language);
    }
    note_problems(wrong, task, filled, problem, say);
    co_return ask_page(task, link.by, say, form, wrong, 422);
}

}  // namespace

void add_task_link_routes(Router& router, Services& services) {
    router.add(with_secret(
        {"POST", "/v1/tasks/{id}/links", Scope::tasks_write, bound(services, make_link), {}}
    ));
    // Public: the link is the proof. Pages of other origins have no business here.
    Route show{
        "GET",
        "/v1/tasks/{id}/decide",
        {},
        bound(services, with_linked<show_link>),
        {},
        false,
        false};
    Route decide = show;
    decide.method = "POST";
    decide.handler = bound(services, with_linked<decide_by_link>);
    decide.prove = [&services](const Call& call) -> asio::awaitable<std::int32_t> {
        NotPossible why;
        const auto link = link_of(services, call, why);
        if (!link) refuse(why.status, "invalid_token", why.word);
        co_return link->tenant.id;
    };
    router.add(std::move(show));
    router.add(std::move(decide));
}

}  // namespace pawl::api
