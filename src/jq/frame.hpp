#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pawl::jq {

// How a process and its jq child talk over their socket: a head, then its texts. Both ends are the
// same binary on the same machine, so a head goes as it lies in memory.

enum class Task : std::uint32_t { run, check };

struct RequestHead {
    Task task = Task::run;
    std::uint32_t limit_ms = 0;
    std::uint32_t computing_ms = 0;  // of processor time; 0: as much as the limit leaves
    std::uint32_t program_bytes = 0;
    std::uint32_t input_bytes = 0;  // JSON
};

// What the child says came of a request.
enum class Answer : std::uint32_t {
    done,           // the text is JSON, or empty when there was no output
    failed,         // the program raised an error; the text is its message
    invalid,        // the program does not compile; the text says why
    too_large,      // of output
    out_of_memory,  // the child is gone
};

struct ReplyHead {
    Answer answer = Answer::done;
    std::uint32_t bytes = 0;
    std::uint32_t last = 0;  // 1: the child has computed for long enough and ends now
};

struct Reply {
    Answer answer = Answer::done;
    std::string text;
    bool last = false;
};

// However long a step may take, a program that computes for longer would only keep others waiting.
inline constexpr std::chrono::seconds program_time_max{10};
inline constexpr std::size_t program_bytes_max = 20'000;
inline constexpr std::size_t input_bytes_max = 8 << 20;
inline constexpr std::size_t output_bytes_max = 1 << 20;

}  // namespace pawl::jq
