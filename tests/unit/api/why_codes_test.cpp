#include "plan/why_codes.hpp"

#include "api/http/openapi.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

void expect_described(const char* schema, const std::vector<std::string_view>& codes) {
    const json::value document = openapi();
    const json::array& listed =
        document.at_pointer(std::string("/components/schemas/") + schema + "/properties/code/enum")
            .as_array();
    json::array known;
    for (const std::string_view code : codes) known.emplace_back(code);
    EXPECT_EQ(json::serialize(listed), json::serialize(known));
}

TEST(WhyCodesOfApi, AreThoseOfTheDescriptionOfTheApi) {
    expect_described("WhyClause", plan::all_why_codes());
    expect_described("WhyHelp", plan::all_help_codes());
}

}  // namespace
}  // namespace pawl::api
