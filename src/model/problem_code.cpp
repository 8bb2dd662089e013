#include "model/problem_code.hpp"

#include "model/sentence_form.hpp"

#include <algorithm>
#include <array>

namespace pawl {

namespace {

// The first that fits counts. A reworded sentence is reworded here, too: a test writes every kind
// of mistake.
constexpr SentenceForm forms[] = {
    {"used_twice", "'{step}' is used twice: give one of them another name"},
    {"edge_twice",
     "'{from}' leads to '{to}' by the handle '{handle}' already: take one of the two out"},
    {"idle_cycle",
     "'{step}' is part of a cycle in which nothing is done: put a step or a wait into it, or use a "
     "loop"},
    {"unreachable",
     "'{step}' cannot be reached from '{start}': lead an edge to it, or take it out"},
    {"edge_reads_person", "when: an edge cannot read 'user': ask in a condition node before it"},
    {"too_many_placeholders", "a workflow may hold {most} placeholders at most"},
    {"unknown_step", "'{text}' refers to a step that does not exist"},
    {"unknown_step", "'{step}' is the outcome of a step that does not exist"},
    {"unknown_step", "there is no node '{step}'"},
    {"credentials_place", "'{{credentials...}}' may stand in http, function and agent steps only"},
    {"credentials_form", "'{text}' must be '{{credentials.NAME}}'"},
    {"credentials_alone", "a text with '{{credentials...}}' may hold no other placeholders"},
    {"after_end", "'{step}' is an {type}: nothing comes after it, take this edge out"},
    {"unknown_handle",
     "'{step}' has no handle '{handle}', did you mean '{similar}'?: {which} leaves by {handles}, "
     "or error"},
    {"unknown_handle", "'{step}' has no handle '{handle}': {which} leaves by {handles}, or error"},
    {"nothing_to_repeat", "'{step}' has nothing to repeat: add an edge with the handle each"},
    {"empty_scope", "'{step}' holds nothing: add an edge with the handle body"},
    {"case_leads_nowhere",
     "the case '{handle}' of '{step}' leads nowhere: add an edge with that handle"},
    {"joins_nothing", "'{step}' joins nothing: lead edges to it"},
    {"join_count",
     "'{step}' waits for {count} branches, but only {ways} lead to it: lower count, or lead more "
     "edges to it"},
    {"workflow_and_body", "'{step}' has both a workflow and a body: keep one of them"},
    {"no_body",
     "'{step}' has nothing to do for an item: add an edge with the handle each, or a workflow"},
    {"withdraws_unknown", "'{step}' withdraws '{other}', which does not exist"},
    {"calls_itself", "'{step}' calls '{workflow}' itself, every time: put a condition before it"},
    {"undo_unknown", "'{step}' is undone by '{undo}', which does not exist"},
    {"undo_not_own",
     "'{step}' is undone by '{undo}': that must be a node of its own that no edge leads to"},
    {"undo_ends_run",
     "'{step}' is undone by '{undo}', which would end the run before the rest is undone"},
    {"undo_of_undo",
     "'{step}' is undone by '{undo}', which cannot be undone itself: leave out its 'compensate'"},
    {"off_leads", "'{step}' cannot be switched off: nodes of type {type} only lead the run"},
    {"off_without_default",
     "'{step}' cannot be switched off: no edge with the handle default says where runs go on"},
    {"off_leaves_null",
     "'{text}' is part of what '{step}' leaves, which is switched off and leaves null: {rest}"},
    {"off_planned", "is for workflows with edges: a plan decides what is done"},
    {"too_many_rounds", "{key} of '{step}' must be a whole number up to {most}: {advice}"},
    {"too_many_rounds",
     "a run would enter '{step}' {times} times by {loops}; the limit is {most}: {advice}"},
    {"url_scheme", "url of '{step}' must begin with https:// or http://"},
    {"url_scheme", "must begin with https:// or http://"},
    {"url_scheme", "must have two slashes behind its scheme, as in https://example.com"},
    {"not_retried",
     "a {type} is not tried again by itself: put retry on the steps in it, or an edge with the "
     "handle error on '{step}'"},
    {"not_known_before", "'{text}' is not known before the first step: known are {known}"},
    {"scope_only", "'{text}' is known in the {type} '{step}' only: after it there is '{instead}'"},
    {"used_before", "'{text}' is used before the run reaches '{step}': that step comes later"},
    {"no_error_here",
     "'{text}' is not defined: it is known after an edge with the handle error, {rest}"},
    {"no_undo_here",
     "'{text}' is not defined: only a node that another one names under compensate has it; {rest}"},
    {"no_item_here", "'{text}' is not defined: there is no foreach around this one"},
    {"no_item_here", "'{text}' is not defined outside a foreach{rest}"},
    {"unknown_reference", "'{text}' is not defined, did you mean '{similar}'? {rest}"},
    {"unknown_reference", "'{text}' is not defined, did you mean '{similar}'?: {rest}"},
    {"unknown_reference", "'{text}' is not defined: {rest}"},
    {"too_many_person_nodes", "{count} nodes cannot read '{{user...}}': {rest}"},
    {"malformed_placeholder", "malformed placeholder '{text}': {why}"},
    {"malformed_placeholder", "malformed placeholder {text}"},
    {"missing_name", "is missing: a workflow needs a name"},
    {"missing_name", "is missing: every step needs a name"},
    {"bad_name",
     "must start with a letter (a-z, A-Z) or _ and hold only such letters, digits, {rest}"},
    {"bad_name", "must start with a letter or _ and hold only {rest}"},
    {"no_steps", "has no steps: give either steps, or nodes and edges"},
    {"no_steps", "must be a list of at least one"},
    {"unknown_type", "'{type}' is not a step type"},
    {"no_type", "does not say what to do: give it a type, or one of code, function, http, wait"},
    {"unknown_key", "unknown key"},
    {"beside", "is given beside {other}: keep one of them"},
    {"beside", "is given beside {other}: keep one"},
    {"beside", "and {other} are the same: keep one"},
    {"no_time_limit", "'{type}' takes no time: leave it out"},
    {"no_time_limit", "is for a wait for an event or a signal: a wait for a time ends anyway"},
    {"says_nothing",
     "'{step}' says nothing: give a template, or text, html, messages or another content"},
    {"says_nothing", "says nothing: give a template, or text, html, messages or another content"},
    {"two_contents", "has a template and a content of its own: keep one of them"},
    {"channel_missing", "must say how it is sent: {channels}"},
    {"waits_for_nothing", "does not say what to wait for: {rest}"},
    {"waits_for_more", "waits for more than one thing: {rest}"},
    {"loop_must_end", "needs one of while, until, times: a loop must end"},
    {"no_condition", "has no condition: {rest}"},
    {"condition_form", "a condition is an object: {rest}"},
    {"condition_form", "must be a list of at least one condition"},
    {"condition_path_missing", "is missing: a path {rest}"},
    {"condition_value_missing", "is missing: '{operator}' needs something to compare with"},
    {"condition_value_extra", "'{operator}' takes no value: leave it out"},
    {"unknown_operator", "'{operator}' is not an operator"},
    {"path_braces", "write the path without braces: {rest}"},
    {"bad_path", "'{path}' is not a path: {why}"},
    {"condition_table_missing", "is missing: write {rest}"},
    {"condition_table_name", "is not a name: write {rest}"},
    {"bad_duration", "'{text}' is not a duration: {rest}"},
    {"bad_duration", "must be a duration such as {rest}"},
    {"bad_duration", "must be longer than zero"},
    {"long_duration", "the duration is longer than {most}"},
    {"bad_time", "'{text}' is not a time of day: {rest}"},
    {"bad_time", "must be a time of the day, such as {rest}"},
    {"bad_weekday", "'{text}' is not a weekday: {rest}"},
    {"bad_weekday", "name at least one weekday, such as {rest}"},
    {"bad_offset", "'{text}' is not an offset: {rest}"},
    {"bad_date", "'{text}' is not a date: {rest}"},
    {"bad_date", "until: '{text}' is not a time such as {rest}"},
    {"bad_time_zone", "'{text}' is not a time zone"},
    {"bad_time_zone", "'{text}' is not a time zone: {rest}"},
    {"bad_cron", "cron {rest}"},
    {"bad_cron", "a cron expression {rest}"},
    {"bad_cron", "must say when the audience is read, such as {rest}"},
    {"trigger_missing", "must have one of an event, a queue, a cron expression or an audience"},
    {"event_missing", "must name the event{rest}"},
    {"event_missing", "must name the event"},
    {"signal_missing", "must name the signal to wait for"},
    {"variant_missing", "must name the variant, such as {example}"},
    {"variant_twice", "is the name of another variant too"},
    {"variant_share", "must be its share, such as {example}"},
    {"way_missing", "must name the way out, such as {example}"},
    {"field_missing", "must be the address to call"},
    {"field_missing", "must be the list to go through, such as {example}"},
    {"field_missing", "must be the SQL to run, with $1, $2 for params"},
    {"field_missing", "must be a jq program, such as {example}"},
    {"field_missing", "must be the value of this case"},
    {"field_missing", "must be the condition of this case"},
    {"field_missing", "must be where the model is asked, such as {example}"},
    {"field_missing", "must name {rest}"},
    {"field_missing", "must tell the model {rest}"},
    {"field_missing", "must say {rest}"},
    {"field_missing", "must list {rest}"},
    {"field_missing", "is missing"},
    {"field_missing", "is missing: {rest}"},
    {"field_missing", "is required"},
    {"together", "and {other} go together"},
    {"filters_only", "'{operator}' is for filters, which see the whole event"},
    {"plain_values_only", "compare with plain values"},
    {"plain_values_only", "between is for numbers here"},
    {"bad_pattern", "'{text}' is not a regular expression: {rest}"},
    {"audience_wrong", "must be a SELECT; {rest}"},
    {"audience_wrong", "must be one statement: {rest}"},
    {"audience_wrong", "has no parameters: {rest}"},
    {"audience_wrong", "cannot have templates: {rest}"},
    {"audience_wrong", "the columns of the query are the input of its runs"},
    {"malformed_placeholder", "placeholder '{text}' is not closed with '}}'"},
    {"not_waited_for", "cannot be wait beside wait: false"},
    {"bad_time", "must be a time of the day from {rest}"},
    {"bad_duration", "must be 1s or longer"},
    {"must_be_one_of", "must be 'abort', 'continue' or 'retry'"},
    {"must_be_one_of", "must be 'retry', 'fail' or 'settle'"},
    {"must_be_text", "must be text"},
    {"must_be_text", "must be text: {rest}"},
    {"must_be_yes_or_no", "must be true or false"},
    {"must_be_whole", "must be a whole number from {least} to {most}"},
    {"must_be_whole", "must be a whole number"},
    {"must_be_number", "must be a number from {least} to {most}"},
    {"must_be_number", "must be a number"},
    {"must_be_number", "must be a number from 0 to 1, or a list of the least and the most"},
    {"must_be_map", "must be a map{rest}"},
    {"must_be_map", "must be a map"},
    {"must_be_map", "must be an object"},
    {"must_be_list", "must be a list of {rest}"},
    {"must_be_list", "must be a list"},
    {"must_be_list", "must be a list{rest}"},
    {"must_be_schema", "must be a JSON Schema{rest}"},
    {"must_be_one_of", "must be one of {known}"},
    {"must_be_one_of", "'{text}' is not known: use {known}"},
    {"must_be_one_of", "'{text}' is not known"},
    {"too_many", "may hold {most} at most"},
    {"too_many", "may list {most} at most"},
    {"too_long", "is longer than {most} bytes"},
    {"no_template", "may not be a template"},
    {"filter_asks_database", "cannot ask the database"},
    {"filter_asks_now", "cannot compare with the present moment: {rest}"},
    {"children_only", "is for items that are child runs (workflow)"},
    {"too_many_approvals", "asks for more approvals than there are approvers"},
    {"unknown_connector", "there is no connector '{name}': {rest}"},
    {"connector_channel", "connector '{name}' sends by {channels}, not by {channel}"},
    {"unknown_template", "there is no template '{name}': {rest}"},
    {"template_empty", "template '{name}' has nothing to send by {channel} in {languages}: {rest}"},
    {"unknown_action", "there is no action '{name}': {rest}"},
    {"action_extra", "action '{action}' takes no param '{name}': {rest}"},
    {"action_lacks", "action '{action}' needs the param '{name}': {rest}"},
    {"action_schema", "the schema of action '{name}' is wrong at {rest}"},
    {"table_not_allowed", "conditions may not ask {column} of the table {name}: {rest}"},
    {"unknown_table", "there is no table {name} any more"},
    {"condition_table_name", "\"{name}\" is not the name of a table"},
    {"redacted", "user.{column} is redacted: {rest}"},
    {"unknown_version", "step '{step}': workflow '{name}' has no version {version}"},
    {"inactive_version",
     "step '{step}': version {version} of workflow '{name}' is not active: {rest}"},
    {"program_wrong", "the program does not compile: {why}"},
    {"program_slow", "the programs take too long to compile"},
    {"not_yaml", "not valid YAML{rest}"},
    {"not_yaml", "the definition is empty"},
    {"too_large", "the definition is {size} bytes; the limit is {most} bytes"},
    {"wrong_value", "must {rest}"},
};

using Values = SentenceValues;

// Hints that follow many sentences, and where the definition is a list of steps, the step.
void take_hints(std::string_view& what, Values& hints) {
    const auto take = [&](std::string_view begin, std::string_view end, std::string_view name) {
        const std::size_t at = what.rfind(begin);
        if (at == what.npos || !what.ends_with(end)) return;
        const std::size_t from = at + begin.size();
        if (what.size() < from + end.size()) return;
        const std::string_view value = what.substr(from, what.size() - from - end.size());
        if (!name.empty()) hints.emplace_back(name, value);
        what = what.substr(0, at);
    };
    take(" (in '", "')", "");
    take(", did you mean '", "'?", "similar");
    take(": use one of ", "", "known");
    take(": known here are ", "", "known");
    take(": add it, or name another node", "", "");
    take(": add it, or lead the edge to another one", "", "");
    take(": write the name of one that does", "", "");
}

}  // namespace

ProblemCode problem_code(std::string_view what) {
    Values hints;
    std::string_view head = what;
    take_hints(head, hints);
    // "query.table: is not a name": conditions say where in them it is.
    const std::size_t colon = head.find(": ");
    const bool has_place = colon != head.npos && head.substr(0, colon).find(' ') == head.npos;
    const std::string_view inner = has_place ? head.substr(colon + 2) : head;
    for (const std::string_view text : {head, inner}) {
        for (const SentenceForm& form : forms) {
            auto values = values_in(form.text, text);
            if (!values) continue;
            for (auto& hint : hints) values->push_back(std::move(hint));
            return {form.code, std::move(*values)};
        }
    }
    return {"other", {}};
}

std::vector<std::string_view> problem_codes() {
    std::vector<std::string_view> codes{"other"};
    for (const SentenceForm& form : forms) {
        if (std::find(codes.begin(), codes.end(), form.code) == codes.end()) {
            codes.push_back(form.code);
        }
    }
    return codes;
}

}  // namespace pawl
