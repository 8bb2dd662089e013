#include "base/seal.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Seal, OpensWhatItClosed) {
    const Seal seal("0123456789abcdef");
    const std::string sealed = seal.close("task", "payload \x01 of any kind");
    EXPECT_EQ(seal.open("task", sealed), "payload \x01 of any kind");
}

TEST(Seal, DoesNotOpenWhatOthersMade) {
    const Seal seal("0123456789abcdef");
    const std::string sealed = seal.close("task", "payload");
    EXPECT_FALSE(seal.open("callback", sealed));
    EXPECT_FALSE(Seal("0123456789abcdeF").open("task", sealed));
    // The border between purpose and payload is part of what is signed.
    EXPECT_FALSE(seal.open("taskp", seal.close("task", "payload")));
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        std::string changed = sealed;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(seal.open("task", changed)) << i;
        EXPECT_FALSE(seal.open("task", sealed.substr(0, i))) << i;
    }
    EXPECT_FALSE(seal.open("task", sealed + "."));
    EXPECT_FALSE(seal.open("task", ""));
}

TEST(Seal, WithoutASecretNothingOpens) {
    const Seal none;
    EXPECT_FALSE(none.usable());
    EXPECT_FALSE(Seal("too short").usable());
    EXPECT_FALSE(none.open("task", Seal("0123456789abcdef").close("task", "payload")));
}

}  // namespace
}  // namespace pawl
