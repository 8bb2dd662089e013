#include "workflows/settings_file.hpp"

#include "model/document.hpp"

#include <charconv>
#include <cstdlib>
#include <map>
#include <set>

namespace pawl::workflows {

namespace {

// One part of the file: its texts by key, and the first thing that is wrong.
class Part {
public:
    Part(const Document& map, std::string path, const std::set<std::string_view>& known)
        : path_(std::move(path)) {
        if (map.kind != Document::Kind::map) wrong(map.line, "", "must be a map");
        for (const auto& member : map.members) {
            if (!known.contains(member.key)) {
                wrong(member.line, member.key, "is not known here");
            } else if (!member.value.is_text()) {
                wrong(member.line, member.key, "must be text, in quotes if it looks like a number");
            } else {
                texts_[member.key] = {std::string(member.value.text()), member.line};
            }
        }
    }

    void text(const std::string& key, std::string& into) {
        if (const auto found = texts_.find(key); found != texts_.end()) into = found->second.first;
    }
    // A secret, which may be in a variable.
    void secret(const std::string& key, std::string& into) {
        text(key, into);
        const auto found = texts_.find(key + "_env");
        if (found == texts_.end()) return;
        const char* value = std::getenv(found->second.first.c_str());
        if (value == nullptr) {
            wrong(found->second.second, key + "_env", "names a variable that is not set");
        } else {
            into = value;
        }
    }
    template <class Number>
    void number(const std::string& key, Number& into) {
        const auto found = texts_.find(key);
        if (found == texts_.end()) return;
        const std::string& text = found->second.first;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
        const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
        if (!whole || into < 0) wrong(found->second.second, key, "must be a number, 0 or more");
    }
    void on_off(const std::string& key, bool& into) {
        const auto found = texts_.find(key);
        if (found == texts_.end()) return;
        const std::string& text = found->second.first;
        if (text != "on" && text != "off") wrong(found->second.second, key, "must be on or off");
        into = text == "on";
    }
    void need(const std::string& key, const std::string& value, int line) {
        if (value.empty()) wrong(line, key, "is missing");
    }

    std::optional<Error> problem;

private:
    void wrong(int line, std::string_view key, std::string_view what) {
        if (problem) return;
        problem = error_at(line, key.empty() ? path_ : path_ + "." + std::string(key), what);
    }

    std::string path_;
    std::map<std::string, std::pair<std::string, int>, std::less<>> texts_;
};

std::optional<Error> read_model(const Document& map, ModelSettings& model) {
    Part part(
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
    part.need("url", model.url, map.line);
    return part.problem;
}

std::optional<Error> read_calendar(const Document& map, CalendarSettings& calendar) {
    Part part(map, "calendar", {"caldav_url", "user", "password", "password_env"});
    part.text("caldav_url", calendar.caldav_url);
    while (calendar.caldav_url.ends_with('/')) calendar.caldav_url.pop_back();
    part.text("user", calendar.user);
    part.secret("password", calendar.password);
    return part.problem;
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

}  // namespace pawl::workflows
