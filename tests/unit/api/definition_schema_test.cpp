#include "api/http/definition_schema.hpp"

#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

// The schema that editors get knows the keys that the reader of definitions takes: all of them, and
// no others.
namespace pawl::api {
namespace {

constexpr const char* unknown = "zzzzzzzzzzzzzzz";

// A part of the schema, and a definition that has such a map in it.
struct Place {
    std::string part;
    std::function<json::object(json::object)> around;
    json::object needs;  // what the map must have for its keys to be read
};

json::object with_step(json::object step) {
    step["name"] = "it";
    return {{"name", "w"}, {"steps", json::array{step}}};
}

json::object with_retry(json::value retry) {
    return with_step({{"code", "f"}, {"retry", std::move(retry)}});
}

json::object with(const char* key, json::value value) {
    json::object whole = with_step({{"code", "f"}});
    whole[key] = std::move(value);
    return whole;
}

json::object with_flow(const char* key, json::object map) {
    return with("flow", json::object{{key, std::move(map)}});
}

json::object with_edge(json::object edge) {
    json::array nodes{json::object{{"id", "a"}, {"code", "f"}}};
    return {{"name", "w"}, {"nodes", nodes}, {"edges", json::array{std::move(edge)}}};
}

json::object with_config(std::string_view type, json::object config) {
    return with_step({{"type", json::string(type)}, {"config", std::move(config)}});
}

std::vector<Place> places() {
    std::vector<Place> all{
        {"edge", with_edge, {}},
        {"exit_on", [](json::object map) { return with("exit_on", json::array{map}); }, {}},
        {"trigger",
         [](json::object map) { return with("triggers", json::array{map}); },
         {{"cron", "0 9 * * *"}}},
        {"trigger",
         [](json::object map) { return with("triggers", json::array{map}); },
         {{"event", "e"}}},
        {"trigger",
         [](json::object map) { return with("triggers", json::array{map}); },
         {{"audience", "select 1 as subject"}, {"schedule", "0 9 * * *"}}},
        {"flow", [](json::object map) { return with("flow", map); }, {}},
        {"concurrency", [](json::object map) { return with_flow("concurrency", map); }, {}},
        {"rate", [](json::object map) { return with_flow("rate", map); }, {}},
        {"debounce", [](json::object map) { return with_flow("debounce", map); }, {}},
        {"batch", [](json::object map) { return with_flow("batch", map); }, {}},
        {"retry", [](json::object map) { return with_retry(map); }, {}},
        {"retry_rule", [](json::object map) { return with_retry(json::array{map}); }, {}},
        {"item_of_events",
         [](json::object map) {
             return with_config("wait", {{"events", json::array{map}}});
         },
         {}},
        {"type_wait",
         [](json::object map) { return with_config("wait", std::move(map)); },
         {{"events", json::array{json::object{{"event", "e"}}}}}},
        {"item_of_cases",
         [](json::object map) {
             return with_config("switch", {{"cases", json::array{map}}});
         },
         {}},
        {"item_of_cases",
         [](json::object map) {
             return with_config("switch", {{"value", 1}, {"cases", json::array{map}}});
         },
         {}}};
    for (const std::string_view type : all_node_type_names()) {
        const auto around = [type](json::object map) { return with_config(type, std::move(map)); };
        all.push_back({"type_" + std::string(type), around, {}});
    }
    return all;
}

// The keys that a message of the reader lists.
std::set<std::string> listed(std::string_view what) {
    constexpr std::string_view before = "known here are ";
    std::set<std::string> keys;
    const std::size_t at = what.find(before);
    if (at == what.npos) return keys;
    std::string_view rest = what.substr(at + before.size());
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        std::string key(rest.substr(0, end));
        key.resize(std::min(key.find(' '), key.size()));
        rest.remove_prefix(std::min(end + 2, rest.size()));
        if (!key.empty()) keys.insert(key);
    }
    return keys;
}

struct Said {
    bool refuses = false;  // the key
    std::set<std::string> known;
};

Said reads(const json::object& definition, std::string_view key) {
    Said said;
    for (const Problem& problem : definition_problems(json::serialize(definition))) {
        if (problem.what.find("unknown key") == std::string::npos) continue;
        if (problem.path.ends_with(unknown)) said.known = listed(problem.what);
        if (problem.path.ends_with("." + std::string(key)) || problem.path == key) {
            said.refuses = true;
        }
    }
    return said;
}

const json::object& part_of(std::string_view name) {
    return definition_schema().at("$defs").at(name).at("properties").as_object();
}

json::value example_of(const json::value& property) {
    return property.at("examples").as_array().front();
}

TEST(DefinitionSchema, HasTheKeysOfTheReader) {
    std::map<std::string, std::set<std::string>> taken;  // by part: in one of its places
    for (const Place& place : places()) {
        std::set<std::string>& here = taken[place.part];
        const json::object& known = part_of(place.part);
        std::vector<std::string> keys{""};
        for (const auto& [key, ignored] : known) keys.emplace_back(key);
        for (const std::string& key : keys) {
            json::object map = place.needs;
            if (!key.empty()) map[key] = example_of(known.at(key));
            map[unknown] = 1;
            const Said said = reads(place.around(map), key);
            if (!key.empty() && !said.refuses) here.insert(key);
            EXPECT_TRUE(known.empty() || !said.known.empty()) << place.part << " " << key;
            for (const std::string& one : said.known) {
                EXPECT_TRUE(known.contains(one)) << "the schema lacks " << place.part << "." << one;
            }
        }
    }
    for (const auto& [part, keys] : taken) {
        for (const auto& [key, ignored] : part_of(part)) {
            EXPECT_TRUE(keys.contains(std::string(key))) << "nothing reads " << part << "." << key;
        }
    }
}

TEST(DefinitionSchema, HasTheKeysOfWorkflowsAndNodes) {
    json::object whole = with_step({{"code", "f"}});
    whole[unknown] = 1;
    const json::object& root = definition_schema().at("properties").as_object();
    std::set<std::string> named;
    for (const auto& [key, ignored] : root) named.emplace(key);
    EXPECT_EQ(reads(whole, "").known, named);

    const json::object& node = part_of("node");
    for (const std::string_view type : all_node_type_names()) {
        const json::object& own = part_of("type_" + std::string(type));
        const Said said = reads(with_step({{"type", json::string(type)}, {unknown, 1}}), "");
        for (const std::string& key : said.known) {
            EXPECT_TRUE(node.contains(key) || own.contains(key)) << type << "." << key;
        }
        for (const auto& [key, property] : node) {
            if (key == "config") continue;
            json::object step{{"type", json::string(type)}, {unknown, 1}};
            if (key != "type") step[key] = example_of(property);
            EXPECT_FALSE(reads(with_step(step), key).refuses) << type << "." << key;
        }
    }
}

// Editors show what a key is for, and the page of the documentation is made of this.
TEST(DefinitionSchema, SaysWhatEachKeyIsFor) {
    const auto told = [](const json::object& properties, std::string_view part) {
        for (const auto& [key, property] : properties) {
            const json::object& said = property.as_object();
            EXPECT_TRUE(said.contains("description")) << part << "." << key;
            EXPECT_TRUE(said.contains("examples")) << part << "." << key;
        }
    };
    told(definition_schema().at("properties").as_object(), "workflow");
    for (const auto& [name, part] : definition_schema().at("$defs").as_object()) {
        if (!part.as_object().contains("properties")) continue;
        EXPECT_TRUE(part.as_object().contains("title")) << name;
        told(part.at("properties").as_object(), name);
    }
}

}  // namespace
}  // namespace pawl::api
