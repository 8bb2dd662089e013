#pragma once

#include "jq/frame.hpp"

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

struct jq_state;

namespace pawl::jq {

// Compiles and runs programs of users with libjq. Lives in a child process only: libjq cannot be
// interrupted, and some programs make it abort, even when they are only compiled.
class Machine {
public:
    // Called, instead of an abort, when there is no memory left; must not return.
    using OutOfMemory = void (*)(void*);
    // Compiling takes tens of milliseconds, running microseconds; a compiled program holds about
    // 1.2 MB. So many stay.
    static constexpr std::size_t programs_max_default = 64;

    explicit Machine(
        OutOfMemory out_of_memory = nullptr, std::size_t programs_max = programs_max_default
    )
        : out_of_memory_(out_of_memory), programs_max_(programs_max) {}

    Reply check(std::string_view program);
    // The first output of the program for a JSON text.
    Reply run(std::string_view program, std::string_view input);

    std::size_t compiled() const { return programs_.size(); }

private:
    struct Teardown {
        void operator()(jq_state* state) const;
    };
    struct Program {
        std::string text;
        std::unique_ptr<jq_state, Teardown> state;
    };
    // Null when it does not compile; `why` says it then.
    jq_state* compile(std::string_view program, std::string& why);

    void forget_last();

    OutOfMemory out_of_memory_;
    std::size_t programs_max_;
    std::list<Program> programs_;  // used last first
    std::unordered_map<std::string_view, std::list<Program>::iterator> by_text_;
};

// Whether a program begins with import, include or module: there are no files to take from.
bool begins_with_import(std::string_view program);

}  // namespace pawl::jq
