#include "rehearse/mock_reader.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/suggest.hpp"

#include <fmt/core.h>

namespace pawl::rehearse {

namespace {

StepError read_error(Fields& fields) {
    StepError error{ErrorClass::permanent, "error", "", std::nullopt};
    const Document* written = fields.take("error");
    if (written->is_text()) {
        error.code = std::string(written->text());
    } else {
        Fields inner(*written, fields.path_of("error"), fields.problems());
        error.code = inner.text("code").value_or("error");
        error.message = inner.text("message").value_or("");
        error.retry_after = inner.positive_duration("retry_after");
        if (const auto word = inner.text("class")) {
            const auto known = parse_error_class(*word);
            if (!known) inner.wrong("class", "must be retryable, permanent or ambiguous");
            error.error_class = known.value_or(ErrorClass::permanent);
        }
        inner.finish();
    }
    if (error.message.empty()) error.message = fmt::format("mocked: {}", error.code);
    return error;
}

std::vector<Weighted> read_turn(Fields& fields) {
    const Document* several = fields.take("one_of");
    if (several == nullptr) {
        Weighted only{read_answer(fields), 1};
        fields.finish();
        return {std::move(only)};
    }
    std::vector<Weighted> turn;
    for (std::size_t i = 0; i < several->items.size(); ++i) {
        Fields item(
            several->items[i], fmt::format("{}[{}]", fields.path_of("one_of"), i), fields.problems()
        );
        Weighted weighted;
        weighted.weight = item.number("weight", {0, 1e9}).value_or(1);
        weighted.answer = read_answer(item);
        item.finish();
        turn.push_back(std::move(weighted));
    }
    if (turn.empty()) {
        fields.wrong("one_of", "must be a list of at least one answer");
        turn.emplace_back();
    }
    fields.finish();
    return turn;
}

Mock read_mock(const Document& written, const std::string& path, Problems& problems) {
    Mock mock;
    if (written.kind != Document::Kind::list) {
        Fields fields(written, path, problems);
        mock.turns.push_back(read_turn(fields));
        return mock;
    }
    for (std::size_t i = 0; i < written.items.size(); ++i) {
        Fields fields(written.items[i], fmt::format("{}[{}]", path, i), problems);
        mock.turns.push_back(read_turn(fields));
    }
    if (mock.turns.empty()) {
        problems.add(written.line, path, "must hold at least one answer");
        mock.turns.emplace_back(1);
    }
    return mock;
}

}  // namespace

json::value read_value(Fields& fields, std::string_view key) {
    const Document* written = fields.take(key);
    return written == nullptr ? json::value() : to_json(*written);
}

std::optional<Duration> read_duration(Fields& fields, std::string_view key) {
    const Document* written = fields.take(key);
    if (written == nullptr) return std::nullopt;
    const auto duration = duration_from_json(to_json(*written));
    if (duration) return *duration;
    fields.wrong(key, duration.error().message);
    return std::nullopt;
}

std::vector<std::string> read_names(Fields& fields, std::string_view key) {
    std::vector<std::string> names;
    const Document* list = fields.take(key);
    if (list == nullptr) return names;
    if (list->is_text()) return {std::string(list->text())};
    if (list->kind != Document::Kind::list) fields.wrong(key, "must be a list of names");
    for (const Document& item : list->items) {
        if (!item.is_text()) fields.wrong(key, "must be a list of names");
        names.emplace_back(item.text());
    }
    return names;
}

void check_node(
    Fields& fields, std::string_view key, std::string_view id, const Definition& definition
) {
    if (definition.find(id)) return;
    std::vector<std::string_view> ids;
    for (const Node& node : definition.nodes) ids.push_back(node.id);
    fields.wrong(key, fmt::format("there is no node '{}'{}", id, suggest(id, ids)));
}

Answer read_answer(Fields& fields) {
    Answer answer;
    answer.takes = read_duration(fields, "takes").value_or(Duration{});
    answer.decision = fields.text("decision").value_or("");
    answer.by = fields.text("by").value_or("");
    answer.reason = fields.text("reason").value_or("");
    answer.event = fields.text("event").value_or("");
    if (fields.has("error")) answer.error = read_error(fields);
    if (fields.has("result") && fields.has("data")) {
        fields.wrong("data", "means the same as result: keep one of them");
    }
    answer.result = read_value(fields, fields.has("data") ? "data" : "result");
    const bool decides = answer.decision == "approved" || answer.decision == "rejected";
    if (!answer.decision.empty() && !decides) {
        fields.wrong("decision", "must be approved or rejected");
    }
    return answer;
}

Mocks read_mocks(Fields& fields, const Definition& definition) {
    Mocks mocks;
    const Document* written = fields.take("mocks");
    if (written == nullptr) return mocks;
    Fields map(*written, fields.path_of("mocks"), fields.problems());
    for (const auto& member : written->members) {
        check_node(map, member.key, member.key, definition);
        mocks[member.key] = read_mock(member.value, map.path_of(member.key), fields.problems());
    }
    return mocks;
}

}  // namespace pawl::rehearse
