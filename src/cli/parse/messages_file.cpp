#include "cli/parse/messages_file.hpp"

#include "model/document.hpp"
#include "workers/settings_part.hpp"

#include <map>
#include <string>

namespace pawl::cli {

namespace {

// What every provider has.
template <class Settings>
Settings read_login(
    workers::SettingsPart& channel,
    const std::map<std::string, typename Settings::Provider>& providers
) {
    Settings settings;
    settings.provider = channel.one_of<typename Settings::Provider>("provider", providers);
    settings.url = channel.text("url");
    settings.user = channel.text("user");
    channel.secret("key", settings.key);
    settings.from = channel.text("from");
    return settings;
}

Result<steps::EmailSettings> read_email(const Document& map) {
    using Provider = steps::EmailSettings::Provider;
    workers::SettingsPart channel(
        map, "email", {"provider", "url", "user", "key", "key_env", "from", "tls"}
    );
    auto email = read_login<steps::EmailSettings>(
        channel, {{"smtp", Provider::smtp}, {"resend", Provider::resend}}
    );
    email.plain = channel.text("tls") == "off";
    channel.need("from");
    if (email.provider == Provider::smtp) channel.need("url");
    if (channel.problem()) return *channel.problem();
    return email;
}

Result<steps::SmsSettings> read_sms(const Document& map) {
    using Provider = steps::SmsSettings::Provider;
    workers::SettingsPart channel(
        map, "sms", {"provider", "url", "account", "user", "key", "key_env", "from"}
    );
    auto sms = read_login<steps::SmsSettings>(
        channel, {{"twilio", Provider::twilio}, {"8x8", Provider::eight_by_eight}}
    );
    sms.account = channel.text("account");
    channel.need("account");
    if (channel.problem()) return *channel.problem();
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
