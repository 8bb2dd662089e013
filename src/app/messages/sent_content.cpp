#include "app/messages/sent_content.hpp"

#include "app/messages/template_check.hpp"
#include "app/runs/folded_run.hpp"
#include "base/json.hpp"
#include "engine/core/step_context.hpp"
#include "model/template.hpp"
#include "plan/settle.hpp"
#include "steps/message_content.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

SentContent missing(std::string_view why) {
    return {{}, std::string(why)};
}

// The beginning of a log, up to what came of this message: the run as its step saw it.
void cut_before(std::vector<Event>& log, const store::Message& message) {
    const std::string id = to_string(message.id);
    const auto ends_it = [&](const Event& event) {
        const auto* data = event.data.if_object();
        return event.node == message.node && data != nullptr && text_in(*data, "message") == id;
    };
    auto end = std::find_if(log.begin(), log.end(), ends_it);
    if (end == log.end()) {
        // It failed, or is under way.
        const auto last = std::find_if(log.rbegin(), log.rend(), [&](const Event& event) {
            return event.node == message.node;
        });
        if (last != log.rend()) end = std::prev(last.base());
    }
    log.erase(end, log.end());
}

// The content of the template in the language of the person; null: the step has it itself.
asio::awaitable<Result<json::value>> written_content(
    MessageUses& uses,
    store::TenantId tenant,
    const store::Message& message,
    const json::object& person
) {
    if (message.message_template.empty()) co_return json::value();
    auto found =
        co_await uses.templates.find(tenant, message.message_template, message.template_version);
    if (!found) co_return Error{Errc::not_found, "the template is gone", {}};
    co_return found->languages[language_for(found->languages, text_in(person, "locale"))];
}

}  // namespace

asio::awaitable<SentContent> sent_content(
    MessageUses& uses, store::Tenant tenant, store::Message message
) {
    if (message.test) co_return missing("test");
    if (message.state == "skipped") co_return missing("skipped");
    const auto run = co_await find_run(uses.runs.store, tenant, message.run);
    if (!run) co_return missing("run_gone");
    // Of a person who was erased, messages name no one.
    if (message.person.empty() && !run->subject.empty()) co_return missing("erased");
    auto log = co_await uses.runs.store.load_log(tenant.bucket, message.run);
    cut_before(log, message);
    if (log.empty()) co_return missing("run_gone");
    const auto folded = co_await uses.runs.programs.fold(run->workflow_id, log);
    if (!folded) co_return missing("run_gone");
    const Definition& definition = folded->program->definition;
    const auto* token =
        plan::sender_of(definition, folded->state, message.id, to_string(message.run));
    if (token == nullptr) co_return missing("run_gone");

    json::object person;
    if (!message.person.empty()) {
        std::vector<store::PersonKey> keys{{tenant.id, message.person}};
        auto people = co_await uses.persons.read(std::move(keys));
        if (!people.empty() && people[0]) person = std::move(*people[0]);
    }
    const auto written = co_await written_content(uses, tenant.id, message, person);
    if (!written) co_return missing("template_gone");

    steps::StepRequest request;
    request.type = NodeType::message;
    request.wants_person = true;
    request.templates = &definition.nodes[token->node].config;
    engine::add_context(request, definition, folded->state, token->frame, token->id);
    for (const char* link : {"unsubscribe_url", "preferences_url"}) {
        request.known[text_of(Path{{link}})] = std::string("{{ ") + link + " }}";
    }
    request.known[text_of(Path{{"message"}, {"id"}})] = to_string(message.id);
    auto filled = steps::render_content(request, json::value(std::move(person)), *written);
    if (!filled) co_return missing("unfilled");
    co_return SentContent{std::move(filled->content), {}};
}

}  // namespace pawl::app
