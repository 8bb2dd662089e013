#pragma once

#include "app/messages/message_uses.hpp"
#include "app/messages/send_test.hpp"
#include "app/messages/timeline.hpp"
#include "base/json.hpp"
#include "store/repos/consent.hpp"

namespace pawl::app {

json::object to_json(const store::Message& message);
json::object to_json(const ShownMessage& message);

json::object to_json(const store::MessageTemplate& one);
json::object to_json(const store::TemplateSummary& one);
json::object to_json(const Preview& preview);
json::object to_json(const TestSent& sent);

json::object to_json(const store::Suppression& one);
json::object to_json(const store::MessagePolicy& one);

json::object to_json(const store::Person& person);
json::object to_json(const ShownPerson& person);
json::object to_json(const TimelineEntry& entry);

}  // namespace pawl::app
