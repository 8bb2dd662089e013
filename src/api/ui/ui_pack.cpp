#include "api/ui/ui_pack.hpp"

#include "base/error.hpp"
#include "base/json.hpp"

#include <charconv>

namespace pawl::api {

namespace {

constexpr std::string_view magic = "PAWLUI01";
constexpr std::size_t length_digits = 10;

[[noreturn]] void refuse_pack(const char* why) {
    throw Failure({Errc::internal, std::string("the web UI cannot be read: ") + why, {}});
}

// A part of the bodies, by its place; empty when there is none.
std::string_view part(const json::object& file, std::string_view name, std::string_view bodies) {
    const json::value* place = file.if_contains(name);
    if (place == nullptr) return {};
    const auto at = place->as_array().at(0).to_number<std::size_t>();
    const auto length = place->as_array().at(1).to_number<std::size_t>();
    if (at > bodies.size() || length > bodies.size() - at) refuse_pack("a file goes past its end");
    return bodies.substr(at, length);
}

}  // namespace

std::vector<UiFile> read_ui_pack(std::string_view bytes) {
    std::vector<UiFile> files;
    if (bytes.empty()) return files;
    if (!bytes.starts_with(magic)) refuse_pack("it is no pack of this version");
    bytes.remove_prefix(magic.size());
    std::size_t length = 0;
    const std::string_view digits = bytes.substr(0, length_digits);
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (failed != std::errc() || digits.size() < length_digits) refuse_pack("it has no index");
    bytes.remove_prefix(length_digits);
    if (length > bytes.size()) refuse_pack("the index goes past its end");
    JsonLimits limits;
    limits.bytes_max = length;
    const auto index = parse_json(bytes.substr(0, length), limits);
    if (!index) refuse_pack("the index is no JSON");
    const std::string_view bodies = bytes.substr(length);
    for (const json::value& entry : index->as_array()) {
        const json::object& object = entry.as_object();
        UiFile file;
        file.path = object.at("path").as_string();
        file.type = object.at("type").as_string();
        file.etag = object.at("etag").as_string();
        file.hashed = object.at("hashed").as_bool();
        file.plain = part(object, "plain", bodies);
        file.br = part(object, "br", bodies);
        file.gzip = part(object, "gzip", bodies);
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace pawl::api
