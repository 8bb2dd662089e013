#pragma once

#include "model/problems.hpp"
#include "rehearse/mock.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::rehearse {

// What a test case says must come of it; what it does not say is not looked at.
struct Expectation {
    std::string status = "completed";  // or failed, cancelled, waiting
    std::optional<std::vector<std::string>> path;
    std::vector<std::string> through;  // in this order, with anything in between
    std::vector<std::string> visited;
    std::vector<std::string> not_visited;
    std::optional<boost::json::value> output;
    std::optional<boost::json::value> output_has;  // these parts of it
    std::optional<boost::json::value> error;       // these parts of it
    std::optional<Duration> took;
    std::map<std::string, std::size_t> calls;
    std::optional<std::vector<boost::json::value>> emitted;  // these parts of each, in order
    std::optional<std::vector<std::string>> waits_at;
};

struct TestCase {
    std::string name;
    int line = 0;
    Script script;
    Mocks mocks;
    Expectation expect;
};

struct TestFile {
    std::string workflow;  // the file it is about; empty: the one it stands beside
    boost::json::value input;
    std::string subject;
    boost::json::value person;
    Mocks mocks;  // for cases that say nothing else, and for simulations
    std::vector<TestCase> tests;
};

// What is wrong with a file of tests, or the file.
struct ReadTests {
    TestFile file;
    std::vector<Problem> problems;
};

// Reads test cases; `definition` tells which nodes there are.
ReadTests read_tests(std::string_view text, const Definition& definition);
// The workflow that a file of tests names, before anything else of it is read.
std::string workflow_of_tests(std::string_view text);

}  // namespace pawl::rehearse
