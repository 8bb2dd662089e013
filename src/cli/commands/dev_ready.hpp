#pragma once

#include "cli/commands/demo.hpp"
#include "cli/commands/dev_env.hpp"
#include "cli/terminal/globals.hpp"

#include <string>
#include <thread>
#include <vector>

namespace pawl::cli {

// What `pawl dev` has to tell once it serves.
struct DevReady {
    DevEnv env;
    std::string ui_url;
    std::string ticket;  // signs in once
    std::string data_dir;
    std::vector<std::string> workflows;
    std::vector<DemoMerchant> merchants;

    std::string signed_in(const std::string& by) const { return ui_url + "?ticket=" + by; }
};

// Writes dev.env and tells that everything is ready. The accounts of a demo are opened first, by a
// thread: the server has to answer meanwhile. The globals outlive it.
class DevAnnouncement {
public:
    explicit DevAnnouncement(const Globals& globals) : globals_(globals) {}
    ~DevAnnouncement();
    DevAnnouncement(const DevAnnouncement&) = delete;
    DevAnnouncement& operator=(const DevAnnouncement&) = delete;

    void show(DevReady ready);

private:
    void tell(const DevReady& ready) const;

    const Globals& globals_;
    std::thread thread_;
};

}  // namespace pawl::cli
