#include "sandbox/desk.hpp"

#include <fmt/core.h>

#include <utility>

namespace pawl::sandbox {

namespace {

constexpr std::size_t replays_max = 100'000;
constexpr std::size_t issued_max = 100'000;
constexpr Duration replay_kept = std::chrono::hours(24);

std::string key_of(std::string_view provider, std::string_view name) {
    return fmt::format("{}/{}", provider, name);
}

}  // namespace

const Account* Desk::find(std::string_view provider, std::string_view name) const {
    const auto found = accounts_.find(key_of(provider, name));
    return found == accounts_.end() ? nullptr : &found->second;
}

const Account* Desk::holder(std::string_view provider, std::string_view proof) const {
    if (proof.empty()) return nullptr;
    const auto found = holders_.find(key_of(provider, proof));
    return found == holders_.end() ? nullptr : find(provider, found->second);
}

void Desk::put(Account account) {
    remove(account.provider, account.name);
    holders_[key_of(account.provider, account.proof)] = account.name;
    std::string key = key_of(account.provider, account.name);
    accounts_.insert_or_assign(std::move(key), std::move(account));
}

bool Desk::remove(std::string_view provider, std::string_view name) {
    const auto found = accounts_.find(key_of(provider, name));
    if (found == accounts_.end()) return false;
    holders_.erase(key_of(provider, found->second.proof));
    accounts_.erase(found);
    return true;
}

MessagePtr Desk::keep(Message message) {
    message.number = ++last_;
    auto kept = std::make_shared<Message>(std::move(message));
    messages_.push_back(kept);
    if (messages_.size() > messages_max_) messages_.pop_front();
    accepted_.push_back(kept);
    return kept;
}

MessagePtr Desk::message(std::uint64_t number) const {
    if (messages_.empty() || number < messages_.front()->number) return nullptr;
    const std::uint64_t place = number - messages_.front()->number;
    return place < messages_.size() ? messages_[place] : nullptr;
}

MessagePtr Desk::message(std::string_view provider, std::string_view id) const {
    for (auto one = messages_.rbegin(); one != messages_.rend(); ++one) {
        if ((*one)->id == id && (*one)->provider == provider) return *one;
    }
    return nullptr;
}

const Desk::Replay* Desk::replay(const std::string& key, Instant now) const {
    const auto found = replays_.find(key);
    if (found == replays_.end() || now - found->second.at > replay_kept) return nullptr;
    return &found->second;
}

void Desk::remember(std::string key, Replay replay) {
    if (replays_.insert_or_assign(key, std::move(replay)).second) {
        replay_order_.push_back(std::move(key));
    }
    while (replay_order_.size() > replays_max) {
        replays_.erase(replay_order_.front());
        replay_order_.pop_front();
    }
}

void Desk::issue(std::string token, std::string owner, Instant until) {
    if (issued_.insert_or_assign(token, Issued{std::move(owner), until}).second) {
        issued_order_.push_back(std::move(token));
    }
    while (issued_order_.size() > issued_max) {
        issued_.erase(issued_order_.front());
        issued_order_.pop_front();
    }
}

std::optional<std::string> Desk::redeem(const std::string& token, Instant now, bool once) {
    const auto found = issued_.find(token);
    if (found == issued_.end() || found->second.until < now) return std::nullopt;
    std::string owner = found->second.owner;
    if (once) issued_.erase(found);
    return owner;
}

}  // namespace pawl::sandbox
