#include "connect/inquiry.hpp"

#include "base/json.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "connect/answer_rule.hpp"
#include "connect/message_refusal.hpp"
#include "connect/request.hpp"
#include "http/date.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace pawl::connect {

namespace {

constexpr std::size_t found_id_bytes_max = 500;
constexpr std::size_t items_max = 1000;
// The clocks of a provider and of this machine may differ by so much.
constexpr Duration clocks_apart = std::chrono::minutes(1);

std::optional<Instant> time_of_item(InquiryShape::Time form, const json::value& value) {
    if (form == InquiryShape::Time::seconds) {
        constexpr std::int64_t seconds_max = 253402300799;  // the year 9999
        const auto number = whole_number(&value);
        if (!number || *number < 0 || *number > seconds_max) return std::nullopt;
        return Instant(std::chrono::seconds(*number));
    }
    const auto* text = value.if_string();
    if (text == nullptr) return std::nullopt;
    if (form == InquiryShape::Time::rfc3339) return parse_rfc3339(std::string(*text));
    // "Thu, 24 Aug 2026 05:01:45 +0000"
    std::string date(*text);
    constexpr std::string_view zone = "+0000";
    if (date.ends_with(zone)) date.replace(date.size() - zone.size(), zone.size(), "GMT");
    return http::parse_date(date);
}

// Empty where there is none.
std::string plain_text(const Sources& sources, const Roots& roots) {
    const json::value value = sources.value(roots);
    if (value.is_null() || value.is_structured()) return {};
    std::string out;
    append_text(out, value);
    return out;
}

std::vector<Found::Item> read_items(
    const InquiryShape& shape, const Inquiry& inquiry, const json::array& list
) {
    std::vector<Found::Item> items;
    for (const json::value& one : list) {
        if (items.size() == items_max) break;
        Roots roots;
        roots.add("item", one);
        const auto at = time_of_item(shape.time, shape.at.value(roots));
        if (at && *at < inquiry.begun - clocks_apart) continue;
        Found::Item item;
        item.id = as_utf8(plain_text(shape.id, roots), found_id_bytes_max);
        if (!shape.id_until.empty())
            item.id.resize(std::min(item.id.find(shape.id_until), item.id.size()));
        if (!shape.text.empty())
            item.same = inquiry.is_text && inquiry.is_text(plain_text(shape.text, roots));
        if (!item.id.empty()) items.push_back(std::move(item));
    }
    return items;
}

// Where no rule fits: who is down or busy is asked later, and who refuses to tell is not.
Means usual_means(int status) {
    const bool later = status == 408 || status == 425 || status == 429 || status >= 500;
    return later ? Means::retry : Means::unknown;
}

}  // namespace

std::int64_t text_hash(std::string_view text) {
    const std::string digest = sha256(text);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i)
        number = number << 8 | static_cast<unsigned char>(digest[i]);
    std::int64_t signed_number = 0;
    std::memcpy(&signed_number, &number, sizeof number);
    return signed_number;
}

Result<http::Request> make_inquiry(
    const Connector& connector, const Account& given, const Inquiry& inquiry
) {
    auto account = open_account(connector, given);
    if (!account) return account.error();
    const json::value credentials = account->credentials;
    const json::value settings = account->settings;
    const json::value message = json::object{{"id", inquiry.message_id}};
    const json::value to(inquiry.to);
    Roots roots;
    roots.add("credentials", credentials);
    roots.add("settings", settings);
    roots.add("message", message);
    // Without it a list would be of other people's messages: such a request is refused.
    if (!inquiry.to.empty()) roots.add("to", to);
    return fill_request(connector.inquiry->request, account->settings, roots);
}

Found read_found(
    const Connector& connector, const Inquiry& inquiry, const http::Response& answer, Instant now
) {
    const InquiryShape& shape = *connector.inquiry;
    AnswerRoots seen(answer);
    const Roots& roots = seen.roots();
    const AnswerRule* rule = find_rule(shape.answers, answer.status, roots);
    Found found;
    found.why = fmt::format("{} answered with status {}", connector.title, answer.status);
    found.means = rule == nullptr ? usual_means(answer.status) : rule->means;
    if (found.means == Means::retry) {
        found.after = http::find_retry_after(answer.headers, now);
        if (!found.after && rule != nullptr) found.after = rule->after;
    }
    if (found.means != Means::accepted) return found;
    if (shape.list.empty()) {
        found.external_id = as_utf8(plain_text(rule->id, roots), found_id_bytes_max);
        return found;
    }
    const json::value list = shape.list.value(roots);
    if (list.is_array()) {
        found.items = read_items(shape, inquiry, list.get_array());
    } else {
        found.means = Means::unknown;
        found.why = fmt::format("{} answered without a list of messages", connector.title);
    }
    return found;
}

Finding conclude(
    const Connector& connector,
    const Inquiry& inquiry,
    const Found& found,
    const std::vector<std::string>& others,
    Instant now
) {
    Finding finding{found.means, found.external_id, found.after, found.why};
    if (found.items) {
        finding.means = Means::refused;
        for (const Found::Item& item : *found.items) {
            if (std::find(others.begin(), others.end(), item.id) != others.end()) continue;
            finding.means = item.same ? Means::accepted : Means::retry;
            finding.external_id = item.same ? item.id : std::string();
            if (item.same) break;
        }
        if (finding.means == Means::retry)
            finding.why = fmt::format("{} has messages that may be this one", connector.title);
    }
    if (finding.means != Means::refused) return finding;
    finding.why = fmt::format("{} does not have the message", connector.title);
    const Instant sure = inquiry.unknown_since + connector.inquiry->absent_after;
    if (now < sure) {
        finding.means = Means::retry;
        finding.after = sure - now;
    }
    return finding;
}

}  // namespace pawl::connect
