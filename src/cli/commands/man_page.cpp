#include "cli/commands/man_page.hpp"

#include <fmt/format.h>

#include <sstream>

namespace pawl::cli {

namespace {

// As text: no request at the begin of a line, and hyphens that can be copied.
std::string plain(std::string_view text) {
    std::string out;
    bool begins = true;
    for (const char c : text) {
        if (begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
        begins = c == '\n';
    }
    return out;
}

std::string names_of(const OptionPage& option) {
    std::string names;
    for (const std::string& name : option.names) {
        if (!names.empty()) names += ", ";
        names += "\\fB" + plain(name) + "\\fR";
    }
    if (!option.type.empty()) names += " \\fI" + plain(option.type) + "\\fR";
    return names;
}

std::string options_of(const CommandPage& page) {
    std::string out;
    for (const OptionPage& option : page.options) {
        std::string what = plain(option.what);
        if (!option.usual.empty()) what += " [" + plain(option.usual) + "]";
        if (!option.env.empty()) what += " (env: " + plain(option.env) + ")";
        if (option.required && !option.argument) what += " (required)";
        out += fmt::format(".TP\n{}\n{}\n", names_of(option), what.empty() ? "\\&" : what);
    }
    return out;
}

std::string as_it_is(std::string_view text) {
    return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", plain(text));
}

// The last words of each page lead to the first one, which is here already.
std::string examples_of(std::string_view footer) {
    std::istringstream lines{std::string(footer)};
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Options of every command")) break;
        kept += line + "\n";
    }
    while (kept.ends_with("\n")) kept.pop_back();
    return as_it_is(kept);
}

}  // namespace

std::string man_page(const std::vector<CommandPage>& pages, std::string_view release) {
    const CommandPage& program = pages.front();
    std::string out = fmt::format(".TH PAWL 1 \"\" \"pawl {}\" \"User Commands\"\n", release);
    out += ".SH NAME\npawl \\- " + plain(program.what) + "\n";
    out += ".SH SYNOPSIS\n.B pawl\n[\\fIOPTIONS\\fR] \\fICOMMAND\\fR\n";
    out += ".SH OPTIONS\nOf every command:\n" + options_of(program);
    out += ".SH COMMANDS\n";
    for (const CommandPage& page : pages) {
        if (page.words.empty() || page.group) continue;
        out += fmt::format(".SS pawl {}\n{}\n", plain(page.words), plain(page.what));
        out += options_of(page);
        out += examples_of(page.footer);
    }
    out += ".SH NOTES\n" + as_it_is(program.footer);
    return out;
}

}  // namespace pawl::cli
