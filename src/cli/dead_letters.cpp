#include "store/dead_letters.hpp"

#include "api/shapes.hpp"
#include "base/fresh_id.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/names.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"
#include "pg/pool.hpp"
#include "store/pg_store.hpp"
#include "store/retries.hpp"

#include <fmt/format.h>

namespace pawl::cli {

namespace {

constexpr int page = 500;

store::DeadLetterFilter filter_of(const DeadLettersOptions& options) {
    store::DeadLetterFilter filter;
    filter.workflow = options.workflow;
    filter.fingerprint = options.fingerprint;
    filter.replayed = false;
    return filter;
}

asio::awaitable<int> list(pg::Pool& pool, store::Tenant tenant, const DeadLettersOptions& options) {
    store::DeadLetters letters(pool);
    const auto found = co_await letters.list(tenant, filter_of(options), options.limit);
    if (found.letters.empty()) {
        const auto unknown = co_await misspelt_workflow(pool, tenant.id, options.workflow);
        if (unknown) co_return report(options.globals, *unknown);
    }
    if (options.globals.machine()) {
        json::array items;
        for (const auto& letter : found.letters) items.push_back(api::to_json(letter));
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    if (found.letters.empty()) {
        say(options.globals, "no run has given up");
        co_return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const auto& letter : found.letters) {
        rows.push_back(
            {to_string(letter.run),
             letter.workflow,
             letter.step,
             human_time(letter.at),
             letter.fingerprint.substr(0, 12),
             Cell(shorten(error_line(letter.error), 60), Color::red)}
        );
    }
    print_table(
        options.globals, {"RUN", "WORKFLOW", "STEP", "AT (UTC)", "FINGERPRINT", "ERROR"}, rows
    );
    say(options.globals, "replay one: pawl dead-letters replay RUN");
    co_return exit_ok;
}

// The runs that were asked for by id, or all that match.
asio::awaitable<std::vector<RunId>> chosen(
    pg::Pool& pool, store::Tenant tenant, const DeadLettersOptions& options
) {
    std::vector<RunId> runs;
    for (const std::string& text : options.runs) runs.push_back(read_run_id(text).value());
    if (!runs.empty()) co_return runs;
    store::DeadLetters letters(pool);
    std::optional<store::DeadLetterCursor> cursor;
    do {
        const auto found = co_await letters.list(tenant, filter_of(options), page, cursor);
        for (const auto& letter : found.letters) runs.push_back(letter.run);
        cursor = found.next;
    } while (cursor);
    co_return runs;
}

asio::awaitable<int> replay(
    pg::Pool& pool, store::Tenant tenant, const DeadLettersOptions& options
) {
    const auto runs = co_await chosen(pool, tenant, options);
    if (runs.empty()) {
        const auto unknown = co_await misspelt_workflow(pool, tenant.id, options.workflow);
        if (unknown) co_return report(options.globals, *unknown);
    }
    store::Retries retries(pool);
    json::array items;
    std::vector<std::string> missing;
    for (std::size_t first = 0; first < runs.size(); first += page) {
        std::vector<store::Retry> batch;
        for (std::size_t i = first; i < std::min(runs.size(), first + page); ++i) {
            batch.push_back({runs[i], RunId{fresh_id()}});
        }
        for (const auto& done : co_await retries.retry(tenant, std::move(batch))) {
            if (!done.retried_as) {
                missing.push_back(to_string(done.run));
                continue;
            }
            const std::string new_run = to_string(*done.retried_as);
            items.push_back(json::object{{"run", to_string(done.run)}, {"replayed_as", new_run}});
            if (!options.globals.machine()) print_line(new_run);
        }
    }
    if (options.globals.machine()) print_json_list(options.globals, items);
    say(options.globals, fmt::format("{} replayed", items.size()));
    if (missing.empty()) co_return exit_ok;
    const std::string why = fmt::format("no failed or cancelled run: {}", fmt::join(missing, ", "));
    co_return report(options.globals, {Errc::not_found, why, {{"next", "pawl dead-letters list"}}});
}

}  // namespace

int run_dead_letters(const DeadLettersOptions& given) {
    DeadLettersOptions options = given;
    if (!options.fingerprint.empty()) {
        auto prefix = store::fingerprint_prefix(options.fingerprint);
        if (!prefix) {
            const std::string why = "--fingerprint " + prefix.error().message;
            return report(options.globals, {Errc::invalid, why, {}});
        }
        options.fingerprint = std::move(*prefix);
    }
    for (const std::string& text : options.runs) {
        const auto id = read_run_id(text);
        if (!id) return report(options.globals, id.error());
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return options.replay ? replay(pool, tenant, options) : list(pool, tenant, options);
    });
}

}  // namespace pawl::cli
