#include "cli/commands/bulk_request.hpp"

#include "cli/parse/input.hpp"
#include "cli/parse/json_option.hpp"
#include "model/civil_time.hpp"
#include "model/data_condition.hpp"
#include "plan/settle.hpp"

#include <array>
#include <utility>

namespace pawl::cli {

namespace {

Error invalid(std::string message) {
    return {Errc::invalid, std::move(message), {}};
}

Result<std::optional<Instant>> read_time(const char* option, const std::string& text) {
    if (text.empty()) return std::optional<Instant>();
    const auto at = parse_time(text);
    if (!at) {
        return invalid(
            std::string(option) + " must be a time like 2026-01-31T09:00:00Z or 2026-01-31"
        );
    }
    return at;
}

// Options that another action has are refused: they would be left out without a word.
std::optional<Error> misplaced(const RunsBulkOptions& options) {
    const store::BulkAction& action = options.action;
    const bool skip = action.action == "skip";
    const bool signal = action.action == "signal";
    const bool settle = action.action == "settle";
    const bool reasons = skip || settle || action.action == "cancel" || action.action == "pause";
    if (skip && (action.node.empty() || action.reason.empty())) {
        return invalid("skip needs --node STEP and --reason TEXT");
    }
    if (signal && action.name.empty()) return invalid("signal needs --name NAME");
    if (settle && (action.node.empty() || !plan::parse_settled(action.as))) {
        return invalid("settle needs --node STEP and --as completed, failed or retry");
    }
    if (!skip && !settle && !action.node.empty()) {
        return invalid("--node is for skip and settle");
    }
    if (!skip && !options.value.empty()) return invalid("--value is for skip");
    if (!settle && !action.as.empty()) return invalid("--as is for settle");
    if (!signal && !action.name.empty()) return invalid("--name is for signal");
    if (!signal && !settle && !options.data.empty()) {
        return invalid("--data is for signal and settle");
    }
    if (!reasons && !action.reason.empty())
        return invalid("--reason is for cancel, pause, skip and settle");
    return std::nullopt;
}

Result<store::RunFilter> read_filter(const RunsBulkOptions& options) {
    const std::array<std::pair<const char*, const std::string&>, 6> texts{{
        {"--workflow", options.workflow},
        {"--subject", options.subject},
        {"--correlation", options.correlation},
        {"--reason", options.action.reason},
        {"--name", options.action.name},
        {"--error", options.error},
    }};
    for (const auto& [option, text] : texts) {
        if (auto fine = check_text(option, text, 1000); !fine) return fine.error();
    }
    const auto after = read_time("--created-after", options.created_after);
    if (!after) return after.error();
    const auto before = read_time("--created-before", options.created_before);
    if (!before) return before.error();
    if (auto wrong = check_where(options.where)) return *wrong;
    store::RunFilter filter;
    filter.workflow = options.workflow;
    filter.status = options.status;
    filter.subject = options.subject;
    filter.correlation_id = options.correlation;
    filter.created_after = *after;
    filter.created_before = *before;
    filter.error = options.error;
    filter.where = options.where;
    if (!store::has_condition(filter) && !options.all) {
        return invalid("say which runs: --workflow, --status, ...; or --all");
    }
    return store::fitting(std::move(filter), options.action.action);
}

}  // namespace

std::optional<Error> check_where(const std::vector<std::string>& where) {
    if (where.size() > data_conditions_max) return invalid("--where is given more than 10 times");
    for (const std::string& text : where) {
        if (const auto condition = read_data_condition(text); !condition) {
            return invalid("--where: " + condition.error().message);
        }
    }
    return std::nullopt;
}

Result<BulkRequest> read_bulk(const RunsBulkOptions& options) {
    if (auto wrong = misplaced(options)) return *wrong;
    auto filter = read_filter(options);
    if (!filter) return filter.error();
    BulkRequest request{options.action, std::move(*filter)};
    auto data = read_json(options.data);
    if (!data) return data.error();
    request.action.data = std::move(*data);
    auto value = read_json(options.value, "--value");
    if (!value) return value.error();
    request.action.value = std::move(*value);
    if (request.action.reason.empty()) {
        request.action.reason = request.action.action + " in bulk on the command line";
    }
    return request;
}

}  // namespace pawl::cli
