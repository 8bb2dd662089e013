#pragma once

#include "base/error.hpp"
#include "http/message.hpp"
#include "model/template.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::connect {

namespace json = boost::json;

// The values that templates of a connector see, by the name of their root. Borrows them.
class Roots {
public:
    void add(std::string_view name, const json::value& value) { roots_.emplace_back(name, &value); }
    const json::value* find(const Path& path) const;
    PathLookup lookup() const {
        return [this](const Path& path) { return find(path); };
    }

private:
    std::vector<std::pair<std::string_view, const json::value*>> roots_;
};

// Headers as a root: by their names in lower case.
json::object headers_root(const http::Headers& headers);

// Where a value is: a path (event.data.email_id) or a text with placeholders. Several: the first
// one that is there counts.
class Sources {
public:
    Sources() = default;
    static Result<Sources> parse(const json::value& value);

    bool empty() const { return templates_.empty(); }
    // Null when none of them is there.
    json::value value(const Roots& roots) const;
    // The same as text; empty when there is none.
    std::string text(const Roots& roots) const;
    // As written, with the paths made templates.
    const std::vector<std::string>& templates() const { return templates_; }

private:
    std::vector<std::string> templates_;
};

// Conditions, all of which must hold: {body.name: [a, b], content.text: "*", credentials.from:
// "MG*"}. A text that ends in * stands for what begins so, and * alone for anything but nothing.
class Match {
public:
    Match() = default;
    static Result<Match> parse(const json::value& value);

    bool empty() const { return tests_.empty(); }
    bool holds(const Roots& roots) const;
    std::vector<std::string> templates() const;

private:
    struct Test {
        Sources source;
        std::vector<std::string> wanted;
    };
    std::vector<Test> tests_;
};

}  // namespace pawl::connect
