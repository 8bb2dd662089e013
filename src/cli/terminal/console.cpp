#include "cli/terminal/console.hpp"

#include "base/exact_json.hpp"
#include "base/terminal.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "model/yaml_writer.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace pawl::cli {

namespace {

bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

// Checked for each stream: one may be a file.
bool wants_color(const Globals& globals, int fd) {
    if (globals.no_color || is_set("NO_COLOR")) return false;
    if (is_set("FORCE_COLOR")) return true;
    const char* term = std::getenv("TERM");
    return ::isatty(fd) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::string tint(bool on, std::string_view text, Color color) {
    if (!on || color == Color::none) return std::string(text);
    const char* code = color == Color::green    ? "32"
                       : color == Color::red    ? "31"
                       : color == Color::yellow ? "33"
                       : color == Color::dim    ? "2"
                                                : "1";
    return fmt::format("{}{}m{}{}0m", color_mark, code, text, color_mark);
}

std::vector<std::size_t> column_widths(const std::vector<TableRow>& rows) {
    std::vector<std::size_t> widths;
    for (const TableRow& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width(printable(row[i].text)));
        }
    }
    return widths;
}

// Columns of the terminal; none when this is a file or a pipe.
std::optional<int> terminal_width(int fd) {
    constexpr int narrowest = 20;
    if (const char* columns = std::getenv("COLUMNS")) {
        const int wanted = std::atoi(columns);
        if (wanted >= narrowest) return wanted;
    }
    struct winsize size {};
    if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= narrowest) {
        return size.ws_col;
    }
    return std::nullopt;
}

std::size_t total(const std::vector<std::size_t>& widths) {
    std::size_t sum = 0;
    for (const std::size_t one : widths) sum += one + 2;
    return sum < 2 ? 0 : sum - 2;
}

// A table that is wider than the terminal loses the columns that have nothing in them, then the end
// of its last one. What a program reads is never cut.
void fit(std::vector<TableRow>& rows, std::size_t room) {
    if (total(column_widths(rows)) <= room) return;
    const std::vector<TableRow> body(rows.begin() + 1, rows.end());
    const auto filled = column_widths(body);
    for (std::size_t i = filled.size(); i-- > 1;) {
        if (filled[i] > 0) continue;
        for (TableRow& row : rows) {
            if (i < row.size()) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    auto widths = column_widths(rows);
    constexpr std::size_t last_min = 12;
    if (widths.empty() || total(widths) <= room) return;
    const std::size_t others = total(widths) - widths.back();
    const std::size_t left = std::max(room > others ? room - others : 0, last_min);
    for (TableRow& row : rows) {
        if (row.size() == widths.size())
            row.back().text = shorten(printable(row.back().text), left);
    }
}

void print_rows(bool color, const std::vector<TableRow>& rows) {
    const auto widths = column_widths(rows);
    for (const TableRow& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string text = printable(row[i].text);
            line += tint(color, text, row[i].color);
            if (i + 1 < row.size()) line.append(widths[i] - width(text) + 2, ' ');
        }
        print_line(std::string_view(line).substr(0, line.find_last_not_of(' ') + 1));
    }
}

json::object error_document(const Error& error) {
    json::object context;
    for (const auto& [key, value] : error.context) context[key] = value;
    json::object inner;
    inner["code"] = info(error.code).name;
    inner["message"] = error.message;
    inner["context"] = std::move(context);
    json::object document;
    document["error"] = std::move(inner);
    return document;
}

}  // namespace

void print_line(std::string_view text) {
    print_text(text);
    std::fputc('\n', stdout);
}

void print_text(std::string_view text) {
    print_drawing(with_colors(for_terminal(text)));
}

void print_drawing(std::string_view drawing) {
    std::fwrite(drawing.data(), 1, drawing.size(), stdout);
}

bool stdout_has_color(const Globals& globals) {
    return wants_color(globals, STDOUT_FILENO);
}

int stdout_width() {
    return terminal_width(STDOUT_FILENO).value_or(100);
}

int stderr_width() {
    return terminal_width(STDERR_FILENO).value_or(100);
}

void print_table(
    const Globals& globals,
    const std::vector<std::string>& header,
    const std::vector<TableRow>& rows
) {
    std::vector<TableRow> all(1);
    for (const std::string& name : header) all[0].emplace_back(name, Color::bold);
    all.insert(all.end(), rows.begin(), rows.end());
    if (const auto room = terminal_width(STDOUT_FILENO)) fit(all, static_cast<std::size_t>(*room));
    print_rows(wants_color(globals, STDOUT_FILENO), all);
}

void print_details(const Globals& globals, const std::vector<TableRow>& rows) {
    print_rows(wants_color(globals, STDOUT_FILENO), rows);
}

void print_json(const Globals& globals, const json::value& value) {
    if (globals.output == OutputFormat::yaml) return print_text(to_yaml(value));
    print_line(globals.output == OutputFormat::json ? pretty(value) : compact(value));
}

void print_json_list(const Globals& globals, const json::array& items) {
    if (globals.output == OutputFormat::yaml) return print_text(to_yaml(items));
    if (globals.output == OutputFormat::json) return print_line(pretty(items));
    for (const json::value& item : items) print_line(compact(item));
}

void say(const Globals& globals, std::string_view text) {
    if (globals.quiet || globals.machine()) return;
    fmt::print(stderr, "{}\n", with_colors(for_terminal(text)));
}

Color status_color(std::string_view status) {
    if (status == "completed") return Color::green;
    if (status == "failed") return Color::red;
    if (status == "cancelled") return Color::yellow;
    return Color::none;
}

std::string tint_for_stderr(const Globals& globals, std::string_view text, Color color) {
    return tint(wants_color(globals, STDERR_FILENO), text, color);
}

std::string tint_for_stdout(const Globals& globals, std::string_view text, Color color) {
    return tint(wants_color(globals, STDOUT_FILENO), text, color);
}

int report(const Globals& globals, const Error& error) {
    return report(globals, error, info(error.code).exit_code);
}

int report(const Globals& globals, const Error& error, int exit_code) {
    std::fflush(stdout);
    if (globals.machine()) {
        fmt::print(stderr, "{}\n", for_terminal(plain_json(error_document(error))));
    } else {
        const std::string word = tint_for_stderr(globals, "error:", Color::red);
        fmt::print(stderr, "{} {}\n", with_colors(word), for_terminal(error.message));
        for (const auto& [key, value] : error.context) {
            // What the sentence says already need not be said twice.
            if (error.message.find(value) != std::string::npos) continue;
            fmt::print(stderr, "  {}: {}\n", key, printable(value));
        }
    }
    return exit_code;
}

}  // namespace pawl::cli
