#pragma once

#include "pg/connection.hpp"

#include <memory>
#include <string>

namespace pawl::cli {

// Publishes the definitions of a folder whenever one of them is written, and says what it
// published, or why not. A file that is wrong changes nothing; the others go on. It has a thread of
// its own, which ends with the object.
class DevWatch {
public:
    // Throws Failure (invalid) when the folder cannot be watched.
    DevWatch(std::string folder, pg::ConnectOptions connect);
    ~DevWatch();
    DevWatch(const DevWatch&) = delete;
    DevWatch& operator=(const DevWatch&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::cli
