#pragma once

#include "connect/account.hpp"
#include "connect/answer.hpp"
#include "http/client_request.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::connect {

// A message whose answer never came, as far as it is known.
struct Inquiry {
    std::string message_id;
    std::string to;                                 // empty: not known any more
    std::function<bool(std::string_view)> is_text;  // what was sent; empty: not known any more
    Instant begun{};                                // before its first attempt
    Instant unknown_since{};                        // the end of its last one
};

// Recognises a text, as 0.1.0 kept it: who guesses the text can check it.
std::int64_t text_hash(std::string_view text);

// The request that asks the provider for it. The connector has an inquiry.
Result<http::Request> make_inquiry(
    const Connector& connector, const Account& account, const Inquiry& inquiry
);

// What the provider answered.
struct Found {
    Means means = Means::retry;  // as InquiryShape says
    std::string external_id;
    std::optional<Duration> after;  // when to ask again
    // What it lists, of the time since the attempt; nothing: the answer is no list.
    struct Item {
        std::string id;
        bool same = true;  // as far as the text shows
    };
    std::optional<std::vector<Item>> items;
    std::string why;  // for a person
};
Found read_found(
    const Connector& connector, const Inquiry& inquiry, const http::Response& answer, Instant now
);

// What follows from it. `others`: ids of items that are known to be other messages.
struct Finding {
    Means means = Means::retry;
    std::string external_id;
    std::optional<Duration> after;
    std::string why;
};
Finding conclude(
    const Connector& connector,
    const Inquiry& inquiry,
    const Found& found,
    const std::vector<std::string>& others,
    Instant now
);

}  // namespace pawl::connect
