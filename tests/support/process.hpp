#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace pawl::test {

// A Postgres cluster of a test's own with the durable settings of a real one, which the test may
// crash. Gone with this object, and with the test's process however that ends.
class DurableCluster {
public:
    DurableCluster();
    // A standby of the other one: what is committed there arrives here, and can only be read.
    explicit DurableCluster(const std::string& primary_host);
    ~DurableCluster();
    DurableCluster(const DurableCluster&) = delete;
    DurableCluster& operator=(const DurableCluster&) = delete;

    // The same over all restarts.
    std::string url() const;
    std::string url_as(const std::string& user) const;
    std::string host() const { return home_.string(); }

    // As pg_ctl restart -m immediate: no checkpoint, no goodbye, and recovery at the start.
    void restart_immediately();

private:
    void make_home();
    void make_data(const std::string& command);
    void start();
    void crash();
    bool ready() const;
    pid_t run(const std::string& command) const;

    std::filesystem::path home_;
    pid_t server_ = 0;
};

}  // namespace pawl::test
