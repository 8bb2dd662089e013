#include "base/hmac.hpp"

#include "base/sha256.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
        text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

// RFC 4231, cases 1, 2, 6 and 7.
TEST(Hmac, IsThatOfTheStandard) {
    EXPECT_EQ(
        hex(hmac_sha256(std::string(20, '\x0b'), "Hi There")),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    );
    EXPECT_EQ(
        hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );
    const std::string long_key(131, '\xaa');
    EXPECT_EQ(
        hex(hmac_sha256(long_key, "Test Using Larger Than Block-Size Key - Hash Key First")),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    );
    EXPECT_EQ(
        hex(hmac_sha256(
            long_key,
            "This is a test using a larger than block-size key and a larger than block-size data. "
            "The key needs to be hashed before being used by the HMAC algorithm."
        )),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    );
}

TEST(Hmac, TakesNothing) {
    EXPECT_EQ(
        hex(hmac_sha256("", "")), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    );
}

TEST(Sha256, OfPartsIsThatOfTheWhole) {
    EXPECT_EQ(
        hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    EXPECT_EQ(sha256({"a", "", "bc"}), sha256("abc"));
}

}  // namespace
}  // namespace pawl
