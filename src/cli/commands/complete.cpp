#include "cli/commands/completion.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/args.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"
#include "store/repos/human_tasks.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/schedules.hpp"
#include "store/repos/tenants.hpp"

#include <sys/time.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace pawl::cli {

namespace {

struct CompletionOptions {
    Globals globals;
    std::string shell;
};

struct CompleteOptions {
    Globals globals;
    std::vector<std::string> words;  // behind `pawl`; the last one is not complete
};

// A person waits with a finger on the key.
constexpr std::chrono::microseconds patience(800'000);
constexpr int names_max = 100;

void print(const Suggestion& one) {
    std::string what = one.what.substr(0, one.what.find('\n'));
    for (char& c : what) c = c == '\t' ? ' ' : c;
    print_line(one.word + "\t" + what);
}

class Lister {
public:
    Lister(pg::Pool& pool, store::Tenant tenant, Completion asked)
        : pool_(pool), tenant_(tenant), asked_(std::move(asked)) {}

    asio::awaitable<int> list() {
        using Names = Completion::Names;
        if (asked_.names == Names::workflows) co_await workflows();
        if (asked_.names == Names::runs) co_await runs();
        if (asked_.names == Names::tasks) co_await tasks();
        if (asked_.names == Names::schedules) co_await schedules();
        if (asked_.names == Names::jobs) co_await jobs();
        if (asked_.names == Names::tenants) co_await tenants();
        co_return exit_ok;
    }

private:
    void offer(const std::string& word, const std::string& what) {
        if (word.starts_with(asked_.prefix) && said_.insert(word).second) print({word, what});
    }

    asio::awaitable<void> workflows() {
        store::PgStore store(pool_);
        for (const auto& one : co_await store.list_workflows(tenant_.id, {})) {
            offer(one.name, "version " + std::to_string(one.version));
        }
    }

    asio::awaitable<void> runs() {
        store::PgStore store(pool_);
        store::RunFilter filter;
        filter.limit = names_max;
        const auto page = co_await store.list_runs(tenant_, filter);
        for (const auto& run : page.runs) offer(to_string(run.id), run.workflow + " " + run.status);
    }

    asio::awaitable<void> tasks() {
        store::HumanTasks tasks(pool_);
        store::TaskFilter filter;
        filter.state = "open";
        filter.limit = names_max;
        const auto page = co_await tasks.list(tenant_, filter);
        for (const auto& task : page.tasks) offer(to_string(task.id), task.title);
    }

    asio::awaitable<void> schedules() {
        store::Schedules schedules(pool_);
        for (const auto& one : co_await schedules.list(tenant_, {})) {
            offer(one.workflow_name, one.cron);
            offer(std::to_string(one.id), one.workflow_name + " " + one.cron);
        }
    }

    asio::awaitable<void> jobs() {
        store::Jobs jobs(pool_);
        for (const auto& job : co_await jobs.list(tenant_.id, {})) {
            offer(to_string(job.id), job.kind + " " + job.status);
        }
    }

    asio::awaitable<void> tenants() {
        store::Tenants tenants(pool_);
        for (const auto& one : co_await tenants.list()) offer(one.name, "");
    }

    pg::Pool& pool_;
    store::Tenant tenant_;
    Completion asked_;
    std::set<std::string> said_;
};

// Quickly, and without a word when there is no database.
void print_names(Globals globals, Completion asked) {
    globals.quiet = true;
    if (!asked.tenant.empty()) globals.tenant = asked.tenant;
    if (!asked.database_url.empty()) globals.database_url = asked.database_url;
    std::fflush(stdout);
    std::signal(SIGALRM, [](int) { std::_Exit(exit_ok); });
    const itimerval limit{{0, 0}, {0, patience.count()}};
    setitimer(ITIMER_REAL, &limit, nullptr);
    try {
        std::optional<Lister> lister;  // lives as long as the loop
        with_tenant(globals, [&](pg::Pool& pool, store::Tenant tenant) {
            return lister.emplace(pool, tenant, std::move(asked)).list();
        });
    } catch (const std::exception&) {
        // There is nothing to tell to a person who types.
    }
}

int run_completion(const CompletionOptions& options) {
    const auto script = completion_script(options.shell);
    if (!script) {
        return report(
            options.globals,
            {Errc::invalid,
             "'" + options.shell + "' is not a shell that is known here: use bash, zsh or fish",
             {}}
        );
    }
    print_text(*script);
    return exit_ok;
}

int run_complete(const CompleteOptions& options) {
    Completion found = complete(command_pages(), options.words);
    for (const Suggestion& one : found.words) print(one);
    using Names = Completion::Names;
    if (found.names != Names::none && found.names != Names::files) {
        print_names(options.globals, std::move(found));
    }
    return exit_ok;
}

void add_completion(App& app, CompletionOptions& options) {
    app.add_option("SHELL", options.shell, "bash, zsh or fish")
        ->required()
        ->type_name("bash|zsh|fish");
}

const RegisterCommand<run_completion, add_completion> completion_command(
    {"completion", 250, "Print a script that completes commands in a shell"},
    {{"pawl completion bash > ~/.local/share/bash-completion/completions/pawl"},
     {"pawl completion fish > ~/.config/fish/completions/pawl.fish"}}
);

// What the scripts of `completion` call; not for people.
void add_complete(App& app, CompleteOptions& options) {
    app.add_option("WORDS", options.words, "");
}

const RegisterCommand<run_complete, add_complete> complete_command({"complete", 270});

}  // namespace

}  // namespace pawl::cli
