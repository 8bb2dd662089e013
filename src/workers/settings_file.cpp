#include "workers/settings_file.hpp"

#include "model/document.hpp"
#include "workers/settings_part.hpp"

namespace pawl::workers {

namespace {

std::optional<Error> read_model(const Document& map, ModelSettings& model) {
    SettingsPart part(
        map,
        "model",
        {"url",
         "key",
         "key_env",
         "model",
         "reply_tokens",
         "run_tokens",
         "run_cost",
         "price_in",
         "price_out",
         "stream",
         "json_schema",
         "tokens_field"}
    );
    part.text("url", model.url);
    while (model.url.ends_with('/')) model.url.pop_back();
    part.secret("key", model.key);
    part.text("model", model.model);
    part.text("tokens_field", model.tokens_field);
    part.number("reply_tokens", model.reply_tokens_max);
    part.number("run_tokens", model.run_tokens_max);
    part.number("run_cost", model.run_cost_max);
    part.number("price_in", model.price_in);
    part.number("price_out", model.price_out);
    part.on_off("stream", model.stream);
    part.on_off("json_schema", model.json_schema);
    part.need("url");
    return part.problem();
}

std::optional<Error> read_calendar(const Document& map, CalendarSettings& calendar) {
    SettingsPart part(map, "calendar", {"caldav_url", "user", "password", "password_env"});
    part.text("caldav_url", calendar.caldav_url);
    while (calendar.caldav_url.ends_with('/')) calendar.caldav_url.pop_back();
    part.text("user", calendar.user);
    part.secret("password", calendar.password);
    return part.problem();
}

}  // namespace

Result<void> parse_settings(std::string_view text, WorkerSettings& settings) {
    const auto document = read_document(text, DefinitionLimits{});
    if (!document) return document.error();
    if (document->kind != Document::Kind::map) {
        return error_at(document->line, "", "must be a map with model and calendar");
    }
    for (const auto& member : document->members) {
        std::optional<Error> problem;
        if (member.key == "model") {
            problem = read_model(member.value, *settings.model);
        } else if (member.key == "calendar") {
            problem = read_calendar(member.value, settings.calendar);
        } else {
            problem = error_at(member.line, member.key, "is not known here");
        }
        if (problem) return *problem;
    }
    return {};
}

}  // namespace pawl::workers
