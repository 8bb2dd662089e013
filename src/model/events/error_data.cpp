#include "model/events/error_data.hpp"

namespace pawl::events {

std::string_view error_code(const json::value& error) {
    return read<FailureData>(error).code.value_or(std::string_view());
}

std::string_view error_message(const json::value& error) {
    return read<FailureData>(error).message.value_or(std::string_view());
}

std::string_view error_step(const json::value& error) {
    return read<FailurePlace>(error).step;
}

void set_place(json::value& error, FailurePlace place) {
    json::object* object = error.if_object();
    if (object != nullptr) *object = write(std::move(place), std::move(*object));
}

}  // namespace pawl::events
