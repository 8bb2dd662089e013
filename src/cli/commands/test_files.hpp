#pragma once

#include "base/error.hpp"
#include "rehearse/test_file.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

// A definition and the test cases about it.
struct TestedFile {
    std::string file;      // of the tests
    std::string workflow;  // file of the definition
    Definition definition;
    rehearse::TestFile tests;
};

// Tests are beside their definition: order.test.yaml beside order.yaml. A source is either of them,
// or a folder: all tests in it.
Result<std::vector<TestedFile>> read_tested_files(const std::vector<std::string>& sources);

// A definition, with the mocks of its tests where there are any.
Result<TestedFile> read_for_simulation(const std::string& definition, const std::string& tests);

}  // namespace pawl::cli
