#include "steps/redact.hpp"

#include "base/base64url.hpp"
#include "base/json.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pawl::steps {
namespace {

const std::string secret = "s3cr\"t/é+key?";

std::string hidden(std::string text) {
    Redactor({secret}).hide(text);
    return text;
}

json::value hidden_in(const std::string& text, const std::string& what = secret) {
    json::value value = parse_json(text).value();
    Redactor({what}).hide(value);
    return value;
}

std::string base64(const std::string& bytes) {
    std::string text = to_base64url(bytes);
    std::replace(text.begin(), text.end(), '-', '+');
    std::replace(text.begin(), text.end(), '_', '/');
    while (text.size() % 4 != 0) text += '=';
    return text;
}

TEST(Redact, AsItIsAndEscaped) {
    EXPECT_EQ(hidden("a " + secret + " b " + secret), "a (secret) b (secret)");
    EXPECT_EQ(hidden("\"s3cr\\\"t/é+key?\""), "\"(secret)\"");
    EXPECT_EQ(hidden("s3cr\\u0022t\\/\\u00e9+key?!"), "(secret)!");
    EXPECT_EQ(hidden("s3cr\\\\\\\"t/é+key?!"), "(secret)!") << "JSON in JSON";
    EXPECT_EQ(hidden("k=s3cr%22t%2F%C3%A9%2Bkey%3F&x=1"), "k=(secret)&x=1");
    EXPECT_EQ(hidden("k=s3cr%22t/%c3%a9+key%3f"), "k=(secret)") << "small digits, less escaped";
    EXPECT_EQ(hidden("k=s3cr%2522t%252F%25C3%25A9%252Bkey%253F"), "k=(secret)");
}

TEST(Redact, InBase64AtEveryOffset) {
    for (const std::string before : {"", "u", "us", "user:", "a longer text:"}) {
        for (const std::string after : {"", "x", "xy", "xyz"}) {
            for (const bool url : {false, true}) {
                const std::string bytes = before + secret + after;
                const std::string text = url ? to_base64url(bytes) : base64(bytes);
                const std::string out = hidden("Basic " + text + ".");
                EXPECT_NE(out.find("(secret)"), std::string::npos) << text;
                // What is left is from the bytes around it: no four characters of its middle.
                const std::string middle = text.substr((before.size() + 4) * 4 / 3, 6);
                EXPECT_EQ(out.find(middle), std::string::npos) << out;
            }
        }
    }
    EXPECT_EQ(
        hidden("Basic " + base64("harmless text of somebody")).find("(secret)"), std::string::npos
    );
}

TEST(Redact, InHexadecimalDigits) {
    EXPECT_EQ(hidden("x733363722274 2f"), "x733363722274 2f");
    EXPECT_EQ(hidden("=7333637222742fc3a92b6b65793f="), "=(secret)=");
    EXPECT_EQ(hidden("=7333637222742FC3A92B6B65793F="), "=(secret)=");
}

json::value read(const std::string& text) {
    return parse_json(text).value();
}

TEST(Redact, KeysNumbersAndDepth) {
    EXPECT_EQ(
        hidden_in(R"j({"a": [{"x token-1234 y": {"b": "token-1234"}}]})j", "token-1234"),
        read(R"j({"a": [{"x (secret) y": {"b": "(secret)"}}]})j")
    );
    EXPECT_EQ(hidden_in("[12345678, 1234567]", "12345678"), read(R"j(["(secret)", 1234567])j"));
    EXPECT_EQ(hidden_in(R"j(["abc", "abcd"])j", "abc"), read(R"j(["(secret)", "abcd"])j"))
        << "a short one is a secret only where it is all there is";
    EXPECT_EQ(
        hidden_in(R"j(["abcdefgh1 said"])j", "Bearer abcdefgh1"), read(R"j(["(secret) said"])j")
    );
}

TEST(Redact, HeadersThatAnEchoNames) {
    EXPECT_EQ(
        hidden_in(R"j({"headers": {"AUTHORIZATION": "rot13", "Cookie": "c", "X-Api-Key": "k",
                       "Accept": "a"}, "access_token": "t"})j"),
        read(R"j({"headers": {"AUTHORIZATION": "(secret)", "Cookie": "(secret)",
                  "X-Api-Key": "(secret)", "Accept": "a"}, "access_token": "t"})j")
    ) << "a token that the workflow was given is its own";
}

TEST(Redact, MessagesForPeopleShowNothingUnderTellingNames) {
    EXPECT_EQ(
        without_sensitive_keys(read(R"j({"user": "ann", "Password": "p", "deep": [
            {"api_key": 1, "refreshToken": "t", "client-secret": {"a": 1}, "token": null}]})j")),
        read(R"j({"user": "ann", "Password": "(secret)", "deep": [
            {"api_key": "(secret)", "refreshToken": "(secret)", "client-secret": "(secret)",
             "token": null}]})j")
    );
}

}  // namespace
}  // namespace pawl::steps
