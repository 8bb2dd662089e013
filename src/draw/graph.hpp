#pragma once

#include "model/definition.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::draw {

// What a box stands for, as far as its looks go.
enum class Kind {
    effect,    // does something outside: function, http, sql, code, call, emit
    decision,  // picks a way: condition, switch
    wait,
    person,
    flow,  // splits, joins and repeats: parallel, join, foreach, loop
    stop,  // exit, end
    off,   // switched off, whatever it would do
};

std::string_view name(Kind kind);

struct Box {
    std::string title;   // the node's id
    std::string detail;  // its type, and what a reader wants to know most
    Kind kind = Kind::effect;
};

struct Arrow {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string label;   // empty when there is nothing to tell apart
    bool aside = false;  // not the usual way: errors, timeouts, compensations
};

// What is drawn, whatever it was made from. Box 0 is where it starts.
struct Graph {
    std::string title;
    std::vector<Box> boxes;
    std::vector<Arrow> arrows;
};

// Knows no node type by number: one that is added later is drawn as an effect.
Graph graph_of(const Definition& definition);

}  // namespace pawl::draw
