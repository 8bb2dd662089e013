#include "rehearse/check.hpp"

#include "base/exact_json.hpp"
#include "base/json.hpp"
#include "base/spoken.hpp"
#include "model/duration.hpp"
#include "model/events/error_data.hpp"
#include "model/json_changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::rehearse {

namespace {

std::string error_text(const json::value& error) {
    if (error.is_null()) return "";
    return fmt::format(" ({}: {})", events::error_code(error), events::error_message(error));
}

class Checker {
public:
    Checker(const Definition& definition, const Recording& recording)
        : definition_(definition), recording_(recording) {}

    std::vector<Mismatch> take() && { return std::move(found_); }

    void status(const std::string& expected) {
        const std::string_view seen = outcome_name(recording_);
        if (seen == expected) return;
        std::string message = fmt::format("expected {}, got {}", expected, seen);
        message += error_text(recording_.error);
        if (!recording_.waits_at.empty()) {
            message += fmt::format(" at {}", fmt::join(recording_.waits_at, ", "));
        }
        if (recording_.stopped) message += ", and was stopped: it does not end";
        add("status", std::move(message));
    }

    void path(const std::vector<std::string>& expected) {
        if (expected == recording_.path) return;
        add("path", "is another one", diff_lines(expected, recording_.path));
    }

    void through(const std::vector<std::string>& expected) {
        auto at = recording_.path.begin();
        for (const std::string& node : expected) {
            at = std::find(at, recording_.path.end(), node);
            if (at == recording_.path.end()) {
                add("through",
                    fmt::format("does not reach '{}' in this order", node),
                    diff_lines(expected, recording_.path));
                return;
            }
            ++at;
        }
    }

    void visited(const std::vector<std::string>& nodes, bool wanted) {
        for (const std::string& id : nodes) {
            const auto node = definition_.find(id);
            const bool seen = node && recording_.visits[*node] > 0;
            if (seen == wanted) continue;
            add(wanted ? "visited" : "not_visited",
                fmt::format("'{}' was {}visited", id, seen ? "" : "not "));
        }
    }

    void value(std::string_view what, const json::value& expected, const json::value& seen) {
        compare(what, json_changes(expected, seen));
    }

    void parts(std::string_view what, const json::value& expected, const json::value& seen) {
        compare(what, json_missing(expected, seen));
    }

    void took(Duration expected) {
        const Duration seen = recording_.ended - recording_.log.front().at;
        if (seen == expected) return;
        add("took",
            fmt::format("expected {}, took {}", format_duration(expected), format_duration(seen)));
    }

    void calls(const std::map<std::string, std::size_t>& expected) {
        for (const auto& [node, count] : expected) {
            const auto seen = static_cast<std::size_t>(std::count_if(
                recording_.calls.begin(),
                recording_.calls.end(),
                [&](const CallRecord& call) { return call.node == node; }
            ));
            if (seen == count) continue;
            add("calls", fmt::format("'{}' was called {}, expected {}", node, times(seen), count));
        }
    }

    void emitted(const std::vector<json::value>& expected) {
        json::array seen;
        for (const Emitted& each : recording_.emitted) {
            seen.push_back(json::object{
                {"event", each.event}, {"key", each.key}, {"data", each.data}});
        }
        if (seen.size() != expected.size()) {
            add("emitted",
                fmt::format(
                    "expected {}, got {}", counted(expected.size(), "event"), plain_json(seen)
                ));
            return;
        }
        for (std::size_t i = 0; i < seen.size(); ++i) {
            parts(fmt::format("emitted[{}]", i), expected[i], seen[i]);
        }
    }

    void waits_at(std::vector<std::string> expected) {
        auto seen = recording_.waits_at;
        std::sort(expected.begin(), expected.end());
        std::sort(seen.begin(), seen.end());
        if (expected == seen) return;
        add("waits_at", "is another one", diff_lines(expected, seen));
    }

    void remarks() {
        for (const std::string& remark : recording_.remarks) add("events", remark);
    }

private:
    void add(std::string_view what, std::string message, std::vector<DiffLine> lines = {}) {
        found_.push_back({std::string(what), std::move(message), std::move(lines)});
    }

    void compare(std::string_view what, const std::vector<FieldChange>& changes) {
        if (changes.empty()) return;
        std::vector<DiffLine> lines;
        for (const FieldChange& change : changes) {
            const auto side = [&](char mark, const json::value& value) {
                const std::string path = change.path.empty() ? "" : change.path + ": ";
                lines.push_back({mark, path + plain_json(value)});
            };
            if (change.before) side('-', *change.before);
            if (change.after) side('+', *change.after);
        }
        add(what, "is not as expected", std::move(lines));
    }

    const Definition& definition_;
    const Recording& recording_;
    std::vector<Mismatch> found_;
};

}  // namespace

std::string_view outcome_name(const Recording& recording) {
    return recording.status == RunStatus::running ? "waiting" : name(recording.status);
}

std::vector<Mismatch> check(
    const Definition& definition, const Expectation& expect, const Recording& recording
) {
    Checker checker(definition, recording);
    checker.status(expect.status);
    if (expect.path) checker.path(*expect.path);
    checker.through(expect.through);
    checker.visited(expect.visited, true);
    checker.visited(expect.not_visited, false);
    if (expect.output) checker.value("output", *expect.output, recording.output);
    if (expect.output_has) checker.parts("output_has", *expect.output_has, recording.output);
    if (expect.error) checker.parts("error", *expect.error, recording.error);
    if (expect.took) checker.took(*expect.took);
    checker.calls(expect.calls);
    if (expect.emitted) checker.emitted(*expect.emitted);
    if (expect.waits_at) checker.waits_at(*expect.waits_at);
    checker.remarks();
    return std::move(checker).take();
}

std::vector<DiffLine> diff_lines(
    const std::vector<std::string>& expected, const std::vector<std::string>& seen
) {
    // Longest common subsequence of every two ends of the lists.
    const std::size_t rows = expected.size();
    const std::size_t columns = seen.size();
    std::vector<std::vector<std::size_t>> common(rows + 1, std::vector<std::size_t>(columns + 1));
    for (std::size_t i = rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            common[i][j] = expected[i] == seen[j] ? common[i + 1][j + 1] + 1
                                                  : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    std::vector<DiffLine> lines;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && expected[i] == seen[j]) {
            lines.push_back({' ', expected[i++]});
            ++j;
        } else if (j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1])) {
            lines.push_back({'-', expected[i++]});
        } else {
            lines.push_back({'+', seen[j++]});
        }
    }
    return lines;
}

}  // namespace pawl::rehearse
