#pragma once

#include "model/schema_words.hpp"

#include <string>
#include <string_view>

namespace pawl::api {

// What the page of a task behind a signed link says, in English or Thai.
struct TaskWords {
    std::string_view language;
    const char* page;       // its title while there is no task
    const char* decide_as;  // {}: who decides
    const char* due;        // {}: when
    const char* edit_json;
    const char* required;
    const char* reason;
    const char* approve;
    const char* reject;
    const char* no_link;
    const char* expired_link;
    const char* no_task;
    const char* closed;   // {}: the state
    const char* decided;  // {}: the state, and by whom
    const char* thanks;   // {}: the state
    const char* thanks_others;
    const char* reason_too_long;
    const char* say_why;
    const char* choose;
    const char* look_at_fields;
    const char* no_json;  // {}: what is wrong
    const SchemaWords& form;
};

// By `th` or `en`.
const TaskWords& task_words(std::string_view language);

// The state of a task in that language.
std::string state_word(const TaskWords& words, const std::string& state);

}  // namespace pawl::api
