#include "connect/connector_reader.hpp"

#include <fmt/core.h>

// How `reconcile` of a connector is read.
namespace pawl::connect {

namespace {

constexpr std::array<std::pair<std::string_view, Means>, 4> inquiry_meanings{
    {{"sent", Means::accepted},
     {"not_sent", Means::refused},
     {"later", Means::retry},
     {"unknown", Means::unknown}}};
constexpr std::array<std::pair<std::string_view, InquiryShape::Time>, 3> inquiry_times{
    {{"rfc3339", InquiryShape::Time::rfc3339},
     {"rfc2822", InquiryShape::Time::rfc2822},
     {"seconds", InquiryShape::Time::seconds}}};
constexpr Duration usual_after = std::chrono::seconds(30);
constexpr Duration usual_absent_after = std::chrono::minutes(5);
constexpr WholeRange per_minute_range{1, 6000};

std::vector<AnswerRule> read_inquiry_answers(Fields& fields) {
    return read_rules(
        fields,
        {"reconcile.answers",
         "is missing: a list of {status, means: sent, not_sent or later}",
         inquiry_meanings,
         Means::unknown}
    );
}

void read_list(Fields& fields, InquiryShape& shape) {
    const Document* map = read_map(fields, "found");
    if (map == nullptr) return;
    Fields inner(*map, "reconcile.found", fields.problems());
    shape.list = read_sources(inner, "list");
    if (shape.list.empty())
        inner.wrong("list", "is missing: where the messages are, body.messages");
    shape.id = read_sources(inner, "id");
    if (shape.id.empty()) inner.wrong("id", "is missing: the provider's id, item.id");
    shape.id_until = inner.text("id_until").value_or("");
    shape.text = read_sources(inner, "text");
    shape.at = read_sources(inner, "at");
    shape.time = read_word(inner, "time", inquiry_times).value_or(InquiryShape::Time::rfc3339);
    inner.finish();
}

}  // namespace

InquiryShape read_inquiry(const Document& map, Problems& problems) {
    InquiryShape shape;
    Fields fields(map, "reconcile", problems);
    if (const Document* request = read_map(fields, "request")) {
        shape.request = read_request(*request, "reconcile.request", problems);
        const Document* method = request->find("method");
        if (method == nullptr) shape.request.method = "GET";
        if (!shape.request.sign_with.empty())
            fields.wrong("request", "cannot be signed: it asks, and sends nothing");
    } else {
        fields.wrong("request", "is missing: how the provider is asked");
    }
    shape.after = fields.positive_duration("after").value_or(usual_after);
    shape.absent_after = fields.positive_duration("absent_after").value_or(usual_absent_after);
    shape.per_minute =
        static_cast<int>(fields.whole("per_minute", per_minute_range).value_or(shape.per_minute));
    read_list(fields, shape);
    shape.answers = read_inquiry_answers(fields);
    fields.finish();
    return shape;
}

}  // namespace pawl::connect
