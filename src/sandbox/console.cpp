#include "base/number_text.hpp"
#include "connect/form.hpp"
#include "sandbox/reading.hpp"
#include "sandbox/site.hpp"
#include "sandbox/wire.hpp"

#include <fmt/core.h>

#include <algorithm>

// What the person who runs the sandbox sees and sets: accounts, messages, faults.
namespace pawl::sandbox {

namespace {

constexpr std::size_t name_max = 60;
constexpr std::size_t url_max = 2000;
constexpr std::size_t text_max = 5000;
constexpr std::size_t page_max = 500;
constexpr double pause_max_ms = 3'600'000;

Error not_here() {
    return {Errc::not_found, "there is nothing here", {}};
}

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= name_max && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || c == '.';
           });
}

Result<json::value> body_of(const http::ServerRequest& request) {
    if (request.body.empty()) return json::value(json::object());
    return parse_json(request.body);
}

struct Share {
    std::string_view name;
    double Behaviour::*member;
};
constexpr Share shares[] = {
    {"sent", &Behaviour::sent},
    {"delivered", &Behaviour::delivered},
    {"opened", &Behaviour::opened},
    {"clicked", &Behaviour::clicked},
    {"bounced", &Behaviour::bounced},
    {"complained", &Behaviour::complained},
    {"unsubscribed", &Behaviour::unsubscribed},
};

Result<void> read_behaviour(const json::value* given, Behaviour& behaviour) {
    if (given == nullptr || given->is_null()) return {};
    const auto known = only_members(
        *given,
        "behaviour",
        {"sent",
         "delivered",
         "opened",
         "clicked",
         "bounced",
         "complained",
         "unsubscribed",
         "pause_ms"}
    );
    if (!known) return known.error();
    for (const Share& share : shares) {
        const auto percent = number_at(*given, share.name, 0, 100);
        if (!percent) return percent.error();
        if (*percent) behaviour.*share.member = **percent;
    }
    const auto pause = number_at(*given, "pause_ms", 0, pause_max_ms);
    if (!pause) return pause.error();
    if (*pause) behaviour.pause = std::chrono::milliseconds(static_cast<std::int64_t>(**pause));
    return {};
}

json::object to_json(const Behaviour& behaviour) {
    json::object out;
    for (const Share& share : shares) out[share.name] = percent(behaviour.*share.member);
    out["pause_ms"] = behaviour.pause / std::chrono::milliseconds(1);
    return out;
}

json::object to_json(const Message& message) {
    json::array told;
    for (const Told& one : message.told) {
        told.push_back(json::object{
            {"event", connect::name(one.kind)}, {"at", to_rfc3339(one.at)}, {"status", one.status}}
        );
    }
    return {
        {"number", message.number},
        {"at", to_rfc3339(message.at)},
        {"provider", message.provider},
        {"account", message.account},
        {"id", message.id},
        {"client_id", message.client_id},
        {"to", message.to},
        {"text", message.text},
        {"request", message.request},
        {"events", std::move(told)}};
}

}  // namespace

http::ServerResponse Site::console(const http::ServerRequest& request) {
    constexpr std::string_view root = "/sandbox/";
    std::string_view target = request.target;
    std::vector<std::string> path;
    std::string_view rest = target.substr(std::min(root.size(), target.size()));
    rest = rest.substr(0, rest.find_first_of("?#"));
    while (!rest.empty()) {
        path.emplace_back(rest.substr(0, rest.find('/')));
        rest.remove_prefix(std::min(path.back().size() + 1, rest.size()));
    }
    Answer answer = not_here();
    if (!path.empty() && path[0] == "accounts") answer = on_accounts(request, path);
    if (!path.empty() && path[0] == "messages") answer = on_messages(request, path);
    if (path.size() == 1 && path[0] == "faults") answer = on_faults(request);
    if (answer) return json_answer(200, *answer);
    const ErrcInfo about = info(answer.error().code);
    http::ServerResponse refused = json_answer(
        about.http_status,
        json::object{
            {"status", about.http_status}, {"code", about.name}, {"detail", answer.error().message}}
    );
    refused.headers = {{"Content-Type", "application/problem+json"}};
    return refused;
}

