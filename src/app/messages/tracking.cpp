#include "app/messages/tracking.hpp"

#include "base/log.hpp"
#include "base/webhook_secret.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace pawl::app {

namespace {

// Parts of the names of programs, in small letters. The image proxies of mail services load images
// for a person, and some of them before the person opens the mail.
constexpr std::array<std::string_view, 33> programs = {
    "bot",
    "crawl",
    "spider",
    "slurp",
    "preview",
    "prefetch",
    "scan",
    "monitor",
    "proxy",
    "validator",
    "checker",
    "googleimageproxy",
    "facebookexternalhit",
    "whatsapp",
    "line-poker",
    "skypeuri",
    "embedly",
    "headless",
    "phantomjs",
    "barracuda",
    "mimecast",
    "proofpoint",
    "safelinks",
    "symantec",
    "trendmicro",
    "fireeye",
    "curl/",
    "wget/",
    "python",
    "java/",
    "go-http-client",
    "okhttp",
    "libwww"};

std::string small(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

store::MessageFact fact_of(
    store::TenantId tenant, Uuid message, std::string_view kind, bool machine, Instant at
) {
    store::MessageFact fact;
    fact.tenant = tenant;
    fact.connector = "pawl";
    fact.account = "link";
    fact.kind = kind;
    fact.message = message;
    fact.at = at;
    fact.machine = machine;
    return fact;
}

std::string event_id(
    std::string_view kind, Uuid message, std::string_view which, bool machine, Instant at
) {
    using Slot = std::chrono::duration<std::int64_t, std::ratio<10>>;
    const auto slot = std::chrono::floor<Slot>(at).time_since_epoch().count();
    return fmt::format(
        "{}:{}:{}:{}:{}", kind, to_string(message), which, slot, machine ? "machine" : "person"
    );
}

}  // namespace

bool is_machine(const Visit& visit) {
    if (visit.method != "GET" || !visit.purpose.empty()) return true;
    const std::string agent = small(visit.user_agent);
    // No browser calls itself so little: what hides the readers of Apple Mail does.
    if (agent.empty() || agent == "mozilla/5.0") return true;
    return std::any_of(programs.begin(), programs.end(), [&](std::string_view one) {
        return agent.find(one) != std::string::npos;
    });
}

store::MessageFact click_fact(const ClickLink& link, bool machine, Instant at) {
    auto fact = fact_of(link.tenant.id, link.message, "clicked", machine, at);
    const std::string which = sha256_hex(link.url).substr(0, 16);
    fact.event_id = event_id("click", link.message, which, machine, at);
    fact.detail["url"] = link.url;
    return fact;
}

store::MessageFact open_fact(const MessageMark& mark, bool machine, Instant at) {
    auto fact = fact_of(mark.tenant.id, mark.message, "opened", machine, at);
    fact.event_id = event_id("open", mark.message, "", machine, at);
    return fact;
}

asio::awaitable<void> note_visit(HookDesk& desk, store::Bucket bucket, store::MessageFact fact) {
    const std::string message = to_string(*fact.message);
    try {
        co_await desk.keep(bucket, std::move(fact));
    } catch (const Failure& failure) {
        log::warn(
            "a visit was not noted",
            {log::field("message", message), log::field("error", failure.what())}
        );
    }
}

}  // namespace pawl::app
