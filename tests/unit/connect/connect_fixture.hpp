#pragma once

#include "base/json.hpp"
#include "connect/request.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace pawl::connect {

inline constexpr std::string_view message_uuid = "0190a5c0-7b1e-7c3a-9d2f-0123456789ab";
// 2026-01-31T09:00:00Z
inline const Instant noon{std::chrono::seconds(1769850000)};

inline const Connector& shipped(std::string_view name) {
    const Connector* found = find_shipped(name);
    if (found == nullptr) throw std::runtime_error("no such connector");
    return *found;
}

inline json::object object(std::string_view text) {
    return json::parse(text).as_object();
}

inline Account account(std::string_view credentials, std::string_view settings = "{}") {
    return {object(credentials), object(settings)};
}

inline Outgoing outgoing(std::string_view to, std::string_view content) {
    Outgoing message;
    message.message_id = message_uuid;
    message.to = to;
    message.channel = "test";
    message.content = json::parse(content);
    message.at = noon;
    return message;
}

inline std::string header(const http::Request& request, std::string_view name) {
    const std::string* value = http::find_header(request.headers, name);
    return value == nullptr ? "" : *value;
}

// "reason place", of what make_request refuses; "" when it takes the message.
inline std::string refused(
    std::string_view connector, const Account& with, const Outgoing& message
) {
    const auto call = make_request(shipped(connector), with, message);
    if (call) return "";
    std::string all;
    for (const auto& [key, value] : call.error().context) all += (all.empty() ? "" : " ") + value;
    return all;
}

inline Account line_account() {
    return account(R"({"channel_access_token":"tok","channel_secret":"channel-secret"})");
}
inline Account twilio_account(std::string_view from = "+15005550006") {
    Account made = account(R"({"account_sid":"AC1","auth_token":"12345"})");
    made.credentials["from"] = from;
    return made;
}
inline Account sms_account() {
    return account(
        R"({"subaccount_id":"sub_1","api_key":"k8","webhook_token":"hook-token"})",
        R"({"from":"Shop"})"
    );
}
inline Account resend_account() {
    return account(
        R"({"api_key":"re_1","webhook_secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})",
        R"({"from":"Shop <news@shop.example>"})"
    );
}
inline Account sendgrid_account() {
    return account(
        R"({"api_key":"SG.1","webhook_public_key":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtUR)"
        R"(uePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA=="})",
        R"({"from":"Shop <news@shop.example>","reply_to":"help@shop.example"})"
    );
}
inline Account smtp_account() {
    return account(
        R"({"url":"smtp://mail.example:587","username":"u","password":"p"})",
        R"({"from":"Shop <news@shop.example>"})"
    );
}

}  // namespace pawl::connect
