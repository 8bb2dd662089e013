#include "workers/settings_part.hpp"

#include <cstdlib>

namespace pawl::workers {

SettingsPart::SettingsPart(
    const Document& map, std::string path, const std::set<std::string_view>& known
)
    : line_(map.line), path_(std::move(path)) {
    if (map.kind != Document::Kind::map) wrong_at(map.line, "", "must be a map");
    for (const auto& member : map.members) {
        if (!known.contains(member.key)) {
            wrong_at(member.line, member.key, "is not known here");
        } else if (!member.value.is_text()) {
            wrong_at(member.line, member.key, "must be text, in quotes if it looks like a number");
        } else {
            texts_[member.key] = {std::string(member.value.text()), member.line};
        }
    }
}

std::string SettingsPart::text(std::string_view key) const {
    const auto found = texts_.find(key);
    return found == texts_.end() ? std::string() : found->second.text;
}

void SettingsPart::text(std::string_view key, std::string& into) const {
    if (texts_.contains(key)) into = text(key);
}

void SettingsPart::secret(std::string_view key, std::string& into) {
    text(key, into);
    const std::string named = std::string(key) + "_env";
    const std::string variable = text(named);
    if (!texts_.contains(named)) return;
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr) return wrong(named, "the variable " + variable + " is not set");
    into = value;
}

void SettingsPart::on_off(std::string_view key, bool& into) {
    if (!texts_.contains(key)) return;
    const std::string written = text(key);
    if (written != "on" && written != "off") wrong(key, "must be on or off");
    into = written == "on";
}

void SettingsPart::need(std::string_view key) {
    if (text(key).empty()) wrong_at(line_, key, "is missing");
}

void SettingsPart::wrong(std::string_view key, std::string_view what) {
    const auto found = texts_.find(key);
    wrong_at(found == texts_.end() ? line_ : found->second.line, key, what);
}

void SettingsPart::wrong_at(int line, std::string_view key, std::string_view what) {
    if (problem_) return;
    problem_ = error_at(line, key.empty() ? path_ : path_ + "." + std::string(key), what);
}

}  // namespace pawl::workers
