#include "api/http/place_cursor.hpp"

#include "api/http/problem.hpp"
#include "api/http/query_params.hpp"
#include "base/base64url.hpp"
#include "steps/storable_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace pawl::api {

std::string place_of(const store::PlaceCursor& cursor) {
    return json::serialize(json::array{cursor.node, to_string(cursor.run), cursor.token});
}

store::PlaceCursor cursor_at(const std::string& place) {
    boost::system::error_code failed;
    const json::value read = json::parse(place, failed);
    const json::array* parts = failed ? nullptr : read.if_array();
    if (parts == nullptr || parts->size() != 3 || !(*parts)[0].is_string() ||
        !(*parts)[1].is_string() || !(*parts)[2].is_int64()) {
        refuse_cursor();
    }
    const auto run = parse_uuid(std::string_view((*parts)[1].get_string()));
    const std::int64_t token = (*parts)[2].get_int64();
    if (!run || token < 0 || token > 0x7fffffff) refuse_cursor();
    return {std::string((*parts)[0].get_string()), RunId{*run}, static_cast<std::int32_t>(token)};
}

std::string write_place_cursor(const store::PlaceCursor& cursor) {
    return make_cursor(place_of(cursor));
}

store::PlaceCursor read_place_cursor(const std::string& cursor) {
    const auto place = from_base64url(cursor);
    if (!place || !steps::is_storable(*place)) refuse_cursor();
    return cursor_at(*place);
}

}  // namespace pawl::api
