#include "model/data_condition.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

bool meets_text(const char* input, const char* condition) {
    const auto read = read_data_condition(condition);
    EXPECT_TRUE(read) << condition;
    return read && meets(*parse_json(input), *read);
}

std::string problem(std::string_view condition) {
    const auto read = read_data_condition(condition);
    return read ? "" : read.error().message;
}

TEST(DataCondition, ComparesAsConditionsOfStepsDo) {
    EXPECT_TRUE(meets_text(R"({"total": 100.5})", "data.total>100"));
    EXPECT_FALSE(meets_text(R"({"total": 100})", "data.total>100"));
    EXPECT_TRUE(meets_text(R"({"total": 100})", "data.total >= 1e2"));
    EXPECT_FALSE(meets_text(R"({"total": "100"})", "data.total=100"));
    EXPECT_TRUE(meets_text(R"({"total": "100"})", R"(data.total="100")"));
    EXPECT_TRUE(meets_text(R"({"a": {"items": [{"sku": "A-7"}]}})", "data.a.items[0].sku=A-7"));
    EXPECT_TRUE(meets_text(R"({"at": "2026-02-01"})", "data.at>2026-01-31"));
    EXPECT_TRUE(meets_text(R"({"vip": true})", "data.vip=true"));
    EXPECT_TRUE(meets_text(R"({})", "data.vip=null"));
    EXPECT_TRUE(meets_text(R"({})", "data.vip!=true"));
    EXPECT_FALSE(meets_text(R"({})", "data.total<5"));
    EXPECT_TRUE(meets_text(R"({"q": "a=b <c>"})", R"(data.q="a=b <c>")"));
    EXPECT_TRUE(meets_text(R"({"q": "a=b"})", "data.q=a=b"));
}

TEST(DataCondition, SaysWhatIsWrong) {
    EXPECT_EQ(
        problem("data.total"),
        "'data.total' has none of = != < <= > >=; write it like data.total>100"
    );
    EXPECT_EQ(
        problem("total>100"), "'total>100' does not begin with data.; write it like data.total>100"
    );
    EXPECT_NE(problem("data.total>").find("nothing to compare with"), std::string::npos);
    EXPECT_NE(problem("data.total=[1]").find("a list or an object"), std::string::npos);
    EXPECT_NE(problem("data.total=\"x").find("cannot be read"), std::string::npos);
    EXPECT_NE(problem("data.n=12345678901234567890123").find("kept exactly"), std::string::npos);
    for (const char* wrong :
         {"",
          "data.>1",
          "data..a>1",
          "data.a!1",
          "data.a'; drop table x>1",
          "data.{{a}}=1",
          "data.a b=1",
          "data.a<true"}) {
        EXPECT_FALSE(problem(wrong).empty()) << wrong;
    }
    EXPECT_FALSE(problem("data.a=" + std::string(500, 'x')).empty());
    std::string deep = "data";
    for (int i = 0; i < 20; ++i) deep += ".a";
    EXPECT_NE(problem(deep + "=1").find("more than 16"), std::string::npos);
}

}  // namespace
}  // namespace pawl
