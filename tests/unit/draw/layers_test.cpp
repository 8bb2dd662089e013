#include "draw/layers.hpp"

#include "draw/order.hpp"
#include "draw/place.hpp"
#include "trace.hpp"

#include <gtest/gtest.h>

namespace pawl::draw {
namespace {

Graph with_boxes(std::size_t count, std::vector<Arrow> arrows) {
    Graph graph{"g", std::vector<Box>(count), std::move(arrows)};
    return graph;
}

std::vector<std::size_t> layers_of(const Layered& layered, std::size_t boxes) {
    std::vector<std::size_t> layers;
    for (std::size_t i = 0; i < boxes; ++i) layers.push_back(layered.cells[i].layer);
    return layers;
}

TEST(DrawLayers, ABoxIsBelowTheLongestWayToIt) {
    const Graph graph = with_boxes(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}});
    const auto layered = arrange(graph).value();
    EXPECT_EQ(layers_of(layered, 4), (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(layered.cells.size(), 4U + 1 + 2) << "long arrows pass through";
    EXPECT_EQ(layered.pieces.size(), 3U + 2 + 3);
}

TEST(DrawLayers, ArrowsThatCloseACircleGoBack) {
    const Graph graph = with_boxes(3, {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {2, 1}});
    EXPECT_EQ(back_arrows(graph), (std::vector<bool>{false, false, true, true, true}));
}

TEST(DrawLayers, ABoxWithoutIncomingArrowsIsDrawnToo) {
    const Graph graph = with_boxes(4, {{0, 1}, {2, 3}, {3, 2}});
    const auto layered = arrange(graph).value();
    EXPECT_EQ(layers_of(layered, 4), (std::vector<std::size_t>{0, 1, 0, 1}));
}

TEST(DrawLayers, ALayerTakesNoMoreThanItMay) {
    Graph graph = with_boxes(11, {});
    for (std::size_t i = 1; i <= 10; ++i) graph.arrows.push_back({0, i});
    const auto layered = arrange(graph, {.boxes_max = 3}).value();
    std::vector<int> boxes(layered.layers.size());
    for (std::size_t i = 0; i < 11; ++i) ++boxes[layered.cells[i].layer];
    EXPECT_EQ(boxes, (std::vector<int>{1, 3, 3, 3, 1}));
}

TEST(DrawLayers, TooLargeToArrange) {
    Graph graph = with_boxes(300, {});
    for (std::size_t i = 1; i < 300; ++i) graph.arrows.push_back({i - 1, i});
    for (std::size_t i = 2; i < 300; ++i) graph.arrows.push_back({0, i});
    EXPECT_FALSE(arrange(graph));
    EXPECT_TRUE(arrange(graph, {.cells_max = 100'000}));
}

TEST(DrawLayers, OrderTakesCrossingsAway) {
    // 1 and 2 lead to 4 and 3: as they come, they cross.
    const Graph graph = with_boxes(5, {{0, 1}, {0, 2}, {1, 4}, {2, 3}});
    EXPECT_EQ(crossings(arrange(graph).value()), 0U);
}

TEST(DrawLayers, PlacesKeepOrderAndGaps) {
    Rng rng(3);
    for (int i = 0; i < 300; ++i) {
        const Graph graph = test::random_graph(rng, 12, 20);
        const auto layered = arrange(graph).value();
        Room room;
        for (std::size_t c = 0; c < layered.cells.size(); ++c) {
            room.width.push_back(1 + static_cast<int>(rng.below(20)));
        }
        room.upper_port.assign(layered.pieces.size(), 0);
        room.lower_port.assign(layered.pieces.size(), 0);
        const auto left = place(layered, room);
        for (const auto& layer : layered.layers) {
            for (std::size_t c = 1; c < layer.size(); ++c) {
                ASSERT_GE(left[layer[c]], left[layer[c - 1]] + room.width[layer[c - 1]] + room.gap);
            }
        }
        ASSERT_EQ(*std::min_element(left.begin(), left.end()), 0);
    }
}

}  // namespace
}  // namespace pawl::draw
