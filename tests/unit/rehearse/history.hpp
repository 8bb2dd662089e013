#pragma once

#include "model/definition.hpp"
#include "plan/repin.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <map>
#include <string>
#include <vector>

// A recorded history: what a release wrote, and what it made of it.
namespace pawl::rehearse {

boost::json::object event_to_json(const Event& event);
Event event_from_json(const boost::json::value& value);

// What every later release must make of the log, nodes by their ids.
boost::json::object end_of(const Definition& definition, const plan::RunState& state);

struct History {
    std::string name;
    std::map<std::int32_t, Definition> versions;
    std::vector<Event> log;

    plan::RunState fold() const;
    const Definition& definition() const { return versions.at(plan::pinned_version(log)); }
};

boost::json::object to_json(const History& history);
History history_from_json(const boost::json::value& value);

}  // namespace pawl::rehearse
