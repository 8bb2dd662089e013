#pragma once

#include "support/database.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pawl::test {

// Plans must not depend on statistics: a table that is empty when it is analysed and full a second
// later must be read the same way. auto_explain shows the plans of the real functions, with the
// settings they pin.
struct Plan {
    std::string query;
    std::string text;
};

class PlanTest : public ::testing::Test {
protected:
    // Runs in a fresh session of its own and takes back what the statements did.
    std::vector<Plan> explain(const std::string& sql);
    // The plans of the statement that contains `marker` use the index and never scan a whole table.
    static void expect_index(
        const std::vector<Plan>& plans, const std::string& marker, const std::string& index
    );

    TestDatabase database_;
    Session& session_ = database_.session();
};

}  // namespace pawl::test
