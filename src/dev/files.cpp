#include "dev/files.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace pawl::dev {

namespace {

[[noreturn]] void fail(const fs::path& path, std::string_view what) {
    const int error = errno;
    throw Failure(
        {Errc::internal,
         fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)),
         {}}
    );
}

void write_all(int fd, std::string_view text, const fs::path& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, "write");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

struct Descriptor {
    explicit Descriptor(int number) : fd(number) {}
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int fd;
};

}  // namespace

std::optional<std::string> read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

void write_private_file(const fs::path& path, std::string_view text) {
    std::string name = path.string() + ".XXXXXX";
    {
        const Descriptor file(::mkostemp(name.data(), O_CLOEXEC));  // mode 0600
        if (file.fd < 0) fail(path, "write");
        write_all(file.fd, text, path);
        if (::fsync(file.fd) != 0) fail(path, "write");
    }
    if (::rename(name.c_str(), path.c_str()) != 0) {
        ::unlink(name.c_str());
        fail(path, "write");
    }
}

std::string random_hex(std::size_t bytes) {
    std::vector<unsigned char> raw(bytes);
    // At most 256 bytes come in one piece, which is more than a secret needs.
    if (bytes > 256 || ::getrandom(raw.data(), bytes, 0) != static_cast<ssize_t>(bytes)) {
        throw Failure({Errc::internal, "the system gave no random bytes", {}});
    }
    return hex_of(raw);
}

FileLock::FileLock(const fs::path& path)
    : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (fd_ < 0) fail(path, "open");
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    const int error = errno;
    ::close(fd_);
    errno = error;
    if (error != EWOULDBLOCK) fail(path, "lock");
    throw Failure(
        {Errc::conflict, fmt::format("{} is locked by another process", path.string()), {}}
    );
}

FileLock::~FileLock() {
    ::close(fd_);
}

}  // namespace pawl::dev
