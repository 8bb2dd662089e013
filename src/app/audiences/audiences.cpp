#include "app/audiences/audiences.hpp"

#include "app/refusal.hpp"
#include "base/canonical_json.hpp"
#include "base/cut_text.hpp"
#include "base/json.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "model/audience_query.hpp"
#include "steps/storable_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace pawl::app {

namespace {

constexpr std::string_view subject_column = "subject";
// Runs that are started in one transaction.
constexpr int runs_together = 2000;
// Rows that are read at once; where they are too large together, fewer.
constexpr std::size_t rows_together = 2000;
constexpr std::size_t large_rows_together = 50;
// Of a value in an example.
constexpr std::size_t shown_bytes_max = 1000;

std::string no_subject(const std::vector<std::string>& columns) {
    return fmt::format(
        "must have a column subject, such as select id as subject; it has {}",
        columns.empty() ? "none" : fmt::format("{}", fmt::join(columns, ", "))
    );
}

std::optional<std::size_t> subject_of(const pg::TextTable& table) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].name == subject_column) return i;
    }
    return std::nullopt;
}

store::AudienceRows rows_of(pg::TextTable table, std::size_t subject) {
    store::AudienceRows rows;
    json::array data = to_json(table);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        rows.subjects.push_back(std::move(table.rows[i][subject]));
        json::object& others = data[i].as_object();
        others.erase(subject_column);
        // A column of type json may hold U+0000.
        rows.data.push_back(std::move(steps::storable(std::move(others)).as_object()));
    }
    return rows;
}

// The value, or the beginning of its text.
json::value shown(json::value value) {
    if (const auto* text = value.if_string()) return json::string(cut_text(*text, shown_bytes_max));
    if (!value.is_structured()) return value;
    const std::string text = canonical_json(value);
    if (text.size() <= shown_bytes_max) return value;
    return json::string(cut_text(text, shown_bytes_max));
}

json::array examples_of(const pg::TextTable& table) {
    json::array rows = to_json(table);
    for (json::value& row : rows) {
        for (auto& [name, value] : row.as_object()) value = shown(std::move(value));
    }
    return rows;
}

Error no_reader() {
    return refusal(
        Errc::conflict, "no_sql_login", "audiences are read by a server: pawl serve --sql-url"
    );
}

}  // namespace

void Audiences::connect_by(steps::SqlSettings settings) {
    logins_ = std::make_unique<steps::SqlLogins>(executor_, std::move(settings));
}

asio::awaitable<std::optional<Error>> Audiences::wrong_in(
    store::TenantId tenant, Definition definition
) {
    if (!logins_) co_return std::nullopt;
    for (std::size_t i = 0; i < definition.triggers.size(); ++i) {
        const Trigger& trigger = definition.triggers[i];
        if (trigger.audience.empty()) continue;
        const auto columns = co_await logins_->read_rows(tenant, trigger.audience, nullptr);
        std::string what;
        if (!columns) {
            if (columns.error().code != Errc::invalid) continue;
            what = columns.error().message;
        } else if (std::find(columns->begin(), columns->end(), subject_column) == columns->end()) {
            what = no_subject(*columns);
        }
        if (what.empty()) continue;
        co_return Error{Errc::invalid, fmt::format("triggers[{}].audience: {}", i, what), {}};
    }
    co_return std::nullopt;
}

asio::awaitable<Result<AudiencePreview>> Audiences::preview(
    store::TenantId tenant, std::string query
) {
    if (!logins_) co_return no_reader();
    query = trimmed_query(query);
    if (auto problem = audience_problem(query); !problem.empty()) {
        co_return wrong_at("the query " + problem, "/query", problem);
    }
    auto found = co_await logins_->preview(tenant, std::move(query));
    if (!found && found.error().code == Errc::invalid) {
        co_return wrong_at(found.error().message, "/query", found.error().message);
    }
    if (!found) co_return found.error();
    if (!subject_of(found->first)) {
        std::vector<std::string> columns;
        for (const auto& column : found->first.columns) columns.push_back(column.name);
        const std::string what = no_subject(columns);
        co_return wrong_at("the query " + what, "/query", what);
    }
    co_return AudiencePreview{found->count, examples_of(found->first)};
}

asio::awaitable<std::optional<store::Job>> Audiences::next_part(store::Job job, Duration lease) {
    const json::value* read_all = find(job.request, "read");
    if (read_all != nullptr && *read_all == true) {
        co_return co_await jobs_.enter_audience(std::move(job), runs_together, lease);
    }
    co_return co_await read(std::move(job), lease);
}

// A server that dies meanwhile leaves what it has read; the next one reads all again, and each
// subject counts once. So does a second try with fewer rows at once.
asio::awaitable<std::optional<store::Job>> Audiences::read(store::Job job, Duration lease) {
    if (!logins_) co_return co_await fail(std::move(job), no_reader().message);
    auto done = co_await read_by(rows_together, job, lease);
    if (!done && done.error().code == Errc::too_large) {
        done = co_await read_by(large_rows_together, job, lease);
    }
    if (!done && done.error().code == Errc::unavailable) throw Failure(done.error());
    if (!done) co_return co_await fail(std::move(job), done.error().message);
    if (!*done || (*done)->status != "running") co_return *done;
    co_return co_await jobs_.end_audience(job.id);
}

// The job as it is then, or what is wrong with the query.
asio::awaitable<Result<std::optional<store::Job>>> Audiences::read_by(
    std::size_t rows, const store::Job& job, Duration lease
) {
    auto current = co_await jobs_.begin_audience(job.id, lease);
    if (!current) co_return co_await jobs_.find(job.tenant.id, job.id);
    std::string problem;
    const auto take = [&](pg::TextTable table) -> asio::awaitable<bool> {
        const auto subject = subject_of(table);
        if (!subject) {
            std::vector<std::string> names;
            for (const auto& column : table.columns) names.push_back(column.name);
            problem = no_subject(names);
            co_return false;
        }
        current = co_await jobs_.add_audience(job.id, rows_of(std::move(table), *subject), lease);
        co_return current && current->status == "running";
    };
    engine::CoroutineGroup beats(executor_);
    beats.spawn(keep_lease(job.id, lease));
    Result<std::vector<std::string>> columns = std::vector<std::string>();
    std::exception_ptr failed;
    try {
        std::string query(text_in(job.request, "query"));
        columns = co_await logins_->read_rows(job.tenant.id, std::move(query), take, rows);
    } catch (const Failure&) {
        failed = std::current_exception();
    }
    beats.cancel();
    co_await beats.join();
    if (failed) std::rethrow_exception(failed);
    if (!columns) {
        co_return Error{columns.error().code, "the query: " + columns.error().message, {}};
    }
    if (!problem.empty()) co_return Error{Errc::invalid, "the query " + problem, {}};
    co_return current;
}

asio::awaitable<std::optional<store::Job>> Audiences::fail(store::Job job, std::string why) {
    co_await jobs_.fail(job.id, std::move(why));
    co_return co_await jobs_.find(job.tenant.id, job.id);
}

// A first row may take long to come.
asio::awaitable<void> Audiences::keep_lease(Uuid job, Duration lease) {
    for (;;) {
        engine::Gate pause(executor_);
        co_await pause.wait(Steady::now() + lease / 3);
        co_await jobs_.prolong(job, lease);
    }
}

}  // namespace pawl::app
