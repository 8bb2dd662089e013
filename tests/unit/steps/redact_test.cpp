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
        hidden("Basic " + base64("harmless text of a person")).find("(secret)"), std::string::npos
    );
}

TEST(Redact, InOtherCaseAndInHtml) {
    EXPECT_EQ(hidden("S3CR\"T/é+KEY? s3Cr\"t/é+Key?"), "(secret) (secret)");
    EXPECT_EQ(hidden("<b>s3cr&quot;t/é+key?</b>"), "<b>(secret)</b>");
    EXPECT_EQ(hidden("<b>s3cr&#34;t&#x2F;&#xe9;+key?</b>"), "<b>(secret)</b>");
    EXPECT_EQ(hidden("K=S3CR%22T%2f%c3%a9%2bKEY%3f"), "K=(secret)");
}

TEST(Redact, InBase64AcrossLinesAndEscapes) {
    const std::string text = base64("user:" + secret + " and more");
    std::string lines;
    for (std::size_t at = 0; at < text.size(); at += 8) lines += text.substr(at, 8) + "\r\n";
    const std::string middle = text.substr(8, 8);
    EXPECT_EQ(hidden(lines).find(middle), std::string::npos) << hidden(lines);
    std::string escaped;
    for (const char c : lines) {
        escaped += c == '\r' ? "\\r" : c == '\n' ? "\\n" : c == '/' ? "\\/" : std::string(1, c);
    }
    EXPECT_EQ(hidden(escaped).find(middle), std::string::npos) << hidden(escaped);
    std::string percent;
    for (const char c : text) percent += c == '+' ? "%2B" : c == '/' ? "%2F" : std::string(1, c);
    EXPECT_EQ(hidden(percent).find(middle), std::string::npos) << hidden(percent);
}

// Neither may take long nor make much of little, whatever the secret and the answer are.
TEST(Redact, SecretsInARowBecomeOne) {
    std::string text(1'000'000, 'a');
    Redactor({"aaaa"}).hide(text);
    EXPECT_EQ(text, "(secret)");
    text = "";
    for (int i = 0; i < 250'000; ++i) text += "YWFh";
    Redactor({std::string(65'000, 'a') + "b"}).hide(text);
    EXPECT_EQ(text.size(), 1'000'000) << "it is not in there";
}

TEST(Redact, ManySecretsWithManyWords) {
    std::string secret_of_words;
    for (int i = 0; i < 6'000; ++i) secret_of_words += "word" + std::to_string(10'000 + i) + " ";
    json::array numbers;
    for (int i = 0; i < 100'000; ++i) numbers.emplace_back(i);
    json::value value(std::move(numbers));
    const Redactor redactor({secret_of_words, "54321"});
    redactor.hide(value);
    EXPECT_EQ(value.at(54321), json::value("(secret)"));
    EXPECT_EQ(value.at(54322), json::value(54322));
    std::string text = "said WORD15999 and word16000";
    redactor.hide(text);
    EXPECT_EQ(text, "said (secret) and word16000");
}

TEST(Redact, InHexadecimalDigits) {
    EXPECT_EQ(hidden("=73:33:63:72:22:74:2f:c3:a9:2b:6b:65:79:3f="), "=(secret)=");
    EXPECT_EQ(hidden("=73 33 63 72 22 74 2f c3\na9 2b 6b 65 79 3f="), "=(secret)=");
    EXPECT_EQ(hidden("=a7333637222742fc3a92b6b65793f="), "=a(secret)=") << "at an odd place";

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
    EXPECT_EQ(hidden_in("[1234567.25]", "1234567.25"), read(R"j(["(secret)"])j"));
    EXPECT_EQ(hidden_in(R"j(["abc", "abcd"])j", "abc"), read(R"j(["(secret)", "abcd"])j"))
        << "a short one is a secret only where it is all there is";
    EXPECT_EQ(
        hidden_in(R"j(["abcdefgh1 said"])j", "Bearer abcdefgh1"), read(R"j(["(secret) said"])j")
    );
}

TEST(Redact, HeadersThatAnEchoNames) {
    EXPECT_EQ(
        hidden_in(R"j({"headers": {"AUTHORIZATION": "rot13", "Cookie": "c", "X-Api-Key": "k",
                       "Set-Cookie": ["sid=1", "b=2"], "Accept": "a"}, "access_token": "t"})j"),
        read(R"j({"headers": {"AUTHORIZATION": "(secret)", "Cookie": "(secret)",
                  "X-Api-Key": "(secret)", "Set-Cookie": ["(secret)", "(secret)"],
                  "Accept": "a"}, "access_token": "t"})j")
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
