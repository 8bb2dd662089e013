#include "store/repos/dead_letters.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <boost/json/object.hpp>

namespace pawl::store {

namespace {

DeadLetter letter_of(const pg::Rows& rows, int row) {
    DeadLetter letter;
    pg::RowReader(rows, row) >> letter.run >> letter.at >> letter.workflow >> letter.version >>
        letter.step >> pg::shown(letter.error) >> letter.fingerprint >> letter.replayed_as >>
        letter.replayed_at;
    return letter;
}

}  // namespace

Result<std::string> fingerprint_prefix(std::string text) {
    constexpr std::size_t digits_min = 6;
    constexpr std::size_t digits_max = 32;
    for (char& c : text) {
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    }
    const bool hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (hex && text.size() >= digits_min && text.size() <= digits_max) return text;
    return Error{
        Errc::invalid, "must be a fingerprint or how one begins: 6 to 32 digits of 0-9a-f", {}};
}

json::object to_json(const DeadLetterFilter& filter) {
    json::object object;
    if (!filter.workflow.empty()) object["workflow"] = filter.workflow;
    if (!filter.fingerprint.empty()) object["fingerprint"] = filter.fingerprint;
    if (!filter.step.empty()) object["step"] = filter.step;
    if (filter.after) object["after"] = to_rfc3339(*filter.after);
    if (filter.before) object["before"] = to_rfc3339(*filter.before);
    return object;
}

json::object to_json(const DeadLetterFilter& filter, const ReplayFix& fix) {
    json::object object = to_json(filter);
    if (!fix.data.empty()) object["data"] = fix.data;
    if (fix.active_version) object["active_version"] = true;
    return object;
}

asio::awaitable<DeadLetterPage> DeadLetters::list(
    Tenant tenant,
    DeadLetterFilter filter,
    int limit,
    std::optional<DeadLetterCursor> cursor,
    int scan_max
) {
    std::optional<Instant> before = filter.before;
    std::optional<Uuid> before_run;
    if (cursor && (!before || cursor->at < *before)) {
        before = cursor->at;
        before_run = cursor->run.uuid;
    }
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(some(filter.workflow));
    params.add(some(filter.fingerprint)).add(some(filter.step)).add(filter.replayed);
    params.add(filter.after).add(before).add(before_run);
    // One more than asked for tells whether there is a next page.
    params.add(std::int32_t{limit} + 1).add(std::int32_t{scan_max});
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::list_dead_letters, std::move(params));
    DeadLetterPage page;
    for (int row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, 2)) {
            page.next = DeadLetterCursor{rows.instant(row, 1), RunId{rows.uuid(row, 0)}};
        } else if (static_cast<int>(page.letters.size()) < limit) {
            page.letters.push_back(letter_of(rows, row));
        } else if (limit > 0) {
            page.next = DeadLetterCursor{page.letters.back().at, page.letters.back().run};
        }
    }
    co_return page;
}

asio::awaitable<DeadLetterGroups> DeadLetters::groups(
    Tenant tenant, DeadLetterFilter filter, int limit, int scan_max
) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(some(filter.workflow)).add(some(filter.step));
    params.add(filter.replayed).add(filter.after).add(filter.before);
    params.add(std::int32_t{limit}).add(std::int32_t{scan_max});
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::group_dead_letters, std::move(params));
    DeadLetterGroups found;
    for (int row = 0; row < rows.size(); ++row) {
        DeadLetterGroup& group = found.groups.emplace_back();
        pg::RowReader(rows, row) >> group.fingerprint >> group.workflow >> group.step >>
            group.message >> group.count >> group.first_at >> group.last_at >> group.sample_run >>
            found.complete >> group.pulse >> group.mute_reason >> group.muted_by >>
            group.muted_at >> group.muted_by_name;
    }
    co_return found;
}

asio::awaitable<std::optional<DeadLetter>> DeadLetters::find(Tenant tenant, RunId run) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::find_dead_letter, params_of(tenant.bucket, tenant.id, run.uuid)
    );
    co_return pg::first_row(rows, letter_of);
}

asio::awaitable<std::optional<Instant>> DeadLetters::mute(
    Tenant tenant, std::string fingerprint, std::string reason, std::string by
) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(std::string_view(fingerprint));
    params.add(std::string_view(reason)).add(std::string_view(by));
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::mute_dead_letters, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return rows.instant(0, 0);
}

asio::awaitable<bool> DeadLetters::unmute(TenantId tenant, std::string fingerprint) {
    pg::Params params;
    params.add(tenant).add(std::string_view(fingerprint));
    const auto rows =
        co_await call_as(pool_, tenant, queries::unmute_dead_letters, std::move(params));
    co_return rows.size() > 0;
}

}  // namespace pawl::store
