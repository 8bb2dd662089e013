#include "embed/definition_of.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

// What a C++ workflow says about its input.
namespace pawl {
namespace {

class Signup : public Workflow {
public:
    explicit Signup(const char* schema) : schema_(boost::json::parse(schema)) {}
    std::string id() const override { return "signup"; }
    std::string version() const override { return "1.0.0"; }
    std::vector<StepDef> steps() const override { return {{.name = "greet"}}; }
    Plan plan(const Run&) const override { return {}; }
    boost::json::value input_schema() const override { return schema_; }

private:
    boost::json::value schema_;
};

TEST(CodeInputSchema, AStartIsHeldAgainstIt) {
    const auto definition =
        embed::definition_of(Signup(R"({"properties": {"age": {"minimum": 18}}})"));
    ASSERT_TRUE(definition);
    const auto valid = validate_input(*definition, boost::json::object{{"age", 17}});
    ASSERT_FALSE(valid);
    EXPECT_EQ(valid.error().message, "input.age: must be at least 18");
    EXPECT_TRUE(embed::definition_of(Signup("null")).value().input_schema.is_null());
}

TEST(CodeInputSchema, OneThatIsNotUnderstoodIsRefused) {
    const auto definition = embed::definition_of(Signup(R"({"oneOf": []})"));
    ASSERT_FALSE(definition);
    EXPECT_EQ(definition.error().message, "input_schema: /oneOf: is not understood: leave it out");
}

}  // namespace
}  // namespace pawl
