#include "cli/parse/csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace pawl::cli {

namespace {

// What stands between the cells: spreadsheets of many countries write semicolons. The one that the
// first line has most of, outside of quotes.
char separator_of(std::string_view text) {
    constexpr std::string_view known = ",;\t";
    std::array<std::size_t, known.size()> counts{};
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '\n' || c == '\r') break;
        if (const auto at = known.find(c); at != known.npos) ++counts[at];
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    return known[static_cast<std::size_t>(most - counts.begin())];
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {
        constexpr std::string_view mark = "\xef\xbb\xbf";
        if (text_.starts_with(mark)) text_.remove_prefix(mark.size());
        separator_ = separator_of(text_);
    }

    Result<std::vector<CsvRow>> read() {
        std::vector<CsvRow> rows;
        while (at_ < text_.size()) {
            CsvRow row{line_, {}};
            if (!read_cells(row.cells)) {
                return Error{
                    Errc::invalid,
                    fmt::format("line {}: a quoted field must end with a quote", row.line),
                    {}};
            }
            const bool empty = std::all_of(
                row.cells.begin(), row.cells.end(), [](const auto& cell) { return cell.empty(); }
            );
            if (!empty) rows.push_back(std::move(row));
        }
        return rows;
    }

private:
    bool read_cells(std::vector<std::string>& cells) {
        for (;;) {
            std::string field;
            const bool quoted = at_ < text_.size() && text_[at_] == '"';
            if (quoted ? !read_quoted(field) : !read_plain(field)) return false;
            cells.push_back(std::move(field));
            if (at_ == text_.size()) return true;
            const char border = text_[at_++];
            if (border == separator_) continue;
            if (border == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
            ++line_;
            return true;
        }
    }

    bool read_plain(std::string& field) {
        const char borders[] = {separator_, '\r', '\n'};
        const std::size_t end =
            std::min(text_.find_first_of(borders, at_, std::size(borders)), text_.size());
        field = text_.substr(at_, end - at_);
        at_ = end;
        return true;
    }

    bool read_quoted(std::string& field) {
        ++at_;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '\n') ++line_;
            if (c != '"') {
                field += c;
            } else if (at_ < text_.size() && text_[at_] == '"') {
                field += text_[at_++];
            } else {
                return at_ == text_.size() || text_[at_] == separator_ || text_[at_] == '\r' ||
                       text_[at_] == '\n';
            }
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    char separator_ = ',';
};

}  // namespace

Result<std::vector<CsvRow>> read_csv(std::string_view text) {
    return Reader(text).read();
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) {
        if (!line.empty()) line += ',';
        line += '"';
        for (const char c : cell) line.append(c == '"' ? 2 : 1, c);
        line += '"';
    }
    return line + '\n';
}

}  // namespace pawl::cli
