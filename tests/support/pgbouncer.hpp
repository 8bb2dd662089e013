#pragma once

#include <cstdio>
#include <string>

namespace pawl::test {

// A pgbouncer in transaction mode before the cluster of the tests, with fewer server connections
// than clients, so that consecutive transactions meet different sessions. Ends with this object.
class PgBouncer {
public:
    PgBouncer();
    ~PgBouncer();
    PgBouncer(const PgBouncer&) = delete;
    PgBouncer& operator=(const PgBouncer&) = delete;

    std::string url_of(const std::string& database) const;
    // SIGSTOP, say; it is continued before it ends.
    void signal(int number) const;

private:
    std::string folder_;
    std::FILE* log_ = nullptr;
};

}  // namespace pawl::test
