#pragma once

#include "draw/graph.hpp"

#include <string>
#include <string_view>
#include <vector>

// The marks an SVG picture is made of. Coordinates are pixels.
namespace pawl::draw::svg {

struct Point {
    int x = 0;
    int y = 0;
};

struct BoxLooks {
    Point corner;
    int width = 0;
    int height = 0;
    std::string title;
    std::string detail;
    std::string hint;  // the whole of both
};

struct ArrowLooks {
    std::string path;  // the d of a path element
    std::string label;
    Point label_at;  // its middle
    std::string hint;
    bool aside = false;
    bool back = false;
};

// For text and for attribute values. Characters that XML cannot hold become U+FFFD.
std::string escaped(std::string_view text);

std::string box(const BoxLooks& looks, Kind kind);
std::string arrow(const ArrowLooks& looks);

// Through all points, upright at each of them.
std::string curve(const std::vector<Point>& points);
// Straight lines with round corners.
std::string polyline(const std::vector<Point>& points);

std::string document(std::string_view title, int width, int height, std::string_view body);
std::string too_large(std::string_view title, std::size_t boxes);

}  // namespace pawl::draw::svg
