#include "cli/commands/test_files.hpp"

#include "cli/parse/input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* endings[] = {".yaml", ".yml", ".json"};

bool is_tests(const fs::path& path) {
    const std::string ending = path.extension().string();
    const bool known =
        std::find(std::begin(endings), std::end(endings), ending) != std::end(endings);
    return known && path.stem().extension() == ".test";
}

// The file of this name with one of our endings; empty when there is none.
std::string existing(const fs::path& without_ending) {
    for (const char* ending : endings) {
        std::string path = without_ending.string() + ending;
        std::error_code failed;
        if (fs::exists(path, failed)) return path;
    }
    return "";
}

Error invalid(std::string message) {
    return {Errc::invalid, std::move(message), {}};
}

Result<Definition> read_definition(const std::string& file) {
    const auto text = read_source(file, DefinitionLimits{}.bytes_max);
    if (!text) return text.error();
    auto definition = parse_definition(*text);
    if (definition) return definition;
    return invalid(fmt::format("{}: {}", file, definition.error().message));
}

Result<void> read_cases(TestedFile& tested, std::string_view text) {
    auto read = rehearse::read_tests(text, tested.definition);
    if (read.problems.empty()) {
        tested.tests = std::move(read.file);
        return {};
    }
    std::string message;
    for (const Problem& problem : read.problems) {
        if (!message.empty()) message += "\n";
        message += tested.file;
        if (problem.line > 0) message += fmt::format(":{}", problem.line);
        if (!problem.path.empty()) message += fmt::format(": {}", problem.path);
        message += fmt::format(": {}", problem.what);
    }
    return invalid(std::move(message));
}

Result<TestedFile> read_tested(const std::string& file) {
    TestedFile tested;
    tested.file = file;
    const auto text = read_source(file, DefinitionLimits{}.bytes_max);
    if (!text) return text.error();
    const fs::path path(file);
    const std::string named = rehearse::workflow_of_tests(*text);
    tested.workflow = named.empty() ? existing(path.parent_path() / path.stem().stem())
                                    : (path.parent_path() / named).string();
    if (tested.workflow.empty()) {
        return invalid(fmt::format(
            "{}: there is no {}.yaml beside it; name the definition with workflow: FILE",
            file,
            path.stem().stem().string()
        ));
    }
    auto definition = read_definition(tested.workflow);
    if (!definition) return definition.error();
    tested.definition = std::move(*definition);
    const auto read = read_cases(tested, *text);
    if (!read) return read.error();
    return tested;
}

std::string tests_beside(const std::string& definition) {
    const fs::path path(definition);
    return existing(path.parent_path() / (path.stem().string() + ".test"));
}

Result<std::vector<std::string>> tests_of(const std::string& source) {
    std::error_code failed;
    if (fs::is_directory(source, failed)) {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(source, failed)) {
            if (is_tests(entry.path())) found.push_back(entry.path().string());
        }
        std::sort(found.begin(), found.end());
        if (found.empty()) {
            return invalid(fmt::format(
                "there are no tests in {}; those of NAME.yaml stand beside it, in NAME.test.yaml",
                source
            ));
        }
        return found;
    }
    if (is_tests(source)) return std::vector<std::string>{source};
    const std::string beside = tests_beside(source);
    if (!beside.empty()) return std::vector<std::string>{beside};
    if (!fs::exists(source, failed)) return invalid(fmt::format("there is no file {}", source));
    const fs::path path(source);
    return invalid(fmt::format(
        "there are no tests for {}; write them into {}.test.yaml",
        source,
        (path.parent_path() / path.stem()).string()
    ));
}

}  // namespace

Result<std::vector<TestedFile>> read_tested_files(const std::vector<std::string>& sources) {
    std::vector<TestedFile> files;
    for (const std::string& source : sources) {
        const auto found = tests_of(source);
        if (!found) return found.error();
        for (const std::string& file : *found) {
            auto tested = read_tested(file);
            if (!tested) return tested.error();
            files.push_back(std::move(*tested));
        }
    }
    return files;
}

Result<TestedFile> read_for_simulation(const std::string& definition, const std::string& tests) {
    TestedFile tested;
    tested.workflow = definition;
    auto read = read_definition(definition);
    if (!read) return read.error();
    tested.definition = std::move(*read);
    tested.file = tests.empty() ? tests_beside(definition) : tests;
    if (tested.file.empty()) return tested;
    const auto text = read_source(tested.file, DefinitionLimits{}.bytes_max);
    if (!text) return text.error();
    const auto cases = read_cases(tested, *text);
    if (!cases) return cases.error();
    return tested;
}

}  // namespace pawl::cli
