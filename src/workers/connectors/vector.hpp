#pragma once

#include "embed/sessions.hpp"

#include <boost/json/array.hpp>

#include <memory>
#include <string>

namespace pawl::workers {

namespace json = boost::json;

// What a tenant knows, found by what a text is about. Calls block; any thread. Throws when it
// cannot be reached.
class VectorStore {
public:
    virtual ~VectorStore() = default;
    // The best first: [{id, title, text, score}].
    virtual json::array search(int tenant, const std::string& text, int limit) = 0;
};

// pawl.knowledge by full-text search; by the nearest vectors too where the extension vector is
// installed and rows have an embedding (pawl.knowledge_vector), which `embed` makes of a text.
// `embed` may be empty.
using Embed = std::function<std::vector<double>(const std::string& text)>;
std::shared_ptr<VectorStore> make_knowledge(
    std::shared_ptr<embed::Sessions> sessions, Embed embed = {}
);

}  // namespace pawl::workers
