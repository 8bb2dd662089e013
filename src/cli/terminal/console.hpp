#pragma once

#include "base/error.hpp"
#include "cli/terminal/globals.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

// stdout is data, stderr is talk.
namespace pawl::cli {

namespace json = boost::json;

enum class Color { none, green, red, yellow, dim, bold };

struct Cell {
    Cell(std::string content, Color tint = Color::none)  // NOLINT(google-explicit-constructor)
        : text(std::move(content)), color(tint) {}
    Cell(const char* content) : text(content) {}  // NOLINT(google-explicit-constructor)
    std::string text;
    Color color;
};

using TableRow = std::vector<Cell>;

// A table with aligned columns and a header, on stdout. Cells are made printable.
void print_table(
    const Globals& globals,
    const std::vector<std::string>& header,
    const std::vector<TableRow>& rows
);
// "name  value" lines, on stdout.
void print_details(const Globals& globals, const std::vector<TableRow>& rows);
// What a terminal would act on instead of showing it is escaped; colour comes from tint_for_stdout.
void print_line(std::string_view text);
// The same without a line feed of its own.
void print_text(std::string_view text);
// As it is: what this program has drawn, of characters that it has looked at.
void print_drawing(std::string_view drawing);

bool stdout_has_color(const Globals& globals);
// Columns of the terminal: COLUMNS, else what it says itself; 100 for a file or a pipe.
int stdout_width();
// The same of stderr.
int stderr_width();

// One document: indented for -o json, on one line for jsonl, YAML for yaml.
void print_json(const Globals& globals, const json::value& value);
// One array for -o json, one line each for jsonl.
void print_json_list(const Globals& globals, const json::array& items);

// A remark on stderr, for people only: not with -q, and not when a program reads the output.
void say(const Globals& globals, std::string_view text);

// Colour for the state of a run.
Color status_color(std::string_view status);
// The text in colour when the stream is a terminal that wants it; for print_line and say only.
std::string tint_for_stderr(const Globals& globals, std::string_view text, Color color);
std::string tint_for_stdout(const Globals& globals, std::string_view text, Color color);

// Says on stderr what went wrong, as text or as {"error": {...}}, and returns the exit code.
int report(const Globals& globals, const Error& error);
int report(const Globals& globals, const Error& error, int exit_code);

}  // namespace pawl::cli
