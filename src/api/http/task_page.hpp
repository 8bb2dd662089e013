#pragma once

#include "api/http/schema_form.hpp"
#include "api/http/task_words.hpp"
#include "http/server.hpp"
#include "store/repos/human_tasks.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::api {

// The pages behind signed links. Nothing is decided by opening it: programs open links too.

// A page around a body that is HTML already. It loads nothing and is kept nowhere; it runs only
// what shows times in the zone of the reader, without which they are in UTC.
http::ServerResponse html_page(
    int status, const std::string& title, const std::string& body, std::string_view language = "en"
);

// What was filled in before something was wrong with it.
struct TaskForm {
    std::string decision;  // approve, reject
    std::string reason;
    std::string data;   // JSON; empty: not edited
    FormFields fields;  // of the task's form
};

// What was wrong the last time: with the whole, and with fields.
struct TaskWrong {
    std::string word;
    FormProblems fields = {};
};

// The form, with what was wrong the last time.
http::ServerResponse ask_page(
    const store::HumanTask& task,
    const std::string& by,
    const TaskWords& say,
    const TaskForm& filled = {},
    const TaskWrong& wrong = {},
    int status = 200
);
// A word instead of a form: it is done, or cannot be done.
http::ServerResponse word_page(
    int status, const std::string& title, const std::string& word, std::string_view language = "en"
);

// A question with one button, which posts to the page's own address.
http::ServerResponse button_page(
    const std::string& title, const std::string& question, const std::string& button
);

// The fields of an application/x-www-form-urlencoded body.
TaskForm read_form(std::string_view body);

}  // namespace pawl::api
