#include "connect/connector_reader.hpp"
#include "http/message.hpp"

#include <algorithm>

// How `batch` of a connector is read.
namespace pawl::connect {

namespace {

constexpr WholeRange most_range{2, 1000};

void read_found(Fields& fields, BatchShape& shape) {
    const Document* map = read_map(fields, "found");
    if (map == nullptr) return;
    Fields inner(*map, "batch.found", fields.problems());
    shape.list = read_sources(inner, "list");
    if (shape.list.empty()) inner.wrong("list", "is missing: where the ids are, body.data");
    shape.id = read_sources(inner, "id");
    if (shape.id.empty()) inner.wrong("id", "is missing: the provider's id, item.id");
    inner.finish();
}

bool has_header(const RequestShape& request, const std::string& name) {
    return std::any_of(request.headers.begin(), request.headers.end(), [&](const auto& header) {
        return http::equal_ignoring_case(header.first, name);
    });
}

}  // namespace

BatchShape read_batch(const Document& map, const Connector& connector, Problems& problems) {
    BatchShape shape;
    Fields fields(map, "batch", problems);
    const RequestShape& request = connector.request;
    if (connector.mail || request.body_kind != RequestShape::Body::json)
        fields.wrong("is for requests with json");
    if (!request.sign_with.empty()) fields.wrong("is for requests that are not signed");
    shape.url = fields.text("url").value_or("");
    if (!shape.url.empty() && !shape.url.starts_with("https://") &&
        !shape.url.starts_with("http://"))
        fields.wrong("url", "must begin with https://");
    if (shape.url.find("{{") != shape.url.npos)
        fields.wrong("url", "must be the same for all messages: without placeholders");
    const auto most = fields.whole("most", most_range);
    if (!most && !fields.has("most")) fields.wrong("most", "is missing: how many go in one call");
    shape.most = static_cast<std::size_t>(most.value_or(0));
    shape.merge = fields.text("merge").value_or("");
    const auto* body = request.body.if_object();
    if (!shape.merge.empty() && (body == nullptr || !body->contains(shape.merge)))
        fields.wrong("merge", "must be a member of request.json");
    shape.key = fields.text("key").value_or("");
    if (!shape.key.empty() && !has_header(request, shape.key))
        fields.wrong("key", "must be one of request.headers");
    if (shape.key.empty() && connector.replay == Replay::safe)
        fields.wrong("key", "is missing: the header by which the provider recognises a repeat");
    shape.needs = read_sources(fields, "needs");
    read_found(fields, shape);
    fields.finish();
    return shape;
}

}  // namespace pawl::connect
