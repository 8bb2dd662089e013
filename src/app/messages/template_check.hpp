#pragma once

#include "app/refusal.hpp"
#include "base/json.hpp"

namespace pawl::app {

// What is wrong with the contents of a template, one for each language; pure. The places begin with
// /languages. A placeholder must begin with user, trigger, with, unsubscribe_url, preferences_url
// or message: what every message has, wherever it is sent from.
std::vector<WrongPlace> template_problems(const json::object& languages);

// The language that a person reads: as it is, without its region, another region of it, en, the
// first. Empty: there is none at all. The database has the same rule: pawl.choose_templates.
std::string language_for(const json::object& languages, std::string_view locale);

}  // namespace pawl::app
