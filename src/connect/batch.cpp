#include "connect/batch.hpp"

#include "base/canonical_json.hpp"
#include "base/json.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "model/message_id.hpp"

#include <algorithm>
#include <set>

namespace pawl::connect {

namespace {

constexpr std::size_t id_bytes_max = 1000;
constexpr JsonLimits body_limits{16 << 20, 64};

bool is_given(const json::value& value) {
    if (value.is_null() || value == false) return false;
    const auto* text = value.if_string();
    return text == nullptr || (!text->empty() && *text != "false");
}

json::object body_of(const Call& call) {
    auto body = parse_json(call.request.body, body_limits);
    return body && body->is_object() ? std::move(body->get_object()) : json::object();
}

std::string key_of(const BatchShape& shape, const Call& call) {
    const std::string* key = http::find_header(call.request.headers, shape.key);
    return key == nullptr ? std::string() : *key;
}

// A list of what each says, which is one value or a list of them.
json::array values_of(json::value value) {
    if (value.is_array()) return std::move(value.get_array());
    return json::array{std::move(value)};
}

std::string list_of(const std::vector<const Call*>& calls, std::vector<bool>& taken) {
    std::string list = "[";
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i > 0) list += ',';
        list += calls[i]->request.body;
        taken[i] = true;
    }
    return list + "]";
}

std::string merged(
    const std::string& member, const std::vector<const Call*>& calls, std::vector<bool>& taken
) {
    json::object whole = body_of(*calls.front());
    json::array all;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        json::object body = i == 0 ? whole : body_of(*calls[i]);
        json::array own = values_of(std::move(body[member]));
        if (!seen.insert(canonical_json(own)).second) continue;
        taken[i] = true;
        for (json::value& value : own) all.push_back(std::move(value));
    }
    whole[member] = std::move(all);
    return canonical_json(whole);
}

}  // namespace

bool goes_in_batches(const Connector& connector, const Account& account) {
    if (!connector.batch) return false;
    if (connector.batch->needs.empty()) return true;
    const json::value credentials(account.credentials), settings(account.settings);
    Roots roots;
    roots.add("credentials", credentials);
    roots.add("settings", settings);
    return is_given(connector.batch->needs.value(roots));
}

std::string batch_group(const Connector& connector, const Call& call) {
    const BatchShape& shape = *connector.batch;
    if (shape.merge.empty()) return {};
    json::object body = body_of(call);
    body.erase(shape.merge);
    return sha256(canonical_json(body));
}

http::Request make_batch(
    const Connector& connector,
    const Account& account,
    const std::vector<const Call*>& calls,
    std::vector<bool>& taken
) {
    const BatchShape& shape = *connector.batch;
    taken.assign(calls.size(), false);
    http::Request request = calls.front()->request;
    if (!shape.url.empty()) request.url = with_base(shape.url, account.settings);
    request.body = shape.merge.empty() ? list_of(calls, taken) : merged(shape.merge, calls, taken);
    std::string keys;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (taken[i]) keys += key_of(shape, *calls[i]) + " ";
    }
    for (http::Header& header : request.headers) {
        if (shape.key.empty() || !http::equal_ignoring_case(header.name, shape.key)) continue;
        header.value = to_string(pawl::message_id(keys));
    }
    // Those of one message say nothing about the others.
    std::erase_if(request.headers, [](const http::Header& header) {
        return http::equal_ignoring_case(header.name, "traceparent");
    });
    return request;
}

std::vector<Verdict> read_batch_answer(
    const Connector& connector, const http::Response& answer, Instant now, std::size_t many
) {
    std::vector<Verdict> all(many, read_answer(connector, answer, now));
    const BatchShape& shape = *connector.batch;
    if (all.empty() || all[0].means != Means::accepted || shape.list.empty()) return all;
    const auto parsed = parse_json(answer.body, body_limits);
    const json::value body = parsed ? *parsed : json::value();
    Roots roots;
    roots.add("body", body);
    const json::value list = shape.list.value(roots);
    for (std::size_t i = 0; list.is_array() && i < list.get_array().size() && i < many; ++i) {
        Roots item;
        item.add("item", list.get_array()[i]);
        all[i].external_id = as_utf8(shape.id.text(item), id_bytes_max);
    }
    return all;
}

bool is_about_messages(int status) {
    return status == 400 || status == 413 || status == 422;
}

}  // namespace pawl::connect
