#include "rehearse/test_file.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"
#include "rehearse/mock_reader.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::rehearse {

namespace {

// Virtual time begins here when a case does not say when: the same on every machine, a Thursday.
constexpr Instant start_default = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);

using Kind = Happening::Kind;

constexpr std::pair<std::string_view, Kind> happenings[] = {
    {"event", Kind::event},
    {"signal", Kind::signal},
    {"decide", Kind::decide},
    {"cancel", Kind::cancel},
    {"pause", Kind::pause},
    {"resume", Kind::resume},
    {"skip", Kind::skip}};

class Reader {
public:
    Reader(const Document& document, const Definition& definition, Problems& problems)
        : document_(document), definition_(definition), problems_(problems) {}

    TestFile read() {
        Fields fields(document_, "", problems_);
        file_.workflow = fields.text("workflow").value_or("");
        file_.input = read_value(fields, "input");
        file_.subject = fields.text("subject").value_or("");
        file_.person = read_value(fields, "person");
        file_.mocks = read_mocks(fields, definition_);
        const Document* tests = fields.take("tests");
        fields.finish();
        if (tests == nullptr) return std::move(file_);
        if (tests->kind != Document::Kind::list) fields.wrong("tests", "must be a list of cases");
        for (std::size_t i = 0; i < tests->items.size(); ++i) {
            Fields item(tests->items[i], fmt::format("tests[{}]", i), problems_);
            file_.tests.push_back(read_case(item));
            item.finish();
        }
        return std::move(file_);
    }

private:
    TestCase read_case(Fields& fields) {
        TestCase test;
        test.line = fields.line();
        test.name = fields.text("name").value_or("");
        if (test.name.empty()) fields.wrong("name", "is missing: say what the case shows");
        test.script.start = read_start(fields);
        test.script.subject = fields.text("subject").value_or(file_.subject);
        test.script.person = fields.has("person") ? read_value(fields, "person") : file_.person;
        test.script.input = fields.has("input") ? read_value(fields, "input") : file_.input;
        if (test.script.input.is_null()) test.script.input = json::object();
        test.mocks = read_mocks(fields, definition_);
        test.mocks.insert(file_.mocks.begin(), file_.mocks.end());
        if (const Document* events = fields.take("events")) {
            if (events->kind != Document::Kind::list) fields.wrong("events", "must be a list");
            for (std::size_t i = 0; i < events->items.size(); ++i) {
                Fields item(
                    events->items[i], fmt::format("{}[{}]", fields.path_of("events"), i), problems_
                );
                test.script.happenings.push_back(read_happening(item, test.script.start));
                item.finish();
            }
        }
        if (const Document* expect = fields.take("expect")) {
            Fields inner(*expect, fields.path_of("expect"), problems_);
            test.expect = read_expectation(inner);
            inner.finish();
        }
        return test;
    }

    static Instant read_start(Fields& fields) {
        const auto text = fields.text("start");
        if (!text) return start_default;
        const auto at = parse_rfc3339(*text);
        if (!at) fields.wrong("start", "must be a time such as 2026-03-01T09:00:00Z");
        return at.value_or(start_default);
    }

    Happening read_happening(Fields& fields, Instant start) {
        Happening happening;
        happening.after = read_time(fields, start);
        int kinds = 0;
        for (const auto& [word, kind] : happenings) {
            if (!fields.has(word)) continue;
            ++kinds;
            happening.kind = kind;
            const Document* written = fields.take(word);
            happening.name = written == nullptr ? "" : std::string(written->text());
            if (kind == Kind::decide || kind == Kind::skip) {
                check_node(fields, word, happening.name, definition_);
            }
        }
        // `event` is what happens here, not part of an answer.
        if (kinds != 1) {
            fields.wrong(
                "must say what happens: event, signal, decide, cancel, pause, resume or "
                "skip, one of them"
            );
        }
        happening.key = fields.text("key").value_or("");
        happening.data = read_value(fields, "data");
        happening.answer.decision = fields.text("decision").value_or("approved");
        happening.answer.by = fields.text("by").value_or("");
        happening.answer.reason = fields.text("reason").value_or("");
        return happening;
    }

    static Duration read_time(Fields& fields, Instant start) {
        if (const auto text = fields.text("at")) {
            const auto at = parse_rfc3339(*text);
            if (at && *at >= start) return *at - start;
            fields.wrong("at", "must be a time such as 2026-03-01T09:00:00Z, after the start");
        }
        return read_duration(fields, "after").value_or(Duration{});
    }

    std::vector<std::string> read_nodes(Fields& fields, std::string_view key) {
        auto names = read_names(fields, key);
        for (const std::string& id : names) check_node(fields, key, id, definition_);
        return names;
    }

    Expectation read_expectation(Fields& fields) {
        Expectation expect;
        expect.status = fields.text("status").value_or("completed");
        constexpr std::string_view words[] = {"completed", "failed", "cancelled", "waiting"};
        if (std::find(std::begin(words), std::end(words), expect.status) == std::end(words)) {
            fields.wrong("status", "must be completed, failed, cancelled or waiting");
        }
        if (fields.has("path")) expect.path = read_nodes(fields, "path");
        expect.through = read_nodes(fields, "through");
        expect.visited = read_nodes(fields, "visited");
        expect.not_visited = read_nodes(fields, "not_visited");
        if (fields.has("output")) expect.output = read_value(fields, "output");
        if (fields.has("output_has")) expect.output_has = read_value(fields, "output_has");
        if (fields.has("error")) expect.error = read_value(fields, "error");
        expect.took = read_duration(fields, "took");
        if (fields.has("waits_at")) expect.waits_at = read_nodes(fields, "waits_at");
        read_calls(fields, expect);
        if (const Document* emitted = fields.take("emitted")) {
            expect.emitted.emplace();
            for (const Document& item : emitted->items) expect.emitted->push_back(to_json(item));
        }
        return expect;
    }

    void read_calls(Fields& fields, Expectation& expect) {
        const Document* calls = fields.take("calls");
        if (calls == nullptr) return;
        Fields map(*calls, fields.path_of("calls"), problems_);
        for (const auto& member : calls->members) {
            check_node(map, member.key, member.key, definition_);
            const auto count = map.whole(member.key, {0, 1'000'000});
            expect.calls[member.key] = static_cast<std::size_t>(count.value_or(0));
        }
    }

    const Document& document_;
    const Definition& definition_;
    Problems& problems_;
    TestFile file_;
};

}  // namespace

ReadTests read_tests(std::string_view text, const Definition& definition) {
    ReadTests read;
    const auto document = read_document(text, {});
    if (!document) {
        read.problems.push_back(problem_of(document.error()));
        return read;
    }
    Problems problems;
    read.file = Reader(*document, definition, problems).read();
    read.problems = problems.all();
    return read;
}

std::string workflow_of_tests(std::string_view text) {
    const auto document = read_document(text, {});
    if (!document) return "";
    const Document* written = document->find("workflow");
    return written == nullptr ? "" : std::string(written->text());
}

}  // namespace pawl::rehearse
