#include "cli/parse/functions_file.hpp"

#include "model/document.hpp"

#include <cstdlib>
#include <optional>

namespace pawl::cli {

namespace {

// The first thing that is wrong, with its line.
class Reader {
    using FunctionHost = steps::FunctionHost;
    using FunctionHosts = steps::FunctionHosts;

public:
    FunctionHost host(const Document& map, const std::string& path) {
        FunctionHost host;
        for (const auto& member : map.members) {
            if (member.key == "url") {
                host.url = text(member, path);
            } else if (member.key == "key") {
                host.key = text(member, path);
            } else if (member.key == "key_env") {
                host.key = from_environment(member, path);
            }
        }
        return host;
    }

    FunctionHosts hosts(const Document& map, const std::string& path, bool top) {
        FunctionHosts hosts;
        if (!is_map(map, path)) return hosts;
        hosts.usual = host(map, path);
        for (const auto& member : map.members) {
            const bool known = member.key == "url" || member.key == "key" ||
                               member.key == "key_env" || member.key == "hosts" ||
                               (top && member.key == "tenants");
            if (!known) wrong(member.line, path + member.key, "is not known here");
        }
        const Document* named = map.find("hosts");
        if (named == nullptr || !is_map(*named, path + "hosts")) return hosts;
        for (const auto& member : named->members) {
            const std::string place = path + "hosts." + member.key + ".";
            if (is_map(member.value, place)) hosts.named[member.key] = host(member.value, place);
        }
        return hosts;
    }

    bool is_map(const Document& value, const std::string& path) {
        if (value.kind == Document::Kind::map) return true;
        wrong(value.line, path, "must be a map");
        return false;
    }

    std::optional<Error> problem;

private:
    std::string text(const Document::Member& member, const std::string& path) {
        if (!member.value.is_text()) wrong(member.line, path + member.key, "must be text");
        return std::string(member.value.text());
    }
    std::string from_environment(const Document::Member& member, const std::string& path) {
        const std::string name = text(member, path);
        const char* value = std::getenv(name.c_str());
        if (value != nullptr) return value;
        wrong(member.line, path + member.key, "the variable " + name + " is not set");
        return {};
    }
    void wrong(int line, const std::string& path, std::string_view what) {
        if (!problem) problem = error_at(line, path, what);
    }
};

}  // namespace

Result<FunctionsFile> parse_functions(std::string_view text) {
    const auto document = read_document(text, DefinitionLimits{});
    if (!document) return document.error();
    Reader reader;
    FunctionsFile file;
    file.all = reader.hosts(*document, "", true);
    if (const Document* tenants = document->find("tenants")) {
        if (reader.is_map(*tenants, "tenants")) {
            for (const auto& member : tenants->members) {
                const std::string path = "tenants." + member.key + ".";
                file.tenants[member.key] = reader.hosts(member.value, path, false);
            }
        }
    }
    if (reader.problem) return *reader.problem;
    return file;
}

}  // namespace pawl::cli
