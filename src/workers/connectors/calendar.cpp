#include "workers/connectors/calendar.hpp"

#include "base/base64url.hpp"
#include "steps/classify.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>

namespace pawl::workers {

namespace {

std::string file_name(std::string_view uid) {
    std::string name;
    for (const char c : uid) {
        const bool plain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        name += plain || c == '-' ? c : '_';
    }
    return name + ".ics";
}

std::string basic(const std::string& user, const std::string& password) {
    std::string text = to_base64url(user + ":" + password);
    std::replace(text.begin(), text.end(), '-', '+');
    std::replace(text.begin(), text.end(), '_', '/');
    while (text.size() % 4 != 0) text += '=';
    return "Basic " + text;
}

class TableCalendar : public Calendar {
public:
    TableCalendar(CalendarSettings settings, std::shared_ptr<embed::Sessions> sessions)
        : settings_(std::move(settings)), sessions_(std::move(sessions)) {}

    std::optional<Instant> next_free(int tenant, int minutes) override {
        pg::Params params;
        params.add(std::int32_t{tenant}).add(std::int32_t{minutes}).add(std::int32_t{1});
        const auto rows =
            sessions_->ask_as(tenant, store::queries::calendar_slots, std::move(params));
        if (rows.size() == 0) return std::nullopt;
        return rows.instant(0, 0);
    }

    StepResult book(const Meeting& wanted, const ExecutionContext& context) override {
        Meeting meeting = wanted;
        pg::Params params;
        params.add(std::int32_t{context.tenant});
        params.add(meeting.uid).add(meeting.title).add(meeting.description);
        params.add(store::some(meeting.attendee)).add(meeting.starts_at);
        params.add(std::int32_t{meeting.minutes});
        const auto rows =
            sessions_->ask_as(context.tenant, store::queries::calendar_book, std::move(params));
        const auto booked = rows.instant_or_none(0, 0);
        if (!booked) {
            return StepResult::fail(
                FailureKind::retryable, "slot_taken", "that time was taken meanwhile"
            );
        }
        // When it was booked by an earlier attempt, that time counts.
        meeting.starts_at = *booked;
        const std::string ics = to_ics(meeting, meeting.starts_at);
        if (!settings_.caldav_url.empty() && context.tenant == store::default_tenant) {
            if (auto failed = put(meeting, ics, context)) return *failed;
        }
        return StepResult::ok(
            {{"uid", meeting.uid},
             {"starts_at", to_rfc3339(meeting.starts_at)},
             {"minutes", meeting.minutes},
             {"ics", ics}}
        );
    }

private:
    // Under a name made from the uid: putting it again changes nothing.
    std::optional<StepResult> put(
        const Meeting& meeting, const std::string& ics, const ExecutionContext& context
    ) {
        http::Request call;
        call.trusted = true;  // the operator's settings
        call.method = "PUT";
        call.url = settings_.caldav_url + "/" + file_name(meeting.uid);
        call.headers = {{"Content-Type", "text/calendar; charset=utf-8"}};
        if (!settings_.user.empty()) {
            call.headers.push_back({"Authorization", basic(settings_.user, settings_.password)});
        }
        call.body = ics;
        call.timeout = std::chrono::duration_cast<Duration>(context.deadline - Steady::now());
        const auto outcome = sessions_->run<http::Outcome>(
            [&](embed::Session& session) { return session.client().send(std::move(call)); },
            context.stop
        );
        const auto error = steps::classify(outcome, wall_now());
        if (!error) return std::nullopt;
        const bool permanent = error->error_class == ErrorClass::permanent;
        return StepResult::fail(
            permanent ? FailureKind::permanent : FailureKind::retryable,
            "caldav_" + error->code,
            error->message
        );
    }

    CalendarSettings settings_;
    std::shared_ptr<embed::Sessions> sessions_;
};

}  // namespace

std::shared_ptr<Calendar> make_calendar(
    CalendarSettings settings, std::shared_ptr<embed::Sessions> sessions
) {
    return std::make_shared<TableCalendar>(std::move(settings), std::move(sessions));
}

}  // namespace pawl::workers
