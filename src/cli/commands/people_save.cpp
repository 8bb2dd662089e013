#include "cli/commands/people_save.hpp"

#include "cli/commands/run_view.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace pawl::cli {

namespace {

constexpr std::size_t people_max = 500;
// A request has at most 1 MiB.
constexpr std::size_t bytes_max = 900 << 10;

// Place in the request, and what is wrong there.
using Problems = std::map<std::size_t, std::string>;

// Of "/people/7/timezone".
std::optional<std::size_t> index_of(std::string_view pointer) {
    constexpr std::string_view start = "/people/";
    if (!pointer.starts_with(start)) return std::nullopt;
    pointer.remove_prefix(start.size());
    std::size_t index = 0;
    const auto read = std::from_chars(pointer.data(), pointer.data() + pointer.size(), index);
    if (read.ec != std::errc()) return std::nullopt;
    return index;
}

// "timezone must be ..." of the same.
std::string said(std::string_view pointer, const std::string& detail) {
    const std::size_t end = pointer.find('/', std::string_view("/people/").size());
    if (end == std::string_view::npos) return detail;
    return std::string(pointer.substr(end + 1)) + " " + detail;
}

Problems named_problems(const Error& error, std::size_t count) {
    Problems named;
    for (const auto& [pointer, detail] : error.context) {
        const auto index = index_of(pointer);
        if (!index || *index >= count) continue;
        std::string& all = named[*index];
        if (!all.empty()) all += "; ";
        all += said(pointer, detail);
    }
    return named;
}

PeoplePart range_of(const PeoplePart& part, std::size_t begin, std::size_t end) {
    PeoplePart range;
    for (std::size_t i = begin; i < end; ++i) {
        range.add(*part.rows()[i], part.people()[i].as_object());
    }
    return range;
}

PeoplePart without(const PeoplePart& part, const Problems& problems) {
    PeoplePart others;
    for (std::size_t i = 0; i < part.rows().size(); ++i) {
        if (!problems.contains(i)) others.add(*part.rows()[i], part.people()[i].as_object());
    }
    return others;
}

void add_to(SavedPeople& saved, SavedPeople more) {
    saved.count += more.count;
    for (RefusedRow& one : more.refused) saved.refused.push_back(std::move(one));
}

}  // namespace

bool PeoplePart::takes(const json::object& person) const {
    if (rows_.empty()) return true;
    return rows_.size() < people_max && bytes_ + json::serialize(person).size() < bytes_max;
}

void PeoplePart::add(const CsvRow& row, json::object person) {
    bytes_ += json::serialize(person).size() + 1;
    rows_.push_back(&row);
    people_.push_back(std::move(person));
}

asio::awaitable<Result<SavedPeople>> save_people(Door& door, PeoplePart part) {
    SavedPeople saved;
    const std::size_t count = part.rows().size();
    if (count == 0) co_return saved;
    const auto done =
        co_await door.call({"POST", {"people"}, {}, json::object{{"people", part.people()}}});
    if (done) {
        saved.count = number_member(*done, "count");
        co_return saved;
    }
    const Error& error = done.error();
    if (error.code != Errc::invalid && error.code != Errc::too_large) co_return error;
    Problems problems = named_problems(error, count);
    if (problems.empty() && count == 1) problems.emplace(0, error.message);
    std::vector<PeoplePart> parts;
    if (problems.empty()) {
        parts.push_back(range_of(part, 0, count / 2));
        parts.push_back(range_of(part, count / 2, count));
    } else {
        parts.push_back(without(part, problems));
    }
    for (auto& [i, problem] : problems) saved.refused.push_back({part.rows()[i], problem});
    // In their order: of two with the same key the last one counts.
    for (PeoplePart& one : parts) {
        auto more = co_await save_people(door, std::move(one));
        if (!more) co_return more.error();
        add_to(saved, std::move(*more));
    }
    std::sort(saved.refused.begin(), saved.refused.end(), [](const auto& a, const auto& b) {
        return a.row->line < b.row->line;
    });
    co_return saved;
}

}  // namespace pawl::cli
