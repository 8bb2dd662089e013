#include "store/plans.hpp"

#include <fstream>
#include <regex>

namespace pawl::test {

std::vector<Plan> PlanTest::explain(const std::string& sql) {
    const std::string path = testing::TempDir() + database_.name() + ".sql";
    std::ofstream(path) << "load 'auto_explain'; set auto_explain.log_min_duration = 0;"
                           "set auto_explain.log_nested_statements = on;"
                           "set auto_explain.log_analyze = on;"
                           "set auto_explain.log_buffers = on;"
                           "set auto_explain.log_timing = off;"
                           "set auto_explain.log_level = notice; begin;"
                        << sql << ";rollback;";
    const auto output = output_of(
        "psql -X -q -v ON_ERROR_STOP=1 -o /dev/null -d '" + database_.url() + "' -f " + path
    );
    std::remove(path.c_str());
    std::vector<Plan> plans;
    static const std::regex plan_start(R"(\n[A-Z][^\n]*  \(cost=)");
    std::size_t at = output.find("Query Text: ");
    while (at != std::string::npos) {
        const auto next = output.find("Query Text: ", at + 1);
        const auto block = output.substr(at, next == std::string::npos ? next : next - at);
        std::smatch match;
        if (std::regex_search(block, match, plan_start)) {
            const auto split = static_cast<std::size_t>(match.position());
            plans.push_back({block.substr(0, split), block.substr(split)});
        }
        at = next;
    }
    return plans;
}

void PlanTest::expect_index(
    const std::vector<Plan>& plans, const std::string& marker, const std::string& index
) {
    static const std::regex scan(
        R"((Seq Scan|Bitmap Heap Scan) on (live_run|event|run_|signal)|->  Sort)"
    );
    int seen = 0;
    for (const Plan& plan : plans) {
        if (plan.query.find(marker) == std::string::npos) continue;
        ++seen;
        EXPECT_TRUE(std::regex_search(plan.text, std::regex(index))) << index << " not used:\n"
                                                                     << plan.query << plan.text;
        EXPECT_FALSE(std::regex_search(plan.text, scan)) << plan.query << plan.text;
    }
    EXPECT_GT(seen, 0) << "no statement with: " << marker;
}

}  // namespace pawl::test
