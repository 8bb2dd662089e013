#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/problems.hpp"
#include "store/amp_fixture.hpp"

#include <boost/json/serialize.hpp>

#include <set>

// What the database says to a row of amp_workflow_node is what the engine says to the step that is
// made of it.
namespace pawl::test {
namespace {

struct Verdict {
    std::string said;        // by the database; empty: it takes the graph
    std::string definition;  // what would be published
};

// What is put in place of a value.
const std::vector<std::string>& replacements() {
    static const std::string deep = [] {
        std::string text = "1";
        for (int i = 0; i < 70; ++i) text = "[" + text + "]";
        return text;
    }();
    static const std::vector<std::string> all{
        "null",
        "true",
        "5",
        "-1",
        "1.5",
        "0",
        "\"\"",
        "\"x\"",
        "\"X y\"",
        "[]",
        "{}",
        "[\"x\"]",
        "[5]",
        "{\"x\": 1}",
        "[\"a\", \"a\"]",
        "1e300",
        "\"@beyond@\"",
        "9223372036854775808",
        '"' + std::string(600, 'a') + '"',
        deep,
        "\"{{ x\"",
        "\"{{ input.x }}\"",
        "\"{{ item.x }}\"",
        "\"{{ run.frob }}\"",
        "\"{{ credentials.c }}\"",
        "\"{{ credentials.c }}{{ input.x }}\"",
        "\"{{ steps.absent.result }}\"",
        "\"{{ x | upper }}\"",
        "\"ftp://x\"",
        "\"2026-02-30\"",
        "\"3 weeks\"",
        "\"4000d\"",
        "\"error.x\"",
        "\"*\""};
    return all;
}

// Every value of a config with something else in its place, without it, and with one more beside
// it.
void mutate(const json::value& root, json::value& here, std::vector<json::value>& out) {
    json::parse_options options;
    options.max_depth = 100;
    const json::value kept = here;
    for (const std::string& one : replacements()) {
        here = json::parse(one, json::storage_ptr(), options);
        out.push_back(root);
    }
    here = kept;
    if (json::object* object = here.if_object()) {
        object->emplace("frob", 1);
        out.push_back(root);
        here = kept;
        std::vector<std::string> keys;
        for (const auto& member : kept.get_object()) keys.emplace_back(member.key());
        for (const std::string& key : keys) {
            here.get_object().erase(key);
            out.push_back(root);
            here = kept;
            mutate(root, here.get_object()[key], out);
        }
    } else if (json::array* list = here.if_array()) {
        for (std::size_t i = 0; i < list->size(); ++i) mutate(root, (*list)[i], out);
    }
}

// "query" of "query.operator: ..."; empty: it is about the whole config.
std::string field_of(std::string_view said) {
    const std::size_t end = said.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
    if (end == std::string_view::npos || end == 0 ||
        std::string_view(".:[").find(said[end]) == said.npos)
        return "";
    const std::string field(said.substr(0, end));
    if (field == "template_id") return "template";
    if (field == "message") return "text";
    if (field == "action_type") return "action";
    return field;
}

class AmpAgreement : public Amp {
protected:
    AmpAgreement() {
        session_.script(
            "create function verdict(p_type text, p_config jsonb, out said text, out definition "
            "text) language plpgsql as $$"
            "declare v_nodes jsonb; v_edges jsonb := '[]';"
            "begin"
            "    v_nodes := jsonb_build_array(jsonb_build_object('id', amp_test_id('d', 1), "
            "'node_type', 'trigger',"
            "        'node_config', case p_type when 'trigger' then p_config else '{}' end));"
            "    if p_type <> 'trigger' then"
            "        v_nodes := v_nodes || jsonb_build_array(jsonb_build_object('id', "
            "amp_test_id('d', 2), 'node_type', p_type,"
            "            'node_config', p_config));"
            "        v_edges := jsonb_build_array(jsonb_build_object('from_node_id', "
            "amp_test_id('d', 1), 'to_node_id',"
            "            amp_test_id('d', 2)));"
            "    end if;"
            "    begin definition := pawl.amp_body(v_nodes, v_edges) || '{\"name\": \"w\", "
            "\"person\": true}';"
            "    exception when others then definition := 'cannot be made: ' || sqlerrm; end;"
            "    begin perform pawl.amp_check_graph(2, v_nodes, v_edges);"
            "    exception when invalid_parameter_value then said := sqlerrm; end;"
            "end $$;"
        );
    }

