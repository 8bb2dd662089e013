#include "base/vault.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

const std::string one = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const std::string other = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";  // the same in base64
const std::string newer = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

TEST(Vault, OpensWhatItClosed) {
    const Vault vault = Vault::from_keys(one).value();
    const VaultBox box = vault.close("a/b", "a secret");
    EXPECT_EQ(box.key_id, vault.key_id());
    EXPECT_EQ(box.data.find("secret"), std::string::npos);
    EXPECT_EQ(vault.open("a/b", box).value(), "a secret");
    EXPECT_NE(vault.close("a/b", "a secret").data, box.data) << "never twice the same";
    EXPECT_EQ(Vault::from_keys(other).value().open("a/b", box).value(), "a secret");
}

TEST(Vault, ABoxIsForOneThingAndCannotBeChanged) {
    const Vault vault = Vault::from_keys(one).value();
    VaultBox box = vault.close("a/b", "x");
    EXPECT_FALSE(vault.open("a/c", box));
    VaultBox changed = box;
    changed.data[0] = static_cast<char>(changed.data[0] ^ 1);
    EXPECT_FALSE(vault.open("a/b", changed));
    changed = box;
    changed.nonce.pop_back();
    EXPECT_FALSE(vault.open("a/b", changed));
    changed = box;
    changed.data.clear();
    EXPECT_FALSE(vault.open("a/b", changed));
}

TEST(Vault, AMarkRecognisesATextAndIsOfNoUseWithoutTheKey) {
    const Vault vault = Vault::from_keys(one).value();
    const auto mark = vault.mark("message", "code 4711");
    EXPECT_TRUE(vault.is_mark("message", "code 4711", mark));
    EXPECT_FALSE(vault.is_mark("message", "code 4712", mark));
    EXPECT_FALSE(vault.is_mark("other message", "code 4711", mark));
    const Vault stranger = Vault::from_keys(newer).value();
    EXPECT_FALSE(stranger.is_mark("message", "code 4711", mark));
    const Vault both = Vault::from_keys(newer + "," + one).value();
    EXPECT_TRUE(both.is_mark("message", "code 4711", mark));
    EXPECT_NE(both.mark("message", "code 4711"), mark);
    EXPECT_FALSE(Vault().is_mark("message", "code 4711", mark));
}

TEST(Vault, KeysAreChangedOneAfterTheOther) {
    const VaultBox old = Vault::from_keys(one).value().close("a", "x");
    const Vault both = Vault::from_keys(newer + ",\n" + one).value();
    EXPECT_EQ(both.open("a", old).value(), "x");
    EXPECT_NE(both.close("a", "x").key_id, old.key_id);
    const auto gone = Vault::from_keys(newer).value().open("a", old);
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().message.find(old.key_id), std::string::npos);
}

TEST(Vault, RefusesKeysThatAreNone) {
    EXPECT_FALSE(Vault::from_keys("").value().usable());
    for (const std::string& text : {std::string("short"), one + "00", one.substr(2) + "zz"}) {
        EXPECT_FALSE(Vault::from_keys(text)) << text;
    }
}

}  // namespace
}  // namespace pawl
