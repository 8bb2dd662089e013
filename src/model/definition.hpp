#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "model/flow_control.hpp"
#include "model/retry_policy.hpp"
#include "model/step_error.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

using NodeIndex = std::uint32_t;

enum class NodeType {
    // with an effect: carried out by a step executor
    code,       // a C++ function registered under config.function
    function,   // POST {functions_url}/{config.function} with {action, payload}
    http,       // any HTTP call: config.method, url, headers, body
    transform,  // config.jq over config.input
    sql,        // config.statement with config.params, exactly once
    call,       // a child run of config.workflow
    lock,       // enters the critical section config.key
    unlock,     // leaves it
    message,    // to the person that the run is about
    action,     // a statement that is registered under config.action, exactly once
    agent,      // a model decides or writes; each of its replies and tool calls is committed
    // without one: the planner alone deals with them
    wait,       // for a while, until a time, or for an event or signal
    condition,  // handles true and false; one that asks the database has an effect after all
    switch_,    // the handle of the first case that holds
    parallel,   // every way out at once
    join,       // branches come together
    foreach_,   // handle each once per item of config.items
    loop,       // handle each while config.while holds
    emit,       // publish an event
    human,      // a person decides
    cancel,     // withdraws what stands on config.nodes
    exit,       // ends the whole run
    end,        // ends this path
    trigger,    // where a drawn workflow begins
    scope,      // handle body once: a group that fails, times out and is undone as one
    split,      // one of several variants, always the same for a subject
    goal,       // waits for the event that the workflow is for
};
inline constexpr int node_type_count = static_cast<int>(NodeType::goal) + 1;

std::string_view name(NodeType type);
// Takes other words too: `api_call` is an http step.
std::optional<NodeType> parse_node_type(std::string_view text);
std::vector<std::string_view> all_node_type_names();
// Whether a node of the type does something that is tried, and tried again.
bool has_attempts(NodeType type);
// Whether such a node may have a `timeout`: others take no time.
bool takes_time(NodeType type);

// What happens to the run when a step has given up.
enum class OnFailure { abort, continue_ };

// A retry policy for some errors only.
struct RetryRule {
    std::vector<std::string> errors;  // codes or classes; "*" is any
    RetryPolicy policy;

    bool operator==(const RetryRule&) const = default;
};

// A place in the graph.
struct Node {
    std::string id;
    NodeType type = NodeType::code;
    boost::json::object config;  // type-specific; strings may hold templates
    RetryPolicy retry;
    std::vector<RetryRule> retry_rules;  // the first that names the error wins over `retry`
    std::optional<Duration> timeout;     // of one attempt
    OnFailure on_failure = OnFailure::abort;
    std::string compensate;  // the node that undoes this one; empty: none
    // Switched off: a run that comes to it does nothing there and goes on by `default`.
    bool disabled = false;
    // False only when it is known that no string of the config holds a placeholder, so that
    // rendering can hand the config out as it is. Parsing sets it.
    bool has_templates = true;
    // Whether its config names the person ({{ user.tier }}, or the path of a condition): the values
    // are read when the node is executed. Parsing sets it, for workflows about persons only.
    bool reads_person = false;

    // has_templates and reads_person follow from the config and are left out.
    bool operator==(const Node& other) const;
};

const RetryPolicy& retry_for(const Node& node, const StepError& error);
// Whether a failure on this attempt is tried again. A rule that names the error, or its class,
// counts also where trying again cannot help by itself.
bool may_retry(const Node& node, int failed_attempt, const StepError& error);
// Whether `written` ("*", a code or a class) means this error.
bool names_error(std::string_view written, const StepError& error);

// A way out of a node.
struct Edge {
    NodeIndex from = 0;
    NodeIndex to = 0;
    std::string handle = "default";
    boost::json::value when;  // a condition; null: always

    bool operator==(const Edge&) const = default;
};

// Whether a subject may have more than one run of a workflow; after: some time after it last
// entered.
enum class Reentry { always, once, while_none_open, after };

// An event that ends a run wherever it stands.
struct ExitEvent {
    std::string event;
    std::string key;            // a template; empty: the run's subject
    boost::json::value filter;  // a condition on the event; null: none

    bool operator==(const ExitEvent&) const = default;
};

// What a workflow is for: an event of its subject, counted also when the run is over.
struct Goal {
    std::string name;  // in figures; by default that of the event
    std::string event;
    std::string key;                 // a template; empty: the run's subject
    boost::json::value filter;       // a condition on the event; null: none
    std::optional<Duration> within;  // of the start of the run; none: whenever it comes
    bool exit = false;               // it ends the run wherever it stands