    std::vector<Verdict> verdicts(
        const std::string& type, const std::vector<json::value>& configs
    ) {
        std::string list;
        for (const json::value& config : configs)
            list += (list.empty() ? "" : ",\n") + text_of_config(config);
        std::vector<Verdict> out;
        for (const std::string& row : session_.column(fmt::format(
                 "select jsonb_build_array(v.said, v.definition)::text from "
                 "jsonb_array_elements($config$[{}]$config$::jsonb) "
                 "with ordinality as c (config, place) cross join lateral verdict('{}', c.config) "
                 "as v order by c.place",
                 list,
                 type
             ))) {
            const json::array pair = parse_json(row)->get_array();
            out.push_back(
                {pair[0].is_null() ? "" : std::string(pair[0].get_string()),
                 std::string(pair[1].get_string())}
            );
        }
        return out;
    }

    // With a number that no double can hold.
    static std::string text_of_config(const json::value& config) {
        constexpr std::string_view mark = "\"@beyond@\"";
        std::string text = json::serialize(config);
        if (const std::size_t at = text.find(mark); at != text.npos)
            text.replace(at, mark.size(), "1e400");
        return text;
    }
};

// What the engine cannot know when it reads a definition: tables that a tenant may ask, and
// patterns that the database would read in another way.
bool is_of_the_database(const std::string& said) {
    return said.find("conditions may not ask") != said.npos ||
           said.find(" has no column ") != said.npos || said.find(" read alike ") != said.npos;
}

void agree(const std::string& config, const Verdict& verdict) {
    if (is_of_the_database(verdict.said)) return;
    const std::vector<Problem> problems = definition_problems(verdict.definition);
    const std::string heard =
        problems.empty() ? "" : problems.front().path + ": " + problems.front().what;
    EXPECT_EQ(verdict.said.empty(), problems.empty())
        << config << "\ndatabase: " << verdict.said << "\nengine: " << heard << "\n"
        << verdict.definition.substr(0, 400);
    if (problems.empty()) {
        const auto stored = parse_json(verdict.definition);
        EXPECT_TRUE(stored && definition_from_json(*stored)) << config;
        return;
    }
    if (verdict.said.empty()) return;
    EXPECT_TRUE(verdict.said.starts_with("node dddddddd-")) << config << "\n" << verdict.said;
    // The field that the database names is one that the engine names.
    const std::string field =
        field_of(std::string_view(verdict.said).substr(verdict.said.find(": ") + 2));
    std::set<std::string> fields;
    for (const Problem& problem : problems) {
        std::string_view path = problem.path;
        for (const std::string_view root : {"nodes[1].config", "nodes[1]", "nodes[0]"}) {
            if (!path.starts_with(root)) continue;
            path.remove_prefix(root.size());
            break;
        }
        if (path.starts_with(".")) path.remove_prefix(1);
        fields.insert(
            field_of(path.empty() ? problem.what : std::string(path) + ": " + problem.what)
        );
    }
    if (!field.empty()) {
        EXPECT_TRUE(fields.contains(field) || fields.contains(""))
            << config << "\ndatabase: " << verdict.said << "\nengine: " << heard;
    }
}

TEST_F(AmpAgreement, WhatTheDatabaseTakesTheEngineReadsAndTheOtherWayRound) {
    std::ifstream file(PAWL_SOURCE_DIR "/tests/store/fixtures/amp_configs.json");
    std::stringstream text;
    text << file.rdbuf();
    const auto valid = parse_json(text.str());
    ASSERT_TRUE(valid);
    for (const json::value& one : valid->get_array()) {
        const std::string type(one.at(0).get_string());
        json::value config = one.at(1);
        std::vector<json::value> configs{config};
        mutate(config, config, configs);
        const auto found = verdicts(type, configs);
        ASSERT_EQ(found.size(), configs.size());
        EXPECT_EQ(found[0].said, "") << json::serialize(one);
        for (std::size_t i = 0; i < found.size(); ++i) {
            agree(type + " " + text_of_config(configs[i]).substr(0, 300), found[i]);
        }
    }
}

}  // namespace
}  // namespace pawl::test
