#include "api/http/openapi.hpp"
#include "model/problem_code.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TEST(ProblemCodes, AreThoseOfTheDescriptionOfTheApi) {
    const json::value document = openapi();
    const json::array& listed =
        document.at_pointer("/components/schemas/Validation/properties/errors/items/properties")
            .at_pointer("/code/enum")
            .as_array();
    json::array known;
    for (const std::string_view code : problem_codes()) known.emplace_back(code);
    EXPECT_EQ(json::serialize(listed), json::serialize(known));
}

}  // namespace
}  // namespace pawl::api
