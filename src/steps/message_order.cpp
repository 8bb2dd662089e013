#include "base/json.hpp"
#include "model/message_id.hpp"
#include "steps/message.hpp"

namespace pawl::steps {

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
    return order;
}

}  // namespace pawl::steps
