#include "draw/svg_parts.hpp"

#include "base/html.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace pawl::draw::svg {

namespace {

constexpr std::string_view style = R"(<style>
svg { --page: #ffffff; --ink: #0f172a; --soft: #64748b; --box: #f8fafc; --line: #64748b;
  --effect: #475569; --decision: #a16207; --wait: #1d4ed8; --person: #a21caf; --flow: #0e7490;
  --stop: #b91c1c; }
@media (prefers-color-scheme: dark) { svg { --page: #0b1120; --ink: #e2e8f0; --soft: #94a3b8;
  --box: #162033; --line: #94a3b8; --effect: #94a3b8; --decision: #facc15; --wait: #60a5fa;
  --person: #e879f9; --flow: #22d3ee; --stop: #f87171; } }
.page { fill: var(--page); }
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
.name { font-size: 14px; font-weight: 600; }
.detail { font-size: 12px; fill: var(--soft); }
.label { font-size: 12px; text-anchor: middle; paint-order: stroke; stroke: var(--page);
  stroke-width: 4px; stroke-linejoin: round; }
.box { fill: var(--box); stroke-width: 1.5; }
.icon { fill: none; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.arrow path { fill: none; stroke: var(--line); stroke-width: 1.5; }
.back path { stroke-dasharray: 5 4; }
.aside path { stroke: var(--stop); }
.head { fill: var(--line); }
.head-aside { fill: var(--stop); }
.effect .box, .effect .icon { stroke: var(--effect); }
.decision .box, .decision .icon { stroke: var(--decision); }
.wait .box, .wait .icon { stroke: var(--wait); }
.person .box, .person .icon { stroke: var(--person); }
.flow .box, .flow .icon { stroke: var(--flow); }
.stop .box, .stop .icon { stroke: var(--stop); }
.off .box, .off .icon { stroke: var(--soft); }
.off .box { fill: none; stroke-dasharray: 5 4; }
.off .name { fill: var(--soft); }
</style>
)";

constexpr std::string_view heads = R"(<defs>
<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker>
<marker id="head-aside" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
orient="auto"><path class="head-aside" d="M0 0 8 4 0 8z"/></marker>
</defs>
)";

// 18 x 18, drawn for this: a gear's cog reduced to a play mark, a diamond, a clock, a head and
// shoulders, a fork, a square, a switch.
std::string_view icon(Kind kind) {
    switch (kind) {
        case Kind::effect: return "M5 3v12l10-6z";
        case Kind::decision: return "M9 1 17 9 9 17 1 9z";
        case Kind::wait: return "M9 1a8 8 0 1 0 .01 0M9 4.5V9l3 2.5";
        case Kind::person: return "M9 2a3.2 3.2 0 1 0 .01 0M2.5 16c.5-7 12.5-7 13 0";
        case Kind::flow: return "M9 1v5M9 6 3 11v6M9 6l6 5v6";
        case Kind::stop: return "M3 3h12v12H3z";
        case Kind::off: return "M9 1v7M5 4a7 7 0 1 0 8 0";
    }
    return "";
}

// The part of a way from `a` towards `b` that a round corner takes.
Point towards(Point a, Point b, int radius) {
    const int dx = b.x - a.x;
    const int dy = b.y - a.y;
    const int length = std::max(1, std::abs(dx) + std::abs(dy));
    const int step = std::min(radius, length / 2);
    return {a.x + dx * step / length, a.y + dy * step / length};
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        if (c == '\n' || c == '\t') {
            plain += ' ';
        } else if (static_cast<unsigned char>(c) < 0x20) {
            plain += "\xef\xbf\xbd";
        } else {
            plain += c;
        }
    }
    return escape_html(plain);
}

std::string box(const BoxLooks& looks, Kind kind) {
    const auto [x, y] = looks.corner;
    std::string out = fmt::format(
        "<g class=\"{}\"><title>{}</title><rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\" rx=\"8\"/>",
        name(kind),
        escaped(looks.hint),
        x,
        y,
        looks.width,
        looks.height
    );
    out += fmt::format(
        "<path class=\"icon\" transform=\"translate({} {})\" d=\"{}\"/>", x + 11, y + 14, icon(kind)
    );
    out += fmt::format(
        "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>", x + 38, y + 20, escaped(looks.title)
    );
    out += fmt::format(
        "<text class=\"detail\" x=\"{}\" y=\"{}\">{}</text></g>\n",
        x + 38,
        y + 36,
        escaped(looks.detail)
    );
    return out;
}

std::string arrow(const ArrowLooks& looks) {
    std::string out = fmt::format(
        "<g class=\"arrow{}{}\"><title>{}</title><path d=\"{}\" marker-end=\"url(#head{})\"/>",
        looks.back ? " back" : "",
        looks.aside ? " aside" : "",
        escaped(looks.hint),
        looks.path,
        looks.aside ? "-aside" : ""
    );
    if (!looks.label.empty()) {
        out += fmt::format(
            "<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>",
            looks.label_at.x,
            looks.label_at.y,
            escaped(looks.label)
        );
    }
    return out + "</g>\n";
}

std::string curve(const std::vector<Point>& points) {
    std::string d = fmt::format("M{} {}", points[0].x, points[0].y);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point a = points[i - 1];
        const Point b = points[i];
        if (a.x == b.x) {
            d += fmt::format("V{}", b.y);
            continue;
        }
        const int middle = (a.y + b.y) / 2;
        d += fmt::format("C{} {} {} {} {} {}", a.x, middle, b.x, middle, b.x, b.y);
    }
    return d;
}

std::string polyline(const std::vector<Point>& points) {
    constexpr int radius = 8;
    std::string d = fmt::format("M{} {}", points[0].x, points[0].y);
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const Point before = towards(points[i], points[i - 1], radius);
        const Point after = towards(points[i], points[i + 1], radius);
        d += fmt::format(
            "L{} {}Q{} {} {} {}", before.x, before.y, points[i].x, points[i].y, after.x, after.y
        );
    }
    return d + fmt::format("L{} {}", points.back().x, points.back().y);
}

std::string document(std::string_view title, int width, int height, std::string_view body) {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{2}</title>\n",
        width,
        height,
        escaped(title)
    );
    out += style;
    out += heads;
    out += "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    out += body;
    return out + "</svg>\n";
}

std::string too_large(std::string_view title, std::size_t boxes) {
    const std::string text = fmt::format("{}: {} nodes are too many for a picture", title, boxes);
    return document(
        title,
        std::max(300, static_cast<int>(text.size()) * 8),
        60,
        fmt::format("<text x=\"20\" y=\"35\">{}</text>\n", escaped(text))
    );
}

}  // namespace pawl::draw::svg
