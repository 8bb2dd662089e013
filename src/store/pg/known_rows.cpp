#include "store/pg/known_rows.hpp"

#include <charconv>

namespace pawl::store {

namespace {

// Runs that were lost leave theirs behind; then all are learned anew.
constexpr std::size_t known_max = 100'000;

// The next number of a text, which is left behind it.
template <class T>
bool take_number(std::string_view& text, T& number) {
    const std::size_t first = text.find_first_of("0123456789");
    if (first == std::string_view::npos) return false;
    const auto [end, failure] =
        std::from_chars(text.data() + first, text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return failure == std::errc();
}

// Of {"(0,1)","(0,2)"}.
bool take_place(std::string_view& text, pg::RowPlace& place) {
    return take_number(text, place.block) && take_number(text, place.offset);
}

}  // namespace

pg::Array KnownRows::places_of(const std::vector<RunId>& held) const {
    pg::Array places(pg::Type::tid);
    places.reserve(held.size(), 6);
    for (const RunId& run : held) {
        const auto known = places_.find(run);
        if (known == places_.end()) {
            places.add_null();
        } else {
            places.add(known->second);
        }
    }
    return places;
}

void KnownRows::learn(const StartBatch& batch, std::string_view places) {
    if (places_.size() > known_max) places_.clear();
    pg::RowPlace place;
    for (const NewRun& run : batch.runs) {
        if (!take_place(places, place)) return;
        if (run.lease) places_.insert_or_assign(run.id, place);
    }
}

void KnownRows::learn(
    const CommitBatch& batch, const std::vector<RunId>& held, std::string_view places
) {
    const std::size_t left = batch.closes.size() + batch.parks.size();
    if (places_.size() > known_max) places_.clear();
    for (std::size_t i = 0; i < held.size() && i < left; ++i) places_.erase(held[i]);
    pg::RowPlace place;
    for (std::size_t i = left; i < held.size() && !places.empty(); ++i) {
        if (!take_place(places, place)) return;
        places_.insert_or_assign(held[i], place);
    }
}

}  // namespace pawl::store
