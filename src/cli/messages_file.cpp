#include "cli/messages_file.hpp"

#include "model/document.hpp"

#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace pawl::cli {

namespace {

// One channel as written: its texts by key, and the first thing that is wrong.
class Channel {
public:
    Channel(const Document& map, std::string path, std::set<std::string_view> known)
        : line_(map.line), path_(std::move(path)) {
        if (map.kind != Document::Kind::map) wrong(map.line, "", "must be a map");
        for (const auto& member : map.members) {
            if (!known.contains(member.key)) {
                wrong(member.line, member.key, "is not known here");
            } else if (!member.value.is_text()) {
                wrong(member.line, member.key, "must be text, in quotes if it looks like a number");
            } else {
                texts_[member.key] = member.value.text();
                lines_[member.key] = member.line;
            }
        }
    }

    std::string text(const std::string& key) const {
        const auto found = texts_.find(key);
        return found == texts_.end() ? std::string() : found->second;
    }

    std::string key() {
        if (!texts_.contains("key_env")) return text("key");
        const char* value = std::getenv(texts_["key_env"].c_str());
        if (value != nullptr) return value;
        wrong(lines_["key_env"], "key_env", "the variable " + texts_["key_env"] + " is not set");
        return {};
    }

    void need(const std::string& key) {
        if (text(key).empty()) wrong(line_, key, "is missing");
    }

    template <class Provider>
    Provider one_of(const std::map<std::string, Provider>& providers) {
        const auto found = providers.find(text("provider"));
        if (found != providers.end()) return found->second;
        std::string names;
        for (const auto& [name, provider] : providers)
            names += (names.empty() ? "" : " or ") + name;
        const auto line = lines_.find("provider");
        wrong(line == lines_.end() ? line_ : line->second, "provider", "must be " + names);
        return Provider::none;
    }

    std::optional<Error> problem;

private:
    void wrong(int line, std::string_view key, std::string_view what) {
        if (problem) return;
        std::string place = path_;
        if (!key.empty()) place += "." + std::string(key);
        problem = error_at(line, place, what);
    }

    int line_;
    std::string path_;
    std::map<std::string, std::string, std::less<>> texts_;
    std::map<std::string, int, std::less<>> lines_;
};

Result<steps::EmailSettings> read_email(const Document& map) {
    using Provider = steps::EmailSettings::Provider;
    Channel channel(map, "email", {"provider", "url", "user", "key", "key_env", "from", "tls"});
    steps::EmailSettings email;
    email.provider =
        channel.one_of<Provider>({{"smtp", Provider::smtp}, {"resend", Provider::resend}});
    email.url = channel.text("url");
    email.user = channel.text("user");
    email.key = channel.key();
    email.from = channel.text("from");
    email.plain = channel.text("tls") == "off";
    channel.need("from");
    if (email.provider == Provider::smtp) channel.need("url");
    if (channel.problem) return *channel.problem;
    return email;
}

Result<steps::SmsSettings> read_sms(const Document& map) {
    using Provider = steps::SmsSettings::Provider;
    Channel channel(map, "sms", {"provider", "url", "account", "user", "key", "key_env", "from"});
    steps::SmsSettings sms;
    sms.provider =
        channel.one_of<Provider>({{"twilio", Provider::twilio}, {"8x8", Provider::eight_by_eight}});
    sms.url = channel.text("url");
    sms.account = channel.text("account");
    sms.user = channel.text("user");
    sms.key = channel.key();
    sms.from = channel.text("from");
    channel.need("account");
    if (channel.problem) return *channel.problem;
    return sms;
}

}  // namespace

Result<steps::MessageSettings> parse_messages(std::string_view text) {
    const auto document = read_document(text, DefinitionLimits{});
    if (!document) return document.error();
    if (document->kind != Document::Kind::map)
        return error_at(document->line, "", "must be a map with email and sms");
    steps::MessageSettings settings;
    for (const auto& member : document->members) {
        if (member.key == "email") {
            auto email = read_email(member.value);
            if (!email) return email.error();
            settings.email = std::move(*email);
        } else if (member.key == "sms") {
            auto sms = read_sms(member.value);
            if (!sms) return sms.error();
            settings.sms = std::move(*sms);
        } else {
            return error_at(member.line, member.key, "is not known here");
        }
    }
    return settings;
}

}  // namespace pawl::cli