Site::Answer Site::on_accounts(
    const http::ServerRequest& request, const std::vector<std::string>& path
) {
    if (request.method == "GET" && path.size() == 1) {
        json::array all;
        for (const auto& [key, account] : desk_.accounts()) all.push_back(shown_account(account));
        return json::value(json::object{{"data", std::move(all)}});
    }
    if (path.size() < 3) return not_here();
    const Provider* provider = find_provider(path[1]);
    if (provider == nullptr) {
        return Error{Errc::not_found, fmt::format("there is no provider '{}'", path[1]), {}};
    }
    const auto body = body_of(request);
    if (!body) return body.error();
    if (request.method == "PUT" && path.size() == 3) return put_account(*provider, path[2], *body);
    const Account* account = desk_.find(path[1], path[2]);
    if (account == nullptr) {
        return Error{Errc::not_found, fmt::format("{} has no account '{}'", path[1], path[2]), {}};
    }
    if (request.method == "GET" && path.size() == 3) return json::value(shown_account(*account));
    if (request.method == "GET" && path.size() == 4 && path[3] == "login") {
        return json::value(json::object{
            {"credentials", account->credentials}, {"settings", account->settings}});
    }
    if (request.method == "DELETE" && path.size() == 3) {
        desk_.remove(path[1], path[2]);
        return json::value(json::object{{"deleted", true}});
    }
    if (request.method == "POST" && path.size() == 4 && path[3] == "events") {
        return tell(*account, nullptr, *body);
    }
    return not_here();
}

Site::Answer Site::put_account(
    const Provider& provider, std::string name, const json::value& body
) {
    if (!is_name(name)) return wrong_at("the name", "must be letters, digits, _, . and -");
    const auto known = only_members(body, "the body", {"hook_url", "behaviour"});
    if (!known) return known.error();
    const auto hook_url = text_at(body, "hook_url", url_max);
    if (!hook_url) return hook_url.error();
    if (*hook_url && !(*hook_url)->empty() && !(*hook_url)->starts_with("http://") &&
        !(*hook_url)->starts_with("https://")) {
        return wrong_at("hook_url", "must be a URL that begins with http:// or https://");
    }
    Account account;
    if (const Account* before = desk_.find(provider.name(), name)) {
        account = *before;
    } else {
        account.provider = provider.name();
        account.name = std::move(name);
        provider.open(account, desk_.rng());
        if (account.provider == "webhook") {
            account.settings["to"] = fmt::format("{}/sandbox/webhook/{}", url_, account.name);
        } else if (account.provider == "smtp") {
            account.credentials["url"] =
                fmt::format("smtp://{}:{}", options_.smtp_host, smtp_.port());
        } else {
            account.settings["base_url"] = fmt::format("{}/sandbox/{}", url_, account.provider);
        }
    }
    if (*hook_url) account.hook_url = **hook_url;
    const auto fine = read_behaviour(find(body, "behaviour"), account.behaviour);
    if (!fine) return fine.error();
    json::value shown = shown_account(account);
    desk_.put(std::move(account));
    return shown;
}

json::object Site::shown_account(const Account& account) const {
    return {
        {"provider", account.provider},
        {"name", account.name},
        {"credentials", account.credentials},
        {"settings", account.settings},
        {"hook_url", account.hook_url},
        {"behaviour", to_json(account.behaviour)}};
}

