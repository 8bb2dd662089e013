#include "jq/confine.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PAWL_SANITIZED 1
#endif
#endif

namespace pawl::jq {

namespace {

void limit(int resource, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;
#endif

constexpr std::array allowed{
    __NR_read,         __NR_write,        __NR_brk,
    __NR_mmap,         __NR_munmap,       __NR_mremap,
    __NR_mprotect,     __NR_madvise,      __NR_futex,
    __NR_setitimer,    __NR_getrandom,    __NR_clock_gettime,
    __NR_gettimeofday, __NR_rt_sigreturn, __NR_getpid,
    __NR_gettid,       __NR_tgkill,       __NR_rt_sigprocmask,
    __NR_exit,         __NR_exit_group,   __NR_restart_syscall,
};

// Any other system call fails with EPERM, which libjq and libc take as "there is no such file".
[[maybe_unused]] void allow_only_computing() {
    constexpr std::size_t head = 4;
    std::array<sock_filter, head + allowed.size() * 2 + 1> code{};
    std::size_t size = 0;
    const auto add = [&](sock_filter step) { code[size++] = step; };
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0));
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    for (const auto number : allowed) {
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
        add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    const sock_fprog program{static_cast<unsigned short>(size), code.data()};
    // Where the kernel has no filters, the limits above still stand.
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

}  // namespace

void end_with_parent(int socket) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended before that: then another process is the parent now.
    ucred peer{};
    socklen_t size = sizeof peer;
    const bool known = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    if (known && peer.pid != getppid()) _exit(0);
}

void confine() {
    prctl(PR_SET_NAME, "pawl-jq");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    limit(RLIMIT_CPU, cpu_seconds_max);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NPROC, 0);
#ifndef PAWL_SANITIZED
    limit(RLIMIT_AS, memory_bytes_max);
    if (machine != 0) allow_only_computing();
#endif
}

}  // namespace pawl::jq
