#pragma once

#include "base/clock.hpp"
#include "embed/sessions.hpp"
#include "pawl/step.hpp"

#include <memory>
#include <optional>
#include <string>

namespace pawl::workers {

struct Meeting {
    std::string uid;  // the same one is booked once
    std::string title;
    std::string description;
    std::string attendee;  // an address
    Instant starts_at{};
    int minutes = 30;
};

// The calendar of a tenant, in which meetings are put. Blocks; any thread.
class Calendar {
public:
    virtual ~Calendar() = default;
    // When nothing is in it; nothing when there is no time within a month.
    virtual std::optional<Instant> next_free(int tenant, int minutes) = 0;
    // The result is {uid, starts_at, minutes, ics}. Fails with `slot_taken` (retryable) when
    // another booking was faster.
    virtual StepResult book(const Meeting& meeting, const ExecutionContext& context) = 0;
};

struct CalendarSettings {
    std::string caldav_url;  // of a calendar; empty: pawl.calendar_event alone
    std::string user;
    std::string password;
};

// pawl.calendar_event says what is free; with CalDAV every meeting of the first tenant, whose
// calendar that is, is put there too.
std::shared_ptr<Calendar> make_calendar(
    CalendarSettings settings, std::shared_ptr<embed::Sessions> sessions
);

// RFC 5545. Pure.
std::string to_ics(const Meeting& meeting, Instant now);

}  // namespace pawl::workers
