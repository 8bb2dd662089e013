#include "jq/jq_child.hpp"

#include "jq/confine.hpp"
#include "jq/frame.hpp"
#include "jq/machine.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>

namespace pawl::jq {

namespace {

constexpr int parent = STDIN_FILENO;

// The parent kills a child whose time is over. If the parent is stopped, the alarm does it.
constexpr std::uint32_t grace_ms = 1000;

bool has_computed_enough() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec >= cpu_seconds_max / 2;
}

// Reads or writes all of it. A parent that is gone ends the child.
template <class Byte, class Move>
void move_all(Byte* at, std::size_t bytes, Move move) {
    while (bytes > 0) {
        const ssize_t moved = move(parent, at, bytes);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) _exit(0);
        at += moved;
        bytes -= static_cast<std::size_t>(moved);
    }
}

void read_all(void* into, std::size_t bytes) {
    move_all(static_cast<char*>(into), bytes, read);
}

std::string read_text(std::size_t bytes) {
    std::string text(bytes, '\0');
    read_all(text.data(), bytes);
    return text;
}

void write_all(const void* from, std::size_t bytes) {
    move_all(static_cast<const char*>(from), bytes, write);
}

// Called by libjq where it would abort: there is no memory left to do more than this.
void say_out_of_memory(void*) {
    const ReplyHead head{Answer::out_of_memory, 0, 1};
    write_all(&head, sizeof head);
    _exit(0);
}

// ITIMER_REAL ends the child with SIGALRM, ITIMER_PROF, which counts what it computes, with
// SIGPROF.
void set_alarm(__itimer_which clock, std::uint32_t milliseconds) {
    itimerval timer{};
    timer.it_value.tv_sec = milliseconds / 1000;
    timer.it_value.tv_usec = static_cast<suseconds_t>(milliseconds % 1000) * 1000;
    setitimer(clock, &timer, nullptr);
}

void answer_one(Machine& machine) {
    RequestHead head;
    read_all(&head, sizeof head);
    if (head.program_bytes > program_bytes_max || head.input_bytes > input_bytes_max) _exit(1);
    const std::string program = read_text(head.program_bytes);
    const std::string input = read_text(head.input_bytes);
    set_alarm(ITIMER_REAL, head.limit_ms + grace_ms);
    if (head.computing_ms > 0) set_alarm(ITIMER_PROF, head.computing_ms);
    const Reply reply =
        head.task == Task::check ? machine.check(program) : machine.run(program, input);
    set_alarm(ITIMER_REAL, 0);
    if (head.computing_ms > 0) set_alarm(ITIMER_PROF, 0);
    // In one piece: it is one wake-up for the parent.
    const bool last = has_computed_enough();
    const ReplyHead out{
        reply.answer, static_cast<std::uint32_t>(reply.text.size()), last ? 1U : 0U};
    std::string frame(sizeof out + reply.text.size(), '\0');
    std::memcpy(frame.data(), &out, sizeof out);
    std::memcpy(frame.data() + sizeof out, reply.text.data(), reply.text.size());
    write_all(frame.data(), frame.size());
    if (last) _exit(0);
}

}  // namespace

bool is_child(int argc, char** argv) {
    return argc == 2 && std::strcmp(argv[1], child_word) == 0;
}

void run_child() {
    end_with_parent(parent);
    confine();
    try {
        Machine machine(say_out_of_memory);
        for (;;) answer_one(machine);
    } catch (const std::bad_alloc&) {
        say_out_of_memory(nullptr);
    }
    _exit(1);
}

}  // namespace pawl::jq
