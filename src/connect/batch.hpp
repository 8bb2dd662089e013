#pragma once

#include "connect/answer.hpp"
#include "connect/request.hpp"

#include <string>
#include <vector>

// Calls that hand over several messages of an account at once (Connector::batch).
namespace pawl::connect {

// Whether messages of the account may go together.
bool goes_in_batches(const Connector& connector, const Account& account);

// Messages whose calls are of the same group may go together: the provider takes one content for
// all of them, or one for each.
std::string batch_group(const Connector& connector, const Call& call);

// One call for all, which are of one group. Pure: the same messages in the same order give the same
// bytes, under a key of their own. `calls` are left out that cannot go with those before them, as a
// second message to the same address cannot; `taken` says which are in it.
http::Request make_batch(
    const Connector& connector,
    const Account& account,
    const std::vector<const Call*>& calls,
    std::vector<bool>& taken
);

// What the answer means for each of so many messages, in their order.
std::vector<Verdict> read_batch_answer(
    const Connector& connector, const http::Response& answer, Instant now, std::size_t many
);

// Whether a refusal may be about some of the messages: the others go by themselves then.
bool is_about_messages(int status);

}  // namespace pawl::connect
