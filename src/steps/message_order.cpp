#include "base/json.hpp"
#include "model/message_id.hpp"
#include "steps/message_step.hpp"

#include <algorithm>

namespace pawl::steps {

bool names_links(const json::value& content) {
    if (const auto* text = content.if_string()) {
        return std::string_view(*text).find("_url") != std::string_view::npos;
    }
    if (const auto* list = content.if_array()) {
        return std::any_of(list->begin(), list->end(), names_links);
    }
    const auto* object = content.if_object();
    return object != nullptr && std::any_of(object->begin(), object->end(), [](const auto& member) {
               return names_links(member.value());
           });
}

MessageOrder order_of(const StepRequest& request) {
    const auto text = [&](std::string_view key) {
        return std::string(text_in(*request.templates, key));
    };
    MessageOrder order;
    order.tenant = request.tenant;
    order.id = message_id(request.idempotency_key);
    order.person = request.subject;
    order.channel = text("channel");
    order.connector = text("connector");
    order.account = text("account");
    order.message_template = text("template");
    order.category = text("category");
    order.names_links =
        std::any_of(request.templates->begin(), request.templates->end(), [](const auto& member) {
            return names_links(member.value());
        });
    return order;
}

}  // namespace pawl::steps
