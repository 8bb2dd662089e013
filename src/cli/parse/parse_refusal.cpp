#include "cli/parse/parse_refusal.hpp"

#include "model/suggest.hpp"

#include <fmt/core.h>

#include <string_view>

namespace pawl::cli {

std::string unknown(
    const std::string& kind, const std::string& word, const std::vector<std::string>& known
) {
    const std::vector<std::string_view> words(known.begin(), known.end());
    return fmt::format("unknown {} '{}'{}", kind, word, suggest(word, words));
}

OutputFormat guess_output(int argc, char** argv) {
    OutputFormat format = OutputFormat::table;
    for (int i = 1; i < argc; ++i) {
        const std::string_view arg = argv[i];
        const std::string_view next = i + 1 < argc ? argv[i + 1] : "";
        std::string_view value;
        if (arg == "-o" || arg == "--output") value = next;
        if (arg.starts_with("--output=")) value = arg.substr(9);
        if (arg.starts_with("-o") && arg.size() > 2) value = arg.substr(2);
        if (value == "json" || value == "=json") format = OutputFormat::json;
        if (value == "jsonl" || value == "=jsonl") format = OutputFormat::jsonl;
        if (value == "yaml" || value == "=yaml") format = OutputFormat::yaml;
    }
    return format;
}

}  // namespace pawl::cli
