#include "steps/secrets.hpp"

#include "steps_fixture.hpp"

namespace pawl::steps {
namespace {

asio::awaitable<Result<std::string>> read_token(std::int32_t tenant, std::string name) {
    if (name != "token") {
        co_return Error{Errc::not_found, "there is no credential '" + name + "'", {}};
    }
    co_return "s3cret-of-" + std::to_string(tenant);
}

// With # for the quotes, since the texts hold )".
std::string quoted(std::string text) {
    for (char& c : text) {
        if (c == '#') c = '"';
    }
    return text;
}

json::object object(const std::string& text) {
    return parse_json(quoted(text)).value().as_object();
}

class SecretsTest : public StepTest {
protected:
    // A step whose config the planner has rendered as `rendered`.
    StepRequest asking(const json::object& templates, const std::string& rendered) {
        StepRequest request = step(NodeType::http, quoted(rendered));
        request.templates = &templates;
        request.tenant = 7;
        return request;
    }
};

TEST_F(SecretsTest, AStepAsksForSoManyAndNoMore) {
    std::string text;
    for (int i = 0; i < 51; ++i) text += "{{ credentials.c" + std::to_string(i) + " }}";
    json::object templates{{"body", text}};
    const auto many = run(reveal(read_token, asking(templates, "{#url#: #http://x/#}")));
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().message, "the step asks for more than 50 credentials");

    const auto read_long = [](std::int32_t, std::string) -> asio::awaitable<Result<std::string>> {
        co_return std::string(65'536, 'x');
    };
    templates["body"] = "{{credentials.a}}{{credentials.b}}";
    EXPECT_TRUE(run(reveal(read_long, asking(templates, "{#url#: #http://x/#}"))));
    templates["body"] = "{{credentials.a}}{{credentials.b}}{{credentials.c}}";
    const auto large = run(reveal(read_long, asking(templates, "{#url#: #http://x/#}")));
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().message, "the step asks for more than 128 KiB of credentials");
}

TEST_F(SecretsTest, ArePutInWhereTheDefinitionHasThem) {
    const json::object templates = object(
        "{#url#: #{{ input.url }}#, #headers#: {#A#: #Bearer {{ credentials.token }}#}, "
        "#body#: [{#k#: #{{credentials.token}}#}, #{{ input.text }}#]}"
    );
    EXPECT_TRUE(asks_for_credentials(templates));
    const auto request = asking(
        templates,
        "{#url#: #http://x/#, #headers#: {#A#: #Bearer (secret)#}, "
        "#body#: [{#k#: #(secret)#}, #{{ credentials.token }} (secret)#]}"
    );
    const auto revealed = run(reveal(read_token, request));
    ASSERT_TRUE(revealed);
    EXPECT_EQ(
        revealed->request.config,
        object("{#url#: #http://x/#, #headers#: {#A#: #Bearer s3cret-of-7#}, "
               "#body#: [{#k#: #s3cret-of-7#}, #{{ credentials.token }} (secret)#]}")
    ) << "data that looks like a placeholder is data";
    EXPECT_EQ(revealed->secrets, std::vector<std::string>{"s3cret-of-7"});
}

TEST_F(SecretsTest, GoOnlyWhereTheDefinitionSays) {
    const json::object elsewhere =
        object("{#url#: #https://{{ input.host }}/x#, #headers#: {#A#: #{{ credentials.token }}#}}"
        );
    const auto led = run(reveal(
        read_token, asking(elsewhere, "{#url#: #https://evil/x#, #headers#: {#A#: #(secret)#}}")
    ));
    ASSERT_FALSE(led);
    EXPECT_NE(led.error().message.find("host of its url"), std::string::npos);
    const json::object inside = object("{#url#: #https://h/x?key={{ credentials.token }}#}");
    const auto sent = run(reveal(
        [](std::int32_t, std::string) -> asio::awaitable<Result<std::string>> {
            co_return "a&b/c";
        },
        asking(inside, "{#url#: #https://h/x?key=(secret)#}")
    ));
    ASSERT_TRUE(sent);
    EXPECT_EQ(sent->request.config.at("url"), "https://h/x?key=a%26b%2Fc");
}

TEST_F(SecretsTest, WhatIsMissingIsNamed) {
    const json::object templates = object("{#url#: #{{ credentials.other }}#}");
    const auto missing = run(reveal(read_token, asking(templates, "{#url#: #(secret)#}")));
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("'other'"), std::string::npos);
    EXPECT_FALSE(run(reveal({}, asking(templates, "{#url#: #(secret)#}"))));
    EXPECT_FALSE(asks_for_credentials(object("{#url#: #{{ input.credentials }}#}")));
}

TEST_F(SecretsTest, AreTakenOutOfTheAnswer) {
    const std::vector<std::string> secrets{"s3cret"};
    const auto answer = object("{#a#: [#x s3cret s3cret#, 1], #b#: {#c#: #s3cret#}}");
    EXPECT_EQ(
        without_secrets(completed(answer), secrets).result,
        object("{#a#: [#x (secret) (secret)#, 1], #b#: {#c#: #(secret)#}}")
    );
    const auto error = failed(ErrorClass::permanent, "http", "the peer said s3cret");
    EXPECT_EQ(without_secrets(error, secrets).error->message, "the peer said (secret)");
}

}  // namespace
}  // namespace pawl::steps
