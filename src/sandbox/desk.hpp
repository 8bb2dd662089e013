#pragma once

#include "sandbox/provider.hpp"

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace pawl::sandbox {

// What the providers remember: accounts, the newest messages, keys of requests that were accepted.
// One thread; everything is gone with it.
class Desk {
public:
    // What a message may take of memory as it was sent, and how many are kept.
    static constexpr std::size_t shown_bytes_max = 16 << 10;

    explicit Desk(std::size_t messages_max = 2000) : messages_max_(messages_max) {}

    Rng& rng() { return rng_; }

    const Account* find(std::string_view provider, std::string_view name) const;
    // Whose requests have that proof.
    const Account* holder(std::string_view provider, std::string_view proof) const;
    // Adds an account, or replaces the one of that name.
    void put(Account account);
    bool remove(std::string_view provider, std::string_view name);
    const std::map<std::string, Account, std::less<>>& accounts() const { return accounts_; }

    // Accepts a message: gives it its number. What became of it is decided by the caller of
    // take_accepted().
    MessagePtr keep(Message message);
    std::vector<MessagePtr> take_accepted() { return std::exchange(accepted_, {}); }
    const std::deque<MessagePtr>& messages() const { return messages_; }
    MessagePtr message(std::uint64_t number) const;
    // The newest one that the provider calls so.
    MessagePtr message(std::string_view provider, std::string_view id) const;
    std::uint64_t accepted() const { return last_; }

    // An answer that is given again for the same key within a day.
    struct Replay {
        std::string digest;  // of the request
        http::ServerResponse answer;
        Instant at{};
    };
    const Replay* replay(const std::string& key, Instant now) const;
    void remember(std::string key, Replay replay);

    // Texts that are good once, or for a while: reply tokens, access tokens. `owner` is the name
    // of an account.
    void issue(std::string token, std::string owner, Instant until);
    // Whose it is; nothing when it was not issued, or is over. `once`: it is used up.
    std::optional<std::string> redeem(const std::string& token, Instant now, bool once);

private:
    struct Issued {
        std::string owner;
        Instant until{};
    };

    Rng rng_;
    std::size_t messages_max_;
    std::uint64_t last_ = 0;
    std::map<std::string, Account, std::less<>> accounts_;  // by provider/name
    std::map<std::string, std::string, std::less<>> holders_;
    std::deque<MessagePtr> messages_;
    std::vector<MessagePtr> accepted_;
    std::unordered_map<std::string, Replay> replays_;
    std::deque<std::string> replay_order_;
    std::unordered_map<std::string, Issued> issued_;
    std::deque<std::string> issued_order_;
};

}  // namespace pawl::sandbox
