#pragma once

#include "base/error.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// A secret as it is stored: useless without the key whose id it names.
struct VaultBox {
    std::string key_id;
    std::string nonce;
    std::string data;
};

// Encrypts what must not be read from a copy of the database (XChaCha20-Poly1305). The name of a
// box is bound into it, so that the box of one name does not open under another.
class Vault {
public:
    // Without a key it can neither close nor open.
    Vault() = default;
    // 32 bytes each, in hex or base64, separated by commas or line ends. The first one closes; all
    // of them open, so that a new key can be put in front before the boxes of the old one are
    // changed.
    static Result<Vault> from_keys(std::string_view text);

    bool usable() const { return !keys_.empty(); }
    // Of the key that closes.
    const std::string& key_id() const;
    // PAWL_ASSERTs that it is usable.
    VaultBox close(std::string_view about, std::string_view secret) const;
    // Fails when the key is not here, or the box is not what was closed.
    Result<std::string> open(std::string_view about, const VaultBox& box) const;

    // A number by which a text is recognised, and that tells nothing of it, even of one of a few
    // digits, to who does not have the key. Of the key that closes; PAWL_ASSERTs that it is usable.
    std::int64_t mark(std::string_view about, std::string_view text) const;
    // Whether it is that of the text, by any of the keys.
    bool is_mark(std::string_view about, std::string_view text, std::int64_t mark) const;

private:
    struct Key {
        std::string id;  // names the key and says nothing about it
        std::string bytes;
    };
    std::vector<Key> keys_;
};

}  // namespace pawl