    bool operator==(const Goal&) const = default;
};

// What starts runs by itself: an event or a schedule.
struct Trigger {
    std::string event;          // empty: a schedule
    boost::json::value filter;  // a condition on the event; null: none
    // What the database looks at too, before it takes the event in (pawl.watch_table): which
    // changes of a row count (none: any), and conditions on its columns (see row_conditions.hpp;
    // null: none).
    std::vector<std::string> operations;
    boost::json::value conditions;
    std::string subject;  // a template over the event
    std::string cron;     // empty: an event
    // A query for whom a slot of the schedule starts runs, one a row; empty: it starts one run.
    std::string audience;
    // When in the subject's own day their run begins ("09:00"); empty: at the slot.
    std::string local_time;
    std::string timezone = "UTC";
    std::string overlap = "skip";               // or allow, queue
    Duration catch_up = std::chrono::hours(1);  // how late a missed slot may still start
    Duration jitter{};                          // a slot starts up to this much later
    boost::json::value input;                   // templates over the event; null: its data

    bool operator==(const Trigger&) const = default;
};

// An immutable workflow version: always a graph, also when it was written as a list of steps.
struct Definition {
    std::string name;
    std::string label;  // its semantic version, such as 1.2.0; empty: it has only its number
    std::string description;
    std::vector<std::string> required_fields;
    boost::json::value input_schema;  // of what a start brings (input_schema.hpp); null: none
    std::optional<Duration> timeout;  // of the whole run
    Reentry reentry = Reentry::always;
    Duration reentry_after{};  // of Reentry::after
    // What the person must be like to enter (row_conditions.hpp, on what {{ user }} stands for);
    // null: nothing is asked. The database looks, with the start.
    boost::json::value enter_if;
    // Of a hundred subjects so many enter and get nothing, always the same ones: their runs leave
    // the first node by the handle `holdout`.
    std::int32_t holdout = 0;
    // Its subject is a person, and {{ user... }} what is known about them. Written, or implied by a
    // node that is about a person.
    bool person = false;
    std::vector<ExitEvent> exit_on;
    std::vector<Goal> goals;
    std::vector<Trigger> triggers;
    FlowControl flow;
    // The version of the C++ workflow of this name that says which steps come next (major.minor.
    // patch); empty: the edges do. Its nodes are what it may ask for, and it has no edges.
    std::string code;
    std::vector<Node> nodes;  // at least one; nodes[0] is the entry
    std::vector<Edge> edges;

    std::optional<NodeIndex> find(std::string_view node_id) const;
    // Where `handle` leads from a node (one of the places, when there are several); nothing means
    // the path ends there.
    std::optional<NodeIndex> next(NodeIndex from, std::string_view handle = "default") const;

    bool operator==(const Definition&) const = default;
};

// Limits on what people may define.
struct DefinitionLimits {
    std::size_t bytes_max = 1 << 20;
    std::size_t depth_max = 32;
    std::size_t nodes_max = 1000;
    // Every start looks for all of them in its data.
    std::size_t placeholders_max = 10'000;  // of all nodes
    std::size_t required_fields_max = 1000;
};

// Parses YAML or JSON text: either `nodes` + `edges`, or a `steps` list (document 000's step
// objects included). The error names line and path: "line 4, steps[1].retry.attempts: must be a
// whole number from 1 to 100".
Result<Definition> parse_definition(std::string_view text, DefinitionLimits limits = {});

// The canonical form, as stored in pawl.workflow_version; definition_from_json(to_json(d)) gives d
// back.
boost::json::object to_json(const Definition& definition);
Result<Definition> definition_from_json(const boost::json::value& value);

// What a start must bring: the required fields, and a value for every placeholder of every step
// that has no default and is not filled at run time (steps..., step_N_result, step_N_error,
// run...). The message tells one kind of gap; context "missing" names what is missing of both
// (the first names: MissingNames). Where nothing is missing, the input must fit the input_schema
// (check_fits).
Result<void> validate_input(const Definition& definition, const boost::json::value& input);

// Whether an input that replaces the one of a run fits the input_schema; each item of a batch does.
Result<void> check_replaced_input(const Definition& definition, const boost::json::value& input);

// Whether no run begins without this field of the input.
bool is_required_field(const Definition& definition, std::string_view name);

// The input of the run that a start with this input makes: {items: [input]} where starts are
// gathered into batches, else the same.
boost::json::value run_input(const Definition& definition, boost::json::value input);

}  // namespace pawl
