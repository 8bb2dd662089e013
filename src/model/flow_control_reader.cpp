#include "model/duration.hpp"
#include "model/flow_reader.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl {

namespace {

constexpr std::size_t limits_max = 5;
constexpr std::int64_t limit_max = 1'000'000;
constexpr std::int64_t batch_max = 1000;
constexpr Duration gather_max = std::chrono::hours(24 * 31);

FlowScope read_scope(Fields& fields) {
    const std::string word = fields.text("scope").value_or("workflow");
    if (word == "tenant") return FlowScope::tenant;
    if (word == "global") return FlowScope::global;
    if (word != "workflow") {
        const std::vector<std::string_view> words{"workflow", "tenant", "global"};
        fields.wrong(
            "scope",
            fmt::format(
                "'{}' is not known{}: use workflow, tenant or global", word, suggest(word, words)
            )
        );
    }
    return FlowScope::workflow;
}

// A limit that others share needs a name by which they mean the same one.
std::string read_name(Fields& fields, FlowScope scope, std::string usual) {
    const auto name = fields.text("name");
    if (name && !is_identifier(*name)) {
        fields.wrong(
            "name", "must start with a letter or _ and hold only letters, digits, _ and -"
        );
    }
    if (!name && scope != FlowScope::workflow) {
        fields.wrong("name", "is missing: workflows that share a limit know it by its name");
    }
    return name.value_or(std::move(usual));
}

std::int32_t read_limit(Fields& fields) {
    const auto limit = fields.whole("limit", {1, limit_max});
    if (!fields.has("limit")) fields.wrong("limit", "is missing: how many runs at most");
    return static_cast<std::int32_t>(limit.value_or(1));
}

ConcurrencyLimit read_concurrency(Fields& fields, std::size_t index) {
    ConcurrencyLimit limit;
    limit.key = fields.template_text("key").value_or("");
    limit.limit = read_limit(fields);
    limit.scope = read_scope(fields);
    limit.name = read_name(
        fields, limit.scope, index == 0 ? "concurrency" : fmt::format("concurrency_{}", index + 1)
    );
    return limit;
}

RateLimit read_rate(Fields& fields) {
    RateLimit rate;
    rate.key = fields.template_text("key").value_or("");
    rate.limit = read_limit(fields);
    const auto per = fields.positive_duration("per");
    if (!per) {
        fields.wrong("per", "is missing: in which time, such as 1m");
    } else if (*per / rate.limit < Duration(1)) {
        fields.wrong("per", "is too short for so many: at most one in a microsecond");
    }
    rate.per = per.value_or(std::chrono::minutes(1));
    rate.burst = static_cast<std::int32_t>(fields.whole("burst", {1, limit_max}).value_or(1));
    rate.scope = read_scope(fields);
    rate.name = read_name(fields, rate.scope, "rate");
    const std::string over = fields.text("over").value_or("wait");
    if (over != "wait" && over != "drop") {
        fields.wrong("over", fmt::format("'{}' is not known: use wait or drop", over));
    }
    rate.drop = over == "drop";
    return rate;
}

Duration read_time(Fields& fields, std::string_view key) {
    const auto time = fields.positive_duration(key);
    if (time && *time > gather_max) fields.wrong(key, "may be 31 days at most");
    return time.value_or(Duration(0));
}

Gathering read_debounce(Fields& fields) {
    Gathering gathering;
    gathering.key = fields.template_text("key").value_or("");
    gathering.period = read_time(fields, "period");
    if (gathering.period == Duration(0)) {
        fields.wrong("period", "is missing: how long nothing must come, such as 10s");
    }
    gathering.max_wait = read_time(fields, "max_wait");
    if (gathering.max_wait > Duration(0) && gathering.max_wait < gathering.period) {
        fields.wrong("max_wait", "must not be shorter than period");
    }
    return gathering;
}

Gathering read_batch(Fields& fields) {
    Gathering gathering;
    gathering.batch = true;
    gathering.key = fields.template_text("key").value_or("");
    gathering.size = static_cast<std::int32_t>(fields.whole("size", {2, batch_max}).value_or(0));
    if (!fields.has("size")) fields.wrong("size", "is missing: how many make a batch");
    gathering.max_wait = read_time(fields, "max_wait");
    if (gathering.max_wait == Duration(0)) {
        fields.wrong("max_wait", "is missing: when a batch begins that did not get full");
    }
    return gathering;
}

// Reads the map under `key`, if there is one.
template <typename Read>
auto inner(Fields& fields, std::string_view key, Read read)
    -> std::optional<decltype(read(fields))> {
    const Document* map = fields.take(key);
    if (map == nullptr) return std::nullopt;
    Fields own(*map, fields.path_of(key), fields.problems());
    auto value = read(own);
    own.finish();
    return value;
}

void read_concurrencies(Fields& fields, FlowControl& flow) {
    const Document* list = fields.take("concurrency");
    if (list == nullptr) return;
    const bool one = list->kind == Document::Kind::map;
    if (!one && (list->kind != Document::Kind::list || list->items.size() > limits_max)) {
        fields.wrong(
            "concurrency", fmt::format("must be a limit, or a list of {} at most", limits_max)
        );
        return;
    }
    const std::size_t count = one ? 1 : list->items.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::string path = fields.path_of("concurrency");
        Fields item(
            one ? *list : list->items[i],
            one ? path : fmt::format("{}[{}]", path, i),
            fields.problems()
        );
        ConcurrencyLimit limit = read_concurrency(item, i);
        item.finish();
        const bool twice = std::any_of(
            flow.concurrency.begin(),
            flow.concurrency.end(),
            [&](const ConcurrencyLimit& other) {
                return other.name == limit.name && other.scope == limit.scope;
            }
        );
        if (twice) item.wrong("name", fmt::format("'{}' is there already", limit.name));
        flow.concurrency.push_back(std::move(limit));
    }
}

}  // namespace

FlowControl read_flow_control(Fields& fields) {
    FlowControl flow;
    read_concurrencies(fields, flow);
    const std::string waiting = fields.text("while_waiting").value_or("hold");
    if (waiting != "hold" && waiting != "free") {
        fields.wrong("while_waiting", fmt::format("'{}' is not known: use hold or free", waiting));
    }
    flow.free_while_waiting = waiting == "free";
    flow.rate = inner(fields, "rate", read_rate);
    flow.gathering = inner(fields, "debounce", read_debounce);
    if (auto batch = inner(fields, "batch", read_batch)) {
        if (flow.gathering) fields.wrong("batch", "is given beside debounce: keep one of them");
        flow.gathering = std::move(batch);
    }
    fields.finish();
    return flow;
}

}  // namespace pawl
