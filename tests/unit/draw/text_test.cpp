#include "draw/text_drawing.hpp"
#include "trace.hpp"

#include <gtest/gtest.h>

namespace pawl::draw {
namespace {

using test::arrows_of;
using test::random_graph;
using test::Tracer;

Graph line(std::vector<std::string> names) {
    Graph graph{"line", {}, {}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        graph.boxes.push_back({names[i], "code", Kind::effect});
        if (i > 0) graph.arrows.push_back({i - 1, i, "", false});
    }
    return graph;
}

TEST(DrawText, ALine) {
    EXPECT_EQ(to_text(line({"greet", "done"})), R"(┌───────┐
│ greet │
│ code  │
└───┬───┘
    ▼
 ┌──────┐
 │ done │
 │ code │
 └──────┘
)");
}

TEST(DrawText, AChoiceAndAMerge) {
    Graph graph{
        "g",
        {{"check", "condition", Kind::decision},
         {"yes", "", Kind::effect},
         {"no", "", Kind::effect},
         {"end", "", Kind::stop}},
        {}};
    graph.arrows = {
        {0, 1, "true", false}, {0, 2, "false", false}, {1, 3, "", false}, {2, 3, "", false}};
    EXPECT_EQ(to_text(graph), R"(   ┌───────────┐
   │ check     │
   │ condition │
   └─┬─────┬───┘
    true false
     ▼     ▼
┌─────┐   ┌────┐
│ yes │   │ no │
│     │   │    │
└──┬──┘   └─┬──┘
   ╰──╮  ╭──╯
      ▼  ▼
     ┌─────┐
     │ end │
     │     │
     └─────┘
)");
}

TEST(DrawText, AWayBackIsDashedAndGoesAround) {
    Graph graph = line({"try", "look", "done"});
    graph.arrows.push_back({1, 0, "again", false});
    EXPECT_EQ(to_text(graph), R"(      ╭╌╌╌╌╌╮
      ▼     ╎
   ┌──────┐ ╎
   │ try  │ ╎
   │ code │ ╎
   └──┬───┘ ╎
      ▼     ╎
  ┌───────┐ ╎
  │ look  │ ╎
  │ code  │ ╎
  └┬───┬──┘ ╎
   │ again  ╎
   │   ╰╌╌╌╌╯
   ▼
┌──────┐
│ done │
│ code │
└──────┘
)");
}

TEST(DrawText, EveryArrowCanBeFollowed) {
    Rng rng(7);
    for (int i = 0; i < 3000; ++i) {
        const Graph graph = random_graph(rng, 9, 14);
        const std::string drawing = to_text(graph, {.width = 100'000});
        ASSERT_EQ(Tracer(drawing).arrows(), arrows_of(graph)) << drawing;
    }
}

TEST(DrawText, ItStaysWithinItsWidth) {
    Rng rng(8);
    for (int i = 0; i < 1000; ++i) {
        const Graph graph = random_graph(rng, 20, 30);
        const int width = 20 + static_cast<int>(rng.below(100));
        const std::string drawing = to_text(graph, {.width = width});
        ASSERT_LE(Tracer(drawing).width(), width) << drawing;
        const bool outline = drawing.find("┌") == std::string::npos;
        if (!outline) {
            ASSERT_EQ(Tracer(drawing).arrows(), arrows_of(graph)) << drawing;
        }
    }
}

}  // namespace
}  // namespace pawl::draw
