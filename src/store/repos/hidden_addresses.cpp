#include "store/repos/hidden_addresses.hpp"

#include "base/fresh_id.hpp"
#include "base/hex.hpp"
#include "base/hmac.hpp"
#include "base/random_bytes.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/vault_boxes.hpp"

#include <algorithm>
#include <string_view>

namespace pawl::store {

namespace {

constexpr std::size_t key_bytes = 32;
// Another server may have added a key.
constexpr Duration keys_kept = std::chrono::seconds(10);

std::string key_place(TenantId, const std::vector<std::string>& names) {
    return "mark key/" + names[0];
}

std::string seal_of(std::string_view key, std::string_view hidden) {
    return "hmac:" + hex_of(hmac_sha256(key, hidden));
}

bool is_one_of(std::string_view verdict, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), verdict) != words.end();
}

// In the order of pawl.prepare_messages.
void hold_back(MessagePrepared& one, bool refused, bool unwanted) {
    const char* word = nullptr;
    if (unwanted && one.category != "transactional") word = "unsubscribed";
    if (refused) word = "suppressed";
    if (word == nullptr || is_one_of(one.verdict, {"no_person", "no_address", "suppressed"}))
        return;
    one.verdict = word;
    one.wait_until.reset();
}

}  // namespace

asio::awaitable<HiddenAddresses::Keys> HiddenAddresses::keys() {
    if (!keys_.opened.empty() && Steady::now() < read_again_) co_return keys_;
    const auto rows = co_await call(pool_, queries::mark_keys, {});
    Keys found;
    for (int row = 0; row < rows.size(); ++row) {
        auto key = vault_.open(key_place(0, {to_string(rows.uuid(row, 0))}), box_of(rows, row, 1));
        if (key) {
            found.opened.push_back(std::move(*key));
        } else {
            found.all = false;
        }
    }
    keys_ = found;
    read_again_ = Steady::now() + keys_kept;
    co_return found;
}

asio::awaitable<void> HiddenAddresses::add_key() {
    const Uuid id = fresh_id();
    const VaultBox box = vault_.close(key_place(0, {to_string(id)}), random_bytes(key_bytes));
    co_await call(pool_, queries::add_mark_key, params_of(id, box.key_id, box.nonce, box.data));
}

asio::awaitable<std::size_t> HiddenAddresses::seal(int batch) {
    if (!vault_.usable()) co_return 0;
    const auto rows = co_await call(pool_, queries::plain_hashes, params_of(batch));
    if (rows.size() == 0) co_return 0;
    auto known = co_await keys();
    if (known.opened.empty() && !known.all) co_return 0;
    if (known.opened.empty()) {
        co_await add_key();
        known = co_await keys();
    }
    pg::Array tenant(pg::Type::int4), channel(pg::Type::text), address(pg::Type::text),
        mark(pg::Type::text);
    for (int row = 0; row < rows.size(); ++row) {
        const std::string hidden = rows.text(row, 2);
        tenant.add(rows.int4(row, 0));
        channel.add(std::string_view(rows.text(row, 1)));
        address.add(std::string_view(hidden));
        mark.add(std::string_view(seal_of(known.opened.at(0), hidden)));
    }
    pg::Params params;
    params.add(std::move(tenant)).add(std::move(channel)).add(std::move(address));
    params.add(std::move(mark));
    co_await call(pool_, queries::seal_hashes, std::move(params));
    co_return static_cast<std::size_t>(rows.size());
}

asio::awaitable<std::vector<std::string>> HiddenAddresses::sealed(
    TenantId tenant, std::string channel, std::string address
) {
    const auto rows = co_await call_as(
        pool_, tenant, queries::hidden_forms, params_of(tenant, some(channel), address)
    );
    std::vector<std::string> all;
    if (rows.size() == 0) co_return all;
    const auto known = co_await keys();
    for (int row = 0; row < rows.size(); ++row) {
        for (const std::string& key : known.opened) all.push_back(seal_of(key, rows.text(row, 0)));
    }
    co_return all;
}

asio::awaitable<void> HiddenAddresses::judge(
    const std::vector<MessageAsked>& asked, std::vector<MessagePrepared>& prepared
) {
    const bool any = std::any_of(prepared.begin(), prepared.end(), [](const auto& one) {
        return !one.hidden.empty();
    });
    if (!any) co_return;
    const auto known = co_await keys();
    if (known.opened.empty()) co_return;
    pg::Array place(pg::Type::int4), tenant(pg::Type::int4), channel(pg::Type::text),
        mark(pg::Type::text);
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        if (prepared[i].hidden.empty()) continue;
        for (const std::string& key : known.opened) {
            place.add(static_cast<std::int32_t>(i));
            tenant.add(asked[i].tenant);
            channel.add(std::string_view(asked[i].channel));
            mark.add(std::string_view(seal_of(key, prepared[i].hidden)));
        }
        if (known.all) prepared[i].hidden.clear();
    }
    pg::Params params;
    params.add(std::move(place)).add(std::move(tenant)).add(std::move(channel));
    params.add(std::move(mark));
    const auto rows = co_await call(pool_, queries::held_back, std::move(params));
    for (int row = 0; row < rows.size(); ++row) {
        auto& one = prepared.at(static_cast<std::size_t>(rows.int4(row, 0)));
        hold_back(one, rows.boolean(row, 1), rows.boolean(row, 2));
        // What another key says would only hold it back as well.
        if (!one.verdict.empty() && !one.wait_until) one.hidden.clear();
    }
}

asio::awaitable<int> HiddenAddresses::rotate() {
    const BoxTable table{
        queries::other_mark_keys, queries::replace_mark_key_box, {"mark key"}, key_place};
    return rotate_boxes(pool_, vault_, table);
}

Error cannot_judge() {
    return {
        Errc::unavailable,
        "whether the address is that of a person who was erased, and gets nothing, cannot be told: "
        "the key that hides such addresses is not in PAWL_SECRET_KEY",
        {}};
}

}  // namespace pawl::store
