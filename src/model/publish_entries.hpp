#pragma once

#include "model/document.hpp"
#include "model/template.hpp"

#include <string>
#include <string_view>

namespace pawl {

// What an event has for triggers, and what it has for a run that waits for it.
enum class EventReader { trigger, run };

// Why a name can stand for nothing of an event; empty: it may. Names of its data stand by
// themselves too, so of these only slips of `event` and `data` are known to be wrong.
std::string event_name_problem(const Path& path, std::string_view text, EventReader reader);

// What is refused of triggers, exit_on and limits when a definition is published: names that stand
// for nothing there.
void check_entries(const Definition& definition, const Document& document, Problems& problems);

}  // namespace pawl
