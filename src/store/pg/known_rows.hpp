#pragma once

#include "base/ids.hpp"
#include "pg/params.hpp"
#include "store/store.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pawl::store {

// Where the rows of the runs that this thread works on stood when it started them or last committed
// to them. A hint that spares the server a walk through an index: what counts is what the server
// finds there.
class KnownRows {
public:
    // In the order of `held`; a run that is not known is null.
    pg::Array places_of(const std::vector<RunId>& held) const;
    // What a start answered: the places of all runs of the batch.
    void learn(const StartBatch& batch, std::string_view places);
    // What a commit answered: the places of the runs that it neither closed nor parked, as the
    // text of an array; empty when they are the ones that it was given.
    void learn(const CommitBatch& batch, const std::vector<RunId>& held, std::string_view places);

private:
    std::unordered_map<RunId, pg::RowPlace> places_;
};

}  // namespace pawl::store
