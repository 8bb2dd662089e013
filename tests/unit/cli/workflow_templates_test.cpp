#include "cli/commands/workflow_templates.hpp"

#include "model/definition.hpp"
#include "model/problems.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

TEST(WorkflowTemplates, EachIsADefinitionOfThatName) {
    ASSERT_EQ(workflow_templates().size(), 5U);
    for (const std::string& kind : workflow_templates()) {
        const std::string text = workflow_text(kind, "mine");
        EXPECT_EQ(text.find('@' + std::string("NAME")), std::string::npos) << kind;
        for (const Problem& problem : definition_problems(text)) {
            ADD_FAILURE() << kind << ":" << problem.line << " " << problem.path << " "
                          << problem.what;
        }
        const auto definition = parse_definition(text);
        ASSERT_TRUE(definition) << kind << ": " << definition.error().message;
        EXPECT_EQ(definition->name, "mine");
        EXPECT_NE(text.find("#"), std::string::npos) << kind << " has no comments";
    }
}

// The file's name and what is in it belong together.
TEST(WorkflowTemplates, AreWhatTheyAreCalled) {
    EXPECT_NE(workflow_text("approval", "x").find("human:"), std::string::npos);
    EXPECT_NE(workflow_text("etl", "x").find("foreach:"), std::string::npos);
    EXPECT_NE(workflow_text("event", "x").find("event: order.placed"), std::string::npos);
    EXPECT_NE(workflow_text("nightly", "x").find("cron:"), std::string::npos);
    EXPECT_NE(workflow_text("steps", "x").find("steps:"), std::string::npos);
}

}  // namespace
}  // namespace pawl::cli
