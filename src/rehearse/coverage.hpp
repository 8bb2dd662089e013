#pragma once

#include "rehearse/rehearsal.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace pawl::rehearse {

// How often nodes were entered and edges taken, over many recordings.
class Coverage {
public:
    // Keeps the definition.
    explicit Coverage(const Definition& definition);

    void add(const Recording& recording);

    const std::vector<std::size_t>& nodes() const { return nodes_; }
    const std::vector<std::size_t>& edges() const { return edges_; }
    std::size_t nodes_seen() const;
    std::size_t edges_seen() const;
    // "a → b [handle]"
    std::string edge_name(std::size_t edge) const;
    boost::json::object to_json() const;

private:
    const Definition& definition_;
    std::vector<std::size_t> nodes_;
    std::vector<std::size_t> edges_;
};

}  // namespace pawl::rehearse
