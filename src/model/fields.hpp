#pragma once

#include "model/document.hpp"
#include "model/problems.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

struct WholeRange {
    std::int64_t min;
    std::int64_t max;
};
struct NumberRange {
    double min;
    double max;
};

// The members of one map of a document, read by name. finish() refuses members that were not read.
// Borrows the document and the problems.
class Fields {
public:
    Fields(const Document& map, std::string path, Problems& problems);

    // From now on `key` stands for the member `written`: a shorthand.
    void alias(std::string_view key, std::string_view written) { alias_ = {key, written}; }
    bool has(std::string_view key) const { return map_.find(real(key)) != nullptr; }
    // Without noting that it was read.
    const Document* peek(std::string_view key) const { return map_.find(real(key)); }
    // A null member counts as absent.
    const Document* take(std::string_view key);
    std::optional<std::string> text(std::string_view key);
    // Text whose templates, if it has any, must be well-formed.
    std::optional<std::string> template_text(std::string_view key);
    std::optional<std::int64_t> whole(std::string_view key, WholeRange range);
    std::optional<double> number(std::string_view key, NumberRange range);
    std::optional<Duration> positive_duration(std::string_view key);
    // Any value; its templates must be well-formed.
    std::optional<boost::json::value> any(std::string_view key);

    // Refuses unknown members. Asked for last.
    void finish();

    std::string path_of(std::string_view key) const;
    const std::string& path() const { return path_; }
    int line() const { return map_.line; }
    Problems& problems() { return problems_; }
    void wrong(std::string_view key, std::string_view what);
    void wrong(std::string_view what) { problems_.add(map_.line, path_, what); }

private:
    std::string_view real(std::string_view key) const {
        return !key.empty() && key == alias_.first ? alias_.second : key;
    }

    const Document& map_;
    std::pair<std::string_view, std::string_view> alias_;
    std::string path_;
    Problems& problems_;
    std::vector<std::string_view> known_;
};

// Workflow names may also hold dots.
bool is_identifier(std::string_view text, bool dots = false);

}  // namespace pawl
