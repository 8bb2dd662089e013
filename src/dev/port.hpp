#pragma once

#include <cstdint>

namespace pawl::dev {

// Whether a server could listen on 127.0.0.1:port right now.
bool is_free_port(std::uint16_t port);

// A port of 127.0.0.1 that nobody uses. Somebody may take it before you do: be ready to ask again.
std::uint16_t any_free_port();

}  // namespace pawl::dev
