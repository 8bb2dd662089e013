#pragma once

namespace pawl::jq {

// The argument that makes a binary a jq child instead of what it is otherwise.
inline constexpr char child_word[] = "jq-child";

// Whether main() was started as a jq child; it must call run_child() then, before anything else.
bool is_child(int argc, char** argv);

// Answers requests on descriptor 0 until the other end is closed. Never returns.
[[noreturn]] void run_child();

}  // namespace pawl::jq
