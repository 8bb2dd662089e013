#pragma once

#include "base/json.hpp"
#include "base/rng.hpp"
#include "model/shared_pattern.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace pawl::test {

// Schemas, inputs and patterns at random.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : rng_(seed) {}

    bool one_in(std::uint64_t n) { return rng_.below(n) == 0; }
    template <typename List>
    const auto& any(const List& list) {
        return list[rng_.below(std::size(list))];
    }

    std::string pattern(int depth = 0) {
        static const std::array atoms = {
            "a",
            "b",
            "é",
            ".",
            "\\d",
            "\\w",
            "\\s",
            "\\S",
            "\\W",
            "[a-c]",
            "[^a]",
            "[\\w.-]",
            "[ก-๙]",
            "[^\\s-]",
            "[[:alpha:]]",
            "[^[:digit:]]",
            "\\.",
            "\\\\",
            "[\\]\\\\\\s]",
            "-",
            "]",
            "}",
            "[!@#$%^&*]",
            "[-a]",
            "\\n",
            "\\b",
            "[",
            "{",
            "(?i)",
            "[z-a]",
            "\\x41",
            "\\_"};
        static const std::array counts = {
            "*",
            "+",
            "?",
            "{2}",
            "{1,3}",
            "{0}",
            "{2,}",
            "*?",
            "{1,64}",
            "{255}",
            "{256}",
            "{,2}",
            "{1,02}",
            "{01}"};
        std::string text;
        for (std::uint64_t n = 1 + rng_.below(3); n > 0; --n) {
            if (one_in(6)) {
                text += any(std::array{"^", "$", "|"});
                continue;
            }
            const bool group = depth < 2 && one_in(5);
            // Most of what is made should be understood.
            text += group ? (one_in(2) ? "(" : "(?:") + pattern(depth + 1) + ")"
                          : atoms[rng_.below(one_in(15) ? atoms.size() : atoms.size() - 7)];
            if (one_in(3)) text += counts[rng_.below(one_in(10) ? counts.size() : 9)];
        }
        return text;
    }
    std::string text() {
        static const std::array texts = {
            "",
            "a",
            "b",
            "ab",
            "aab",
            "é",
            "ก",
            "a.b",
            "1",
            "a1_",
            "\n",
            "a\nb",
            " ",
            "\v",
            "_",
            "-",
            "A",
            "\\",
            "]",
            "٣",
            "2026-01-31",
            "2026-02-30",
            "09:30",
            "a@b.co",
            "https://x.y",
            "2026-01-31T09:00:00.5+07:00",
            "0190c5d0-0000-7000-8000-000000000000"};
        return any(texts);
    }
    json::value value(int depth = 0) {
        static const std::array<double, 9> numbers = {0, 1, 2, 3, -1, 0.5, 1.5, 0.01, 99.95};
        switch (rng_.below(depth > 2 ? 5 : 7)) {
            case 0: return any(numbers);
            case 1: return static_cast<std::int64_t>(rng_.below(4));
            case 2:
            case 3: return json::value(text());
            case 4: return one_in(2) ? json::value() : json::value(one_in(2));
            case 5: {
                json::array list;
                for (auto n = rng_.below(3); n > 0; --n) list.push_back(value(depth + 1));
                return list;
            }
            default: return object(depth);
        }
    }
    json::object object(int depth = 0) {
        json::object object;
        for (auto n = rng_.below(4); n > 0; --n) object[any(keys)] = value(depth + 1);
        return object;
    }
    json::value schema(int depth = 0) {
        if (one_in(25)) return one_in(2);
        json::object schema;
        if (one_in(2)) schema["type"] = type();
        for (const char* word : {"minimum", "maximum", "exclusiveMinimum", "multipleOf"}) {
            if (one_in(9)) schema[word] = any(std::array<double, 5>{0, 1, 0.01, 2, 1.5});
        }
        for (const char* word : {"minLength", "maxLength", "minItems", "maxItems"}) {
            if (one_in(9)) schema[word] = static_cast<std::int64_t>(rng_.below(4));
        }
        if (one_in(8)) schema["enum"] = json::array{value(3), value(3), json::array{value(3)}};
        if (one_in(12)) schema["const"] = value(3);
        if (one_in(8)) schema["format"] = any(std::array{"date", "date-time", "time", "email"});
        if (one_in(8)) schema["format"] = any(std::array{"uri", "uuid"});
        if (one_in(5)) schema["required"] = json::array{any(keys), any(keys)};
        if (one_in(40)) schema["required"] = json::array{any(keys), 1, nullptr};
        if (one_in(5)) schema["additionalProperties"] = one_in(2);
        if (auto written = pattern(); one_in(8) && check_shared_pattern(written)) {
            schema["pattern"] = written;
        }
        if (depth < 3 && !one_in(3)) {
            json::object& properties = schema["properties"].emplace_object();
            for (auto n = rng_.below(4); n > 0; --n)
                properties[any(keys)] = this->schema(depth + 1);
        }
        if (depth < 3 && one_in(2)) schema["items"] = this->schema(depth + 1);
        return schema;
    }

private:
    static constexpr std::array keys = {"a", "b", "c", "1", "x/y", "~", "é"};

    json::value type() {
        static const std::array types = {
            "object", "array", "string", "number", "integer", "boolean", "null"};
        if (!one_in(4)) return json::value(any(types));
        return json::array{any(types), any(types)};
    }

    Rng rng_;
};

}  // namespace pawl::test
