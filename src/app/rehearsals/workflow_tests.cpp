#include "app/rehearsals/workflow_tests.hpp"

#include "app/refusal.hpp"
#include "app/rehearsals/played_case.hpp"
#include "app/rehearsals/real_steps.hpp"
#include "base/on_thread.hpp"
#include "model/document.hpp"
#include "rehearse/coverage.hpp"

#include <boost/asio/thread_pool.hpp>
#include <fmt/core.h>

namespace pawl::app {

namespace {

// Cases compute and may wait for a program of jq: the thread of the requests does not.
asio::thread_pool& rehearsal_thread() {
    static asio::thread_pool thread(1);
    return thread;
}

Result<rehearse::TestFile> read_cases(const std::string& text, const Definition& definition) {
    auto read = rehearse::read_tests(text, definition);
    if (read.file.tests.size() > cases_max) {
        read.problems.push_back({0, "tests", fmt::format("must be at most {}", cases_max)});
    }
    if (read.problems.empty()) return std::move(read.file);
    std::vector<WrongPlace> places;
    for (const Problem& problem : read.problems) {
        places.push_back({"/text", error_at(problem.line, problem.path, problem.what).message});
    }
    return wrong_places(std::move(places));
}

Result<Definition> definition_of(const Result<store::WorkflowVersion>& version) {
    if (!version) return version.error();
    return definition_from_json(version->definition);
}

TestedWorkflow play(
    const Definition& definition, const rehearse::TestFile& file, const std::string& only
) {
    RealSteps steps;
    const rehearse::RealSteps real = [&](const rehearse::Call& call) { return steps.run(call); };
    rehearse::Coverage coverage(definition);
    TestedWorkflow tested;
    tested.workflow = definition.name;
    for (const rehearse::TestCase& test : file.tests) {
        if (test.name.find(only) == std::string::npos) continue;
        const PlayedCase played = play_case(definition, test, real);
        ++(played.mismatches.empty() ? tested.passed : tested.failed);
        coverage.add(played.recording);
        tested.tests.push_back(to_json(test, played));
    }
    tested.coverage = coverage.to_json();
    return tested;
}

}  // namespace

asio::awaitable<Result<TestedWorkflow>> run_tests(
    VersionUses& uses, store::TenantId tenant, TestsParams params
) {
    std::optional<std::int32_t> number;
    Result<Definition> definition = Error{Errc::invalid, "", {}};
    if (params.definition) {
        definition = std::move(*params.definition);
    } else {
        const auto version =
            params.version.empty()
                ? co_await find_workflow(uses, tenant, params.workflow)
                : co_await find_version(uses, tenant, params.workflow, params.version);
        definition = definition_of(version);
        if (version) number = version->version;
    }
    if (!definition) co_return definition.error();
    if (!params.text) {
        const auto kept = co_await uses.drafts.find_tests(tenant, params.workflow);
        if (!kept) co_return not_found("there are no tests of '" + params.workflow + "'");
        params.text = kept->text;
    }
    auto file = read_cases(*params.text, *definition);
    if (!file) co_return file.error();
    TestedWorkflow tested = co_await on_thread(
        rehearsal_thread(),
        [definition = std::move(*definition),
         cases = std::move(*file),
         only = std::move(params.only)] { return play(definition, cases, only); }
    );
    tested.version = number;
    co_return tested;
}

asio::awaitable<Result<std::optional<store::WorkflowDraft>>> keep_tests(
    VersionUses& uses, store::TenantId tenant, store::NewDraft tests
) {
    const auto definition = definition_of(co_await find_workflow(uses, tenant, tests.name));
    if (!definition) co_return definition.error();
    const auto file = read_cases(tests.text, *definition);
    if (!file) co_return file.error();
    co_return co_await uses.drafts.put_tests(tenant, std::move(tests));
}

json::object to_json(TestedWorkflow tested) {
    json::object out;
    out["workflow"] = tested.workflow;
    out["version"] = tested.version ? json::value(*tested.version) : json::value();
    out["passed"] = tested.passed;
    out["failed"] = tested.failed;
    out["tests"] = std::move(tested.tests);
    out["coverage"] = std::move(tested.coverage);
    return out;
}

}  // namespace pawl::app
