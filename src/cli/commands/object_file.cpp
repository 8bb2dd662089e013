#include "cli/commands/object_file.hpp"

#include "cli/parse/input.hpp"
#include "model/document.hpp"

namespace pawl::cli {

Result<json::object> read_object_file(const std::string& file) {
    constexpr std::size_t bytes_max = 1 << 20;
    const auto text = read_source(file, bytes_max);
    if (!text) return text.error();
    const auto document = read_document(*text, DefinitionLimits{});
    if (!document) return Error(document.error()).with("file", file);
    json::value value = to_json(*document);
    if (!value.is_object()) return Error{Errc::invalid, "must hold an object", {{"file", file}}};
    return std::move(value.get_object());
}

}  // namespace pawl::cli
