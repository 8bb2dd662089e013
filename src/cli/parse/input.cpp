#include "cli/parse/input.hpp"

#include "cli/terminal/columns.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pawl::cli {

Result<std::string> read_source(const std::string& source, std::size_t bytes_max) {
    struct Close {
        void operator()(std::FILE* file) const {
            if (file != stdin) std::fclose(file);
        }
    };
    const std::string name = source == "-" ? "stdin" : source;
    const std::unique_ptr<std::FILE, Close> file(
        source == "-" ? stdin : std::fopen(source.c_str(), "rbe")
    );
    if (!file) {
        return Error{
            Errc::invalid, fmt::format("cannot read {}: {}", name, std::strerror(errno)), {}};
    }
    std::string text(bytes_max + 1, '\0');
    const std::size_t got = std::fread(text.data(), 1, text.size(), file.get());
    if (std::ferror(file.get()) != 0) {
        return Error{
            Errc::invalid, fmt::format("cannot read {}: {}", name, std::strerror(errno)), {}};
    }
    if (got > bytes_max) {
        return Error{
            Errc::too_large,
            fmt::format("{} is larger than the limit of {} bytes", name, bytes_max),
            {}};
    }
    text.resize(got);
    return text;
}

Result<std::string> read_data(const std::string& data, std::size_t bytes_max) {
    if (data == "-") return read_source(data, bytes_max);
    if (data.starts_with("@")) return read_source(data.substr(1), bytes_max);
    return data;
}

Result<RunId> read_run_id(const std::string& text) {
    const auto uuid = parse_uuid(text);
    if (uuid) return RunId{*uuid};
    return Error{
        Errc::invalid,
        fmt::format(
            "'{}' is not a run id; they look like 01890a5d-ac96-774b-bcce-b302099a8057", text
        ),
        {}};
}

Result<void> check_text(
    const std::string& option, const std::string& text, std::size_t length_max
) {
    if (!is_valid_utf8(text)) return Error{Errc::invalid, option + " is not valid UTF-8", {}};
    if (width(text) > length_max) {
        return Error{
            Errc::too_large,
            fmt::format("{} is longer than {} characters", option, length_max),
            {}};
    }
    return {};
}

}  // namespace pawl::cli
