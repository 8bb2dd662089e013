#include "base/base64url.hpp"
#include "base/jwt_parts.hpp"
#include "connect/form.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/keys.hpp"
#include "sandbox/wire.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::sandbox {

namespace {

constexpr std::size_t payload_max = 4096;
constexpr Duration token_time = std::chrono::hours(1);
constexpr std::string_view scope = "https://www.googleapis.com/auth/firebase.messaging";
constexpr std::string_view token_uri = "https://oauth2.googleapis.com/token";

http::ServerResponse refuse(
    int status, std::string_view word, std::string_view message, std::string_view code = ""
) {
    json::object error{{"code", status}, {"message", message}, {"status", word}};
    if (!code.empty()) {
        error["details"] = json::array{json::object{
            {"@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError"}, {"errorCode", code}}};
    }
    return json_answer(status, json::object{{"error", std::move(error)}});
}

http::ServerResponse invalid(std::string_view message) {
    return refuse(400, "INVALID_ARGUMENT", message, "INVALID_ARGUMENT");
}

http::ServerResponse no_grant(std::string_view why) {
    return json_answer(400, json::object{{"error", "invalid_grant"}, {"error_description", why}});
}

bool is_reserved(std::string_view key) {
    return key == "from" || key == "message_type" || key.starts_with("google.") ||
           key.starts_with("gcm.");
}

// The parts of a JWT; nothing when it is none.
struct Assertion {
    std::string signed_text;
    std::string signature;
    json::value claims;
};

std::optional<Assertion> read_assertion(std::string_view text) {
    const auto parts = split_jwt(text);
    if (!parts) return std::nullopt;
    const auto claims = from_base64url(parts->claims);
    const auto signature = from_base64url(parts->signature);
    if (!claims || !signature) return std::nullopt;
    auto parsed = parse_json(*claims);
    if (!parsed) return std::nullopt;
    return Assertion{std::string(parts->signed_text), *signature, std::move(*parsed)};
}

class Fcm final : public Provider {
public:
    std::string_view name() const override { return "fcm"; }

    void open(Account& account, Rng& rng) const override {
        // Of all accounts of this process: it takes long to make.
        static const KeyPair key = new_rsa_key();
        const std::string project = account.name + "-sandbox";
        const std::string email =
            fmt::format("firebase-adminsdk@{}.iam.gserviceaccount.com", project);
        account.proof = email;
        account.hook_key = key.private_pem;
        account.credentials = {
            {"service_account",
             json::object{
                 {"type", "service_account"},
                 {"project_id", project},
                 {"private_key_id", random_hex(rng, 40)},
                 {"private_key", key.private_pem},
                 {"client_email", email},
                 {"token_uri", token_uri}}}};
    }

    http::ServerResponse answer(Desk& desk, const Request& request) const override {
        if (request.is("POST", {"token"})) return grant(desk, request);
        const auto owner = desk.redeem("fcm " + std::string(request.bearer()), request.now, false);
        const Account* account = owner ? desk.find(name(), *owner) : nullptr;
        if (account == nullptr) {
            return refuse(
                401,
                "UNAUTHENTICATED",
                "Request had invalid authentication credentials. Expected OAuth 2 access token, "
                "login cookie or other valid authentication credential."
            );
        }
        if (!request.is("POST", {"v1", "projects", "*", "messages:send"})) {
            return refuse(404, "NOT_FOUND", "Requested entity was not found.");
        }
        const json::value& service = account->credentials.at("service_account");
        if (request.path[2] != text_in(service, "project_id")) {
            return refuse(403, "PERMISSION_DENIED", "The caller does not have permission");
        }
        const auto body = parse_json(request.body);
        if (!is_json_request(request) || !body || !body->is_object()) {
            return invalid("Invalid JSON payload received.");
        }
        return take(desk, *account, request, *body);
    }

