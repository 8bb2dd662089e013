#include "cli/terminal/pretty_json.hpp"

#include "base/exact_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace json = boost::json;

namespace {

// Writes JSON with numbers as people write them: 0.1, where Boost.JSON has 1E-1.
class Writer {
public:
    explicit Writer(bool indent) : indent_(indent) {}

    // Depth is bounded by what we accept as input (base/json.hpp).
    void write(const json::value& value, std::size_t depth) {
        if (const auto* array = value.if_array()) return write_array(*array, depth);
        if (const auto* object = value.if_object()) return write_object(*object, depth);
        if (const auto* number = value.if_double()) {
            out_ += fmt::format("{}", *number);
        } else {
            out_ += plain_json(value);
        }
    }
    std::string take() { return std::move(out_); }

private:
    void new_line(std::size_t depth) {
        if (!indent_) return;
        out_ += '\n';
        out_.append(depth * 2, ' ');
    }
    void write_array(const json::array& array, std::size_t depth) {
        out_ += '[';
        for (std::size_t i = 0; i < array.size(); ++i) {
            if (i > 0) out_ += ',';
            new_line(depth + 1);
            write(array[i], depth + 1);
        }
        if (!array.empty()) new_line(depth);
        out_ += ']';
    }
    void write_object(const json::object& object, std::size_t depth) {
        out_ += '{';
        bool first = true;
        for (const auto& [key, item] : object) {
            if (!first) out_ += ',';
            first = false;
            new_line(depth + 1);
            out_ += json::serialize(json::string_view(key));
            out_ += indent_ ? ": " : ":";
            write(item, depth + 1);
        }
        if (!object.empty()) new_line(depth);
        out_ += '}';
    }

    bool indent_;
    std::string out_;
};

std::string written(const json::value& value, bool indent) {
    Writer writer(indent);
    writer.write(value, 0);
    return writer.take();
}

}  // namespace

std::string pretty(const json::value& value) {
    return written(value, true);
}

std::string compact(const json::value& value) {
    return written(value, false);
}

}  // namespace pawl::cli
