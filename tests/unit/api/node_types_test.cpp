#include "api/http/node_types.hpp"

#include "model/definition.hpp"
#include "model/problems.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace pawl::api {
namespace {

// Every field that a schema names is one that the reader of definitions takes.
TEST(NodeTypes, FieldsAreThoseTheReaderKnows) {
    const json::object samples{
        {"name", "s"},
        {"timeout", "5s"},
        {"on_failure", "continue"},
        {"retry", json::object{{"attempts", 2}}},
        {"code", "noop"},
        {"input", json::object()},
        {"function", "send-email"},
        {"functions", "crm"},
        {"action", "send"},
        {"payload", json::object()},
        {"payload_template", json::object()},
        {"url", "https://example.com/"},
        {"headers", json::object{{"X-A", "b"}}},
        {"method", "POST"},
        {"body", json::object()},
        {"expect_status", 204},
        {"callback", true},
        {"heartbeat", "30s"},
        {"follow_redirects", true},
        {"compensate", ""},
        {"disabled", true},
        {"wait", "5s"}};
    for (const json::value& type : node_types()) {
        if (type.as_object().contains("example")) continue;
        const json::object& schema = type.at("schema").as_object();
        json::object required;
        const json::value& beside = schema.at("allOf").at(1).at("anyOf").at(1);
        required["name"] = "s";
        for (const json::value& field : beside.at("required").as_array()) {
            required[field.as_string()] = samples.at(field.as_string());
        }
        for (const auto& [field, ignored] : schema.at("properties").as_object()) {
            if (field == "config" || field == "id") continue;
            json::object step = required;
            step[field] = field == "type" ? type.at("type") : samples.at(field);
            if (field == "heartbeat") step["callback"] = true;
            const json::object definition{{"name", "w"}, {"steps", json::array{step}}};
            const auto read = definition_from_json(definition);
            EXPECT_TRUE(read) << type.at("type") << "." << field << ": "
                              << (read ? "" : read.error().message);
            if (read) EXPECT_EQ(name(read->nodes[0].type), type.at("type").as_string());
        }
    }
}

// The example of a type is read, has only fields that the schema names, and may be left by every
// handle that the type tells.
TEST(NodeTypes, ExamplesAreValid) {
    for (const json::value& type : node_types()) {
        const json::object* example =
            type.as_object().contains("example") ? type.at("example").if_object() : nullptr;
        if (example == nullptr) continue;
        json::object node = *example;
        node["id"] = "it";
        node["type"] = type.at("type");
        json::array edges;
        json::array nodes{json::object{{"id", "first"}, {"code", "f"}}, node};
        edges.push_back(json::object{{"from", "first"}, {"to", "it"}});
        nodes.push_back(json::object{{"id", "other"}, {"code", "f"}});
        edges.push_back(json::object{{"from", "first"}, {"to", "other"}});
        for (const json::value& handle : type.at("handles").as_array()) {
            edges.push_back(json::object{{"from", "it"}, {"to", "other"}, {"handle", handle}});
        }
        const auto read =
            definition_from_json(json::object{{"name", "w"}, {"nodes", nodes}, {"edges", edges}});
        EXPECT_TRUE(read) << type.at("type") << ": " << (read ? "" : read.error().message);
        const auto* config = example->if_contains("config");
        if (config == nullptr) continue;
        const auto& known =
            type.at("schema").at("properties").at("config").at("properties").as_object();
        for (const auto& [field, ignored] : config->as_object()) {
            EXPECT_TRUE(known.contains(field)) << type.at("type") << "." << field;
        }
    }
}

// A form offers what a schema names: no time limit where the reader takes none.
TEST(NodeTypes, TimeoutIsOfTypesThatTakeTime) {
    for (const json::value& type : node_types()) {
        const auto* example = type.as_object().if_contains("example");
        if (example == nullptr) continue;
        json::object node = example->as_object();
        node["id"] = "it";
        node["type"] = type.at("type");
        node["timeout"] = "5m";
        const json::object first{{"id", "first"}, {"code", "f"}};
        const json::object edge{{"from", "first"}, {"to", "it"}};
        const json::object definition{
            {"name", "w"}, {"nodes", json::array{first, node}}, {"edges", json::array{edge}}};
        const auto problems = definition_problems(boost::json::serialize(definition));
        const bool refused = std::any_of(problems.begin(), problems.end(), [](const auto& one) {
            return one.what.find("takes no time") != std::string::npos;
        });
        const auto& known = type.at("schema").at("properties").as_object();
        EXPECT_EQ(known.contains("timeout"), !refused) << type.at("type");
    }
}

TEST(NodeTypes, AllTypesAreThere) {
    EXPECT_EQ(node_types().size(), static_cast<std::size_t>(node_type_count));
    for (const json::value& type : node_types()) {
        EXPECT_TRUE(parse_node_type(type.at("type").as_string())) << type.at("type");
        EXPECT_FALSE(type.at("title").as_string().empty());
    }
}

}  // namespace
}  // namespace pawl::api
