#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// Texts that only an owner of the secret can make: links and tokens that prove their own origin. A
// sealed text is the payload and its HMAC-SHA-256, both in base64url; the payload is readable
// without the secret. The purpose is signed too, so that a token for one thing does not open
// another.
class Seal {
public:
    // Without a secret nothing can be sealed or opened.
    Seal() = default;
    explicit Seal(std::string secret) : secret_(std::move(secret)) {}

    static constexpr std::size_t secret_min = 16;

    bool usable() const { return secret_.size() >= secret_min; }
    // PAWL_ASSERTs that it is usable.
    std::string close(std::string_view purpose, std::string_view payload) const;
    // The payload; nothing when the signature is wrong, or the text is for another purpose.
    std::optional<std::string> open(std::string_view purpose, std::string_view sealed) const;

    // 32 bytes that follow from the secret and say nothing about it. PAWL_ASSERTs that it is
    // usable.
    std::string derive(std::string_view purpose) const;

private:
    std::string secret_;
};

}  // namespace pawl
