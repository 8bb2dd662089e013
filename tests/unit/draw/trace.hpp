#pragma once

#include "base/rng.hpp"
#include "draw/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pawl::draw::test {

inline std::u32string decode(std::string_view text) {
    std::u32string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        auto code = static_cast<char32_t>(size == 1 ? lead : lead & (0xffU >> (size + 1)));
        for (std::size_t i = 1; i < size; ++i) {
            code = code << 6 | (static_cast<unsigned char>(text.at(at + i)) & 0x3fU);
        }
        out += code;
        at += size;
    }
    return out;
}

// Reads a drawing as a person does: from a box along a line to its arrowhead.
class Tracer {
public:
    explicit Tracer(std::string_view drawing) {
        rows_.emplace_back();
        for (const char32_t c : decode(drawing)) {
            if (c == U'\n') {
                rows_.emplace_back();
            } else {
                rows_.back() += c;
            }
        }
    }

    // Names of the boxes at both ends of every line, sorted.
    std::vector<std::pair<std::string, std::string>> arrows() const {
        std::vector<std::pair<std::string, std::string>> found;
        for (int y = 0; y < static_cast<int>(rows_.size()); ++y) {
            for (int x = 0; x < static_cast<int>(row(y).size()); ++x) {
                if (at(x, y) == U'┬') found.emplace_back(name_at(x, y - 2), follow(x, y));
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    int width() const {
        std::size_t width = 0;
        for (const auto& row : rows_) width = std::max(width, row.size());
        return static_cast<int>(width);
    }

private:
    const std::u32string& row(int y) const { return rows_[static_cast<std::size_t>(y)]; }
    char32_t at(int x, int y) const {
        if (x < 0 || y < 0 || y >= static_cast<int>(rows_.size())) return U' ';
        return x < static_cast<int>(row(y).size()) ? row(y)[static_cast<std::size_t>(x)] : U' ';
    }

    // The name in the box whose text row is y and that spans column x.
    std::string name_at(int x, int y) const {
        while (x > 0 && at(x, y) != U'│') --x;
        std::string name;
        for (x += 2; at(x, y) != U' ' && at(x, y) != U'│'; ++x) name += static_cast<char>(at(x, y));
        return name;
    }

    std::string follow(int x, int y) const {
        int dx = 0;
        int dy = 1;
        for (int step = 0; step < 100'000; ++step) {
            x += dx;
            y += dy;
            switch (at(x, y)) {
                case U'▼': return dy == 1 ? name_at(x, y + 2) : "entered from aside";
                case U'╰': turn(dx, dy, 1, -1); break;
                case U'╯': turn(dx, dy, -1, -1); break;
                case U'╭': turn(dx, dy, 1, 1); break;
                case U'╮': turn(dx, dy, -1, 1); break;
                case U' ': return "a line ends nowhere";
                default: break;  // straight on: a line, a crossing, a label
            }
        }
        return "endless";
    }

    // A corner that opens to the side `right` and to `below`.
    static void turn(int& dx, int& dy, int right, int below) {
        if (dy != 0) {
            EXPECT_EQ(dy, -below) << "a corner was entered from outside";
            dx = right;
            dy = 0;
        } else {
            EXPECT_EQ(dx, -right) << "a corner was entered from outside";
            dx = 0;
            dy = below;
        }
    }

    std::vector<std::u32string> rows_;
};

inline std::vector<std::pair<std::string, std::string>> arrows_of(const Graph& graph) {
    std::vector<std::pair<std::string, std::string>> arrows;
    for (const Arrow& arrow : graph.arrows) {
        arrows.emplace_back(graph.boxes[arrow.from].title, graph.boxes[arrow.to].title);
    }
    std::sort(arrows.begin(), arrows.end());
    return arrows;
}

// Any shape: several arrows between two boxes, loops, boxes without incoming arrows.
inline Graph random_graph(Rng& rng, std::size_t boxes_max, std::size_t arrows_max) {
    Graph graph{"random", {}, {}};
    const std::size_t boxes = 1 + rng.below(boxes_max);
    for (std::size_t i = 0; i < boxes; ++i) {
        graph.boxes.push_back(
            {"n" + std::to_string(i),
             std::string(rng.below(9), 'd'),
             static_cast<Kind>(rng.below(6))}
        );
    }
    const std::size_t arrows = rng.below(arrows_max + 1);
    for (std::size_t i = 0; i < arrows; ++i) {
        std::size_t from = rng.below(boxes);
        std::size_t to = rng.below(boxes);
        // Mostly downwards, as people draw.
        if (from > to && rng.below(4) != 0) std::swap(from, to);
        graph.arrows.push_back({from, to, std::string(rng.below(3) * 2, 'l'), rng.below(5) == 0});
    }
    return graph;
}

}  // namespace pawl::draw::test