Site::Answer Site::tell(const Account& account, MessagePtr message, const json::value& body) {
    const auto known = only_members(body, "the body", {"event", "from", "text"});
    if (!known) return known.error();
    const auto kind = connect::parse_fact_kind(text_in(body, "event"));
    if (!kind) {
        return wrong_at(
            "event",
            "must be sent, delivered, opened, clicked, bounced, complained, unsubscribed, failed, "
            "replied, followed or unfollowed"
        );
    }
    const auto from = text_at(body, "from", url_max);
    if (!from) return from.error();
    const auto text = text_at(body, "text", text_max);
    if (!text) return text.error();
    Event event;
    event.kind = *kind;
    event.message = std::move(message);
    event.person = from->value_or("");
    event.text = text->value_or("");
    if (!event.message && event.person.empty()) return wrong_at("from", "is needed: who does it");
    if (!find_provider(account.provider)->hook(desk_, account, {event}, wall_now())) {
        return wrong_at("event", fmt::format("is nothing that {} tells", account.provider));
    }
    if (!hooks_.tell(account, std::move(event))) {
        return Error{Errc::conflict, "the account has no hook_url", {}};
    }
    return json::value(json::object{{"event", connect::name(*kind)}});
}

Site::Answer Site::on_messages(
    const http::ServerRequest& request, const std::vector<std::string>& path
) {
    if (request.method == "GET" && path.size() == 1) {
        const std::size_t mark = request.target.find('?');
        return list_messages(
            mark == std::string::npos ? "" : std::string_view(request.target).substr(mark + 1)
        );
    }
    const auto number = path.size() > 1 ? read_number<std::uint64_t>(path[1]) : std::nullopt;
    const MessagePtr message = number ? desk_.message(*number) : nullptr;
    if (!message) return Error{Errc::not_found, "there is no such message", {}};
    if (request.method == "GET" && path.size() == 2) return json::value(to_json(*message));
    if (request.method != "POST" || path.size() != 3 || path[2] != "events") return not_here();
    const Account* account = desk_.find(message->provider, message->account);
    if (account == nullptr) return Error{Errc::not_found, "its account is gone", {}};
    const auto body = body_of(request);
    if (!body) return body.error();
    return tell(*account, message, *body);
}

// The newest ones that fit, oldest first.
Site::Answer Site::list_messages(std::string_view query) const {
    const auto params = connect::read_form(query);
    if (!params) return wrong_at("the query", "cannot be read");
    std::uint64_t after = 0;
    std::size_t limit = 100;
    std::string provider;
    std::string to;
    for (const auto& [key, value] : *params) {
        const auto number = read_number<std::uint64_t>(value);
        if (key == "after" && number) {
            after = *number;
        } else if (key == "limit" && number && *number >= 1 && *number <= page_max) {
            limit = *number;
        } else if (key == "provider" && find_provider(value) != nullptr) {
            provider = value;
        } else if (key == "to") {
            to = value;
        } else {
            return wrong_at(
                key,
                "is not a parameter, or has a wrong value: after, limit (1 to 500), provider, to"
            );
        }
    }
    json::array found;
    const auto& all = desk_.messages();
    for (auto one = all.rbegin(); one != all.rend() && found.size() < limit; ++one) {
        if ((*one)->number <= after) break;
        const bool fits =
            (provider.empty() || (*one)->provider == provider) && (to.empty() || (*one)->to == to);
        if (fits) found.push_back(to_json(**one));
    }
    std::reverse(found.begin(), found.end());
    return json::value(json::object{
        {"data", std::move(found)},
        {"accepted", desk_.accepted()},
        {"hooks_waiting", hooks_.waiting()},
        {"hooks_taken", hooks_.taken()},
        {"hooks_refused", hooks_.refused()}});
}

Site::Answer Site::on_faults(const http::ServerRequest& request) {
    if (request.method == "DELETE") faults_.clear();
    if (request.method == "PUT") {
        const auto body = body_of(request);
        if (!body) return body.error();
        const auto known = only_members(*body, "the body", {"faults"});
        if (!known) return known.error();
        const json::value* list = find(*body, "faults");
        const auto set = faults_.set(list == nullptr ? json::value() : *list);
        if (!set) return set.error();
    }
    if (request.method != "GET" && request.method != "PUT" && request.method != "DELETE") {
        return not_here();
    }
    return json::value(json::object{{"faults", faults_.list()}});
}

}  // namespace pawl::sandbox
