#pragma once

#include "rehearse/coverage.hpp"
#include "rehearse/rehearsal.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace pawl::rehearse {

// An event that came, for the runs that would have waited for it.
struct PastEvent {
    std::string name;
    std::string key;
    Instant at{};
    boost::json::value data;
};

// A run that an event would have started.
struct PastStart {
    Instant at{};
    std::string subject;
    boost::json::value input;
};

// What a message step would have done, over all runs.
struct PastMessages {
    std::string channel;
    std::size_t sent = 0;
    std::size_t at_night = 0;  // of those sent, on the clock of the person
    std::map<std::string, std::size_t> skipped;
};

// Replays what came on a definition, in virtual time, up to `until`. Nothing is called: steps
// succeed with {}, and messages are sent to people who have an address. Starts are given in the
// order of their times. Pure.
class Past {
public:
    // Keeps the definition.
    Past(const Definition& definition, Instant until)
        : definition_(definition), until_(until), coverage_(definition) {}

    // For waits and exits; in the order of their times.
    void add(PastEvent event);
    // `person`: what is known of the subject now; null: nothing.
    void start(PastStart start, const boost::json::value& person);

    std::size_t entered() const { return entered_; }
    std::size_t refused() const { return refused_; }  // the input was not valid
    std::size_t inside() const { return inside_; }    // the person was in it, or had been
    std::size_t people() const { return last_.size(); }
    const Coverage& coverage() const { return coverage_; }
    const std::map<std::string, std::size_t>& statuses() const { return statuses_; }
    const std::map<std::string, std::size_t>& errors() const { return errors_; }
    const std::map<std::string, std::size_t>& waits_at() const { return waits_at_; }
    const std::map<std::string, PastMessages>& messages() const { return messages_; }
    // Conditions that ask the database, which were taken not to hold.
    const std::set<std::string>& assumed() const { return assumed_; }

private:
    class Outside;

    bool may_enter(const PastStart& start) const;
    void note(const Recording& recording, const boost::json::value& person);

    const Definition& definition_;
    Instant until_;
    Coverage coverage_;
    std::map<std::string, std::vector<PastEvent>> events_;  // by key
    std::map<std::string, Instant> last_;                   // when the subject's last run ended
    std::size_t entered_ = 0, refused_ = 0, inside_ = 0;
    std::map<std::string, std::size_t> statuses_, errors_, waits_at_;
    std::map<std::string, PastMessages> messages_;
    std::set<std::string> assumed_;
};

// Whether the clock of the person shows a time from 21:00 to 08:00; without a zone that of UTC.
bool is_night(Instant at, const boost::json::value& person);

}  // namespace pawl::rehearse
