#include "cli/commands/definitions.hpp"

#include "cli/parse/input.hpp"
#include "cli/parse/shared_options.hpp"
#include "model/layout.hpp"
#include "steps/program_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

bool is_definition(const fs::path& path) {
    const std::string ending = path.extension().string();
    if (path.stem().extension() == ".test") return false;
    return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

}  // namespace

Result<std::vector<std::string>> definition_files(const std::string& source) {
    std::error_code failed;
    if (source == "-" || !fs::is_directory(source, failed)) {
        return std::vector<std::string>{source};
    }
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(source, failed)) {
        if (is_definition(entry.path())) files.push_back(entry.path().string());
    }
    if (failed) {
        return Error{
            Errc::invalid, fmt::format("cannot read {}: {}", source, failed.message()), {}};
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> folders_below(const std::string& folder) {
    std::vector<std::string> folders;
    std::error_code failed;
    auto entry = fs::recursive_directory_iterator(folder, failed);
    for (; !failed && entry != fs::end(entry); entry.increment(failed)) {
        std::error_code gone;
        if (!entry->is_directory(gone) || entry->is_symlink(gone)) continue;
        // Not written by hand: of version control, of editors.
        if (entry->path().filename().string().starts_with('.')) {
            entry.disable_recursion_pending();
        } else {
            folders.push_back(entry->path().string());
        }
    }
    return folders;
}

Result<std::vector<std::string>> definition_files_below(const std::string& folder) {
    auto files = definition_files(folder);
    if (!files) return files;
    for (const std::string& below : folders_below(folder)) {
        const auto found = definition_files(below);
        if (found) files->insert(files->end(), found->begin(), found->end());
    }
    return files;
}

Result<std::vector<DefinitionFile>> read_definitions(const std::vector<std::string>& sources) {
    std::vector<DefinitionFile> read;
    std::map<std::string, std::string> file_of;
    for (const std::string& source : sources) {
        const auto files = definition_files(source);
        if (!files) return files.error();
        for (const std::string& file : *files) {
            const auto text = read_source(file, DefinitionLimits{}.bytes_max);
            if (!text) return text.error();
            auto definition = parse_definition(*text);
            const std::string shown = file == "-" ? "stdin" : file;
            if (!definition) {
                Error error = definition.error();
                error.message = shown + ": " + error.message;
                return std::move(error).with("file", shown);
            }
            const auto wrong = steps::check_programs_now(*definition, {.binary = jq::this_binary});
            if (!wrong.empty()) {
                const auto& [line, path, what] = wrong.front();
                return Error{
                    Errc::invalid, fmt::format("{}: {}: {}", shown, path, what), {{"file", shown}}};
            }
            const auto [other, fresh] = file_of.emplace(definition->name, shown);
            if (!fresh) {
                return Error{
                    Errc::invalid,
                    fmt::format(
                        "{} and {} both define '{}'", other->second, shown, definition->name
                    ),
                    {}};
            }
            read.push_back({shown, std::move(*definition), layout_of(*text)});
        }
    }
    return read;
}

Result<std::vector<DefinitionFile>> read_some_definitions(const std::vector<std::string>& sources) {
    auto files = read_definitions(sources);
    if (files && files->empty()) return no_definitions();
    return files;
}

Error no_definitions() {
    return {Errc::invalid, "there is no *.yaml, *.yml or *.json in there", {}};
}

void add_definitions(App& app, DefinitionsOptions& options) {
    add_definition_files(app, options.files);
}

}  // namespace pawl::cli