    http::ServerResponse limited(int seconds) const override {
        return retry_after(
            seconds,
            refuse(
                429, "RESOURCE_EXHAUSTED", "Quota exceeded for sending messages.", "QUOTA_EXCEEDED"
            )
        );
    }
    http::ServerResponse broken() const override {
        return refuse(500, "INTERNAL", "Internal error encountered.", "INTERNAL");
    }
    // Firebase has no hooks: the app on the device knows what became of a push.
    std::optional<http::Request> hook(Desk&, const Account&, const std::vector<Event>&, Instant)
        const override {
        return std::nullopt;
    }

private:
    http::ServerResponse grant(Desk& desk, const Request& request) const {
        const auto form = connect::read_form(request.body);
        std::string type;
        std::string text;
        for (const auto& [key, value] : form.value_or(connect::Form())) {
            if (key == "grant_type") type = value;
            if (key == "assertion") text = value;
        }
        if (type != "urn:ietf:params:oauth:grant-type:jwt-bearer") {
            return json_answer(400, json::object{{"error", "unsupported_grant_type"}});
        }
        const auto assertion = read_assertion(text);
        if (!assertion) return no_grant("Bad Request");
        const Account* account = desk.holder(name(), text_in(assertion->claims, "iss"));
        if (account == nullptr) return no_grant("Invalid grant: account not found");
        if (!is_signed_rs256(account->hook_key, assertion->signed_text, assertion->signature)) {
            return no_grant("Invalid JWT Signature.");
        }
        if (text_in(assertion->claims, "aud") != token_uri)
            return no_grant("Invalid JWT: bad audience");
        if (text_in(assertion->claims, "scope") != scope) {
            return json_answer(400, json::object{{"error", "invalid_scope"}});
        }
        const auto until = whole_number(find(assertion->claims, "exp")).value_or(0);
        if (Instant(std::chrono::seconds(until)) < request.now) {
            return no_grant("Invalid JWT: Token must be a short-lived token (60 minutes)");
        }
        const std::string token = "ya29." + random_text(desk.rng(), 48);
        desk.issue("fcm " + token, account->name, request.now + token_time);
        return json_answer(
            200,
            json::object{{"access_token", token}, {"expires_in", 3599}, {"token_type", "Bearer"}}
        );
    }

    http::ServerResponse take(
        Desk& desk, const Account& account, const Request& request, const json::value& body
    ) const {
        const json::value* push = find(body, "message");
        if (push == nullptr || !push->is_object()) return invalid("The message is not set.");
        const std::string_view token = text_in(*push, "token");
        if (token.empty() && text_in(*push, "topic").empty() &&
            text_in(*push, "condition").empty()) {
            return invalid("Recipient of the message is not set.");
        }
        if (json::serialize(*push).size() > payload_max + 1000) {
            return invalid("Android message is too big");
        }
        if (const json::value* data = find(*push, "data"); data != nullptr && !data->is_null()) {
            if (!data->is_object()) return invalid("Invalid value at 'message.data' (Map)");
            for (const auto& [key, value] : data->get_object()) {
                if (!value.is_string())
                    return invalid("Invalid value at 'message.data[0].value' (TYPE_STRING)");
                if (is_reserved(key))
                    return invalid(
                        fmt::format("Invalid data payload key: {}", std::string_view(key))
                    );
            }
        }
        // As of a device whose app was removed, and as of no device.
        if (token.starts_with("unregistered")) {
            return refuse(404, "NOT_FOUND", "Requested entity was not found.", "UNREGISTERED");
        }
        if (!token.empty() && token.size() < 16) {
            return invalid("The registration token is not a valid FCM registration token");
        }
        const json::value* only = find(body, "validate_only");
        const json::value* notification = find(*push, "notification");
        Message message;
        message.at = request.now;
        message.provider = account.provider;
        message.account = account.name;
        message.id = fmt::format(
            "{}/messages/0:{}%{}",
            "projects/" + request.path[2],
            random_digits(desk.rng(), 16),
            random_hex(desk.rng(), 16)
        );
        message.to = token;
        if (const json::value* data = find(*push, "data"))
            message.client_id = text_in(*data, "pawl_message");
        if (notification != nullptr) message.text = beginning(text_in(*notification, "title"));
        message.request = shown(*push);
        const std::string id = message.id;
        if (only == nullptr || *only != true) desk.keep(std::move(message));
        return json_answer(200, json::object{{"name", id}});
    }
};

}  // namespace

const Provider& fcm_provider() {
    static const Fcm provider;
    return provider;
}

}  // namespace pawl::sandbox
