#include "base/enum_names.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

enum class Fruit { apple, pear };

constexpr EnumNames<Fruit, 2> fruits{{"apple", "pear"}};

TEST(EnumNames, LeadsFromAValueToItsNameAndBack) {
    EXPECT_EQ(fruits.name(Fruit::pear), "pear");
    EXPECT_EQ(fruits.parse("pear"), Fruit::pear);
    EXPECT_EQ(fruits.parse("apple"), Fruit::apple);
}

TEST(EnumNames, KnowsNeitherOtherNamesNorOtherValues) {
    EXPECT_EQ(fruits.parse("plum"), std::nullopt);
    EXPECT_EQ(fruits.parse(""), std::nullopt);
    EXPECT_EQ(fruits.name(static_cast<Fruit>(7)), "unknown");
}

}  // namespace
}  // namespace pawl
