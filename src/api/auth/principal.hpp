#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

// What a caller may be allowed to do. The numbers are bits of a ScopeSet and go nowhere else: keys
// are stored with the names.
enum class Scope : std::uint16_t {
    workflows_read = 1,
    workflows_write = 2,
    runs_read = 4,
    runs_write = 8,
    admin = 16,  // implies all
    events_read = 32,
    events_write = 64,
    tasks_read = 128,
    tasks_write = 256,
    metrics_read = 512,  // of the whole process: counts only for the default tenant
};

std::string_view name(Scope scope);
// "unknown scope 'run:read', did you mean 'runs:read'?"
Result<Scope> parse_scope(std::string_view text);

class ScopeSet {
public:
    ScopeSet() = default;
    ScopeSet(std::initializer_list<Scope> scopes) {
        for (const Scope scope : scopes) add(scope);
    }

    void add(Scope scope) {
        bits_ = static_cast<std::uint16_t>(bits_ | static_cast<std::uint16_t>(scope));
    }
    void add(ScopeSet other) { bits_ = static_cast<std::uint16_t>(bits_ | other.bits_); }
    // Whether the scope is granted, by itself or by `admin`.
    bool allows(Scope scope) const { return contains(scope) || contains(Scope::admin); }
    bool empty() const { return bits_ == 0; }
    bool operator==(const ScopeSet&) const = default;

    // As they were given, `admin` not spelled out.
    std::vector<std::string> names() const;

private:
    bool contains(Scope scope) const { return (bits_ & static_cast<std::uint16_t>(scope)) != 0; }

    std::uint16_t bits_ = 0;
};

// "runs:read, runs:write", or "none".
std::string to_string(ScopeSet scopes);
// Refuses the first name that is none of ours.
Result<ScopeSet> parse_scopes(const std::vector<std::string>& names);
// Leaves out what is none of ours, as in a token that also speaks to other programs.
ScopeSet known_scopes(const std::vector<std::string>& names);

inline constexpr std::int32_t default_tenant = 1;

// Who makes a request, once that is proved.
struct Principal {
    std::int32_t tenant = default_tenant;
    std::int16_t bucket = 0;  // where the tenant's runs are
    std::string name;         // the prefix of an API key, or the subject of a JWT; safe to log
    ScopeSet scopes;
    bool person = false;  // came with a token of their own, and can only act for themselves
    Instant expires = Instant::max();  // when what proved it ends by itself
    std::string role;                  // the name of its scopes; empty: they have none
    std::int64_t session = 0;          // a browser that is signed in; 0: a key or a token
    std::string csrf;                  // what its writes must bring along; empty: nothing
    std::optional<std::int32_t> key;   // the number of the API key that it came with
    bool operator==(const Principal&) const = default;
};

// Errc::forbidden with what is missing, unless the scope is granted.
Result<void> require(const Principal& principal, Scope scope);

}  // namespace pawl::api
