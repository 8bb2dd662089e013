#include "jq/jq_child.hpp"

#include <gtest/gtest.h>

// As the main() of pawl: the binary is its own jq child.
int main(int argc, char** argv) {
    if (pawl::jq::is_child(argc, argv)) pawl::jq::run_child();
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
