#pragma once

#include <cstdint>

namespace pawl::dev {

// Whether a server could listen on 127.0.0.1:port right now.
bool is_free_port(std::uint16_t port);

// A free port of 127.0.0.1. Another process may take it before the caller does: be ready to retry.
std::uint16_t any_free_port();

}  // namespace pawl::dev
