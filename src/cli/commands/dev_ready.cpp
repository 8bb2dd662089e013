#include "cli/commands/dev_ready.hpp"

#include "base/log.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

// How to call this program in a shell: by its name where that works.
std::string program() {
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (failed || fs::path(folder) == self.parent_path()) return "pawl";
    }
    return failed ? "pawl" : self.string();
}

// A workflow that can be started without input.
std::string example_of(const std::vector<std::string>& workflows) {
    if (workflows.empty()) return "NAME";
    const auto hello = std::find(workflows.begin(), workflows.end(), "hello");
    return hello == workflows.end() ? workflows.front() : *hello;
}

void print_merchants(const DevReady& ready) {
    if (ready.merchants.empty()) return;
    std::string text =
        "  Two merchants, 2,000 customers, six journeys; a day of waiting lasts 10 s.\n";
    for (const DemoMerchant& one : ready.merchants) {
        text += fmt::format(
            "    {0:<12} UI       {1}\n    {2:<12} API key  {3}\n",
            one.tenant,
            ready.signed_in(one.ticket),
            "",
            one.api_key
        );
    }
    print_line(text + fmt::format("  Make the customers act:\n    {} demo traffic\n", program()));
}

void print_ready(const Globals& globals, const DevReady& ready) {
    if (globals.machine()) {
        json::object document;
        document["url"] = ready.env.url;
        document["ui_url"] = ready.signed_in(ready.ticket);
        document["database_url"] = ready.env.database_url;
        document["data_dir"] = ready.data_dir;
        document["env_file"] = dev_env_path(ready.data_dir).string();
        json::object& merchants = document["merchants"].emplace_object();
        json::object links;
        for (const DemoMerchant& one : ready.merchants) {
            merchants[one.tenant] = one.api_key;
            links[one.tenant] = ready.signed_in(one.ticket);
        }
        if (merchants.empty()) document.erase("merchants");
        if (!links.empty()) document["merchant_ui_urls"] = std::move(links);
        print_json(globals, document);
        std::fflush(stdout);
        return;
    }
    const std::string example = example_of(ready.workflows);
    print_line(fmt::format(
        "\n{}\n\n"
        "  UI         {}\n"
        "  API        {}\n"
        "  API key    {}\n"
        "  Sandbox    {}/sandbox  (what steps and messages send)\n"
        "  Database   {}\n"
        "  Data       {}\n"
        "  Workflows  {}\n\n"
        "  In another terminal:\n"
        "    set -a; . {}; set +a\n"
        "    curl --json '{{\"workflow\": \"{}\"}}' \"$PAWL_URL/v1/runs?wait=10s\" "
        "-H \"Authorization: Bearer $PAWL_API_KEY\"\n"
        "    {} run {} --wait\n\n"
        "  Stop with Ctrl-C.\n",
        tint_for_stdout(globals, "Pawl is ready.", Color::green),
        ready.signed_in(ready.ticket),
        ready.env.url,
        ready.env.api_key,
        ready.env.url,
        ready.env.database_url,
        ready.data_dir,
        ready.workflows.empty() && !ready.merchants.empty() ? "those of the merchants below"
        : ready.workflows.empty() ? "none yet: pawl workflows apply -f FILE"
                                  : fmt::format("{}", fmt::join(ready.workflows, ", ")),
        dev_env_path(ready.data_dir).string(),
        example,
        program(),
        example
    ));
    print_merchants(ready);
    std::fflush(stdout);
}

}  // namespace

DevAnnouncement::~DevAnnouncement() {
    if (thread_.joinable()) thread_.join();
}

void DevAnnouncement::show(DevReady ready) {
    if (ready.merchants.empty()) return tell(ready);
    thread_ = std::thread([this, ready = std::move(ready)] {
        try {
            connect_demo(ready.env.url, ready.merchants);
            tell(ready);
        } catch (const Failure& failure) {
            log::error("no demo", {log::field("error", to_string(failure.error()))});
        }
    });
}

void DevAnnouncement::tell(const DevReady& ready) const {
    write_dev_env(ready.data_dir, ready.env);
    print_ready(globals_, ready);
}

}  // namespace pawl::cli
