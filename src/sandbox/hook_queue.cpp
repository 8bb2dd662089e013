#include "sandbox/hook_queue.hpp"

#include "sandbox/links_in.hpp"
#include "sandbox/wire.hpp"

namespace pawl::sandbox {

namespace {

constexpr std::size_t calls_max = 64;
constexpr std::size_t waiting_max = 500'000;
constexpr std::size_t visits_max = 2000;
constexpr Duration first_pause = std::chrono::seconds(1);

}  // namespace

HookQueue::HookQueue(asio::any_io_executor executor, Desk& desk, http::Client& client)
    : desk_(desk),
      client_(client),
      changed_(executor),
      tasks_(executor),
      calls_(executor),
      visits_(executor) {}

void HookQueue::start() {
    tasks_.spawn(run());
}

asio::awaitable<void> HookQueue::stop() {
    tasks_.cancel();
    calls_.cancel();
    visits_.cancel();
    co_await tasks_.join();
    co_await calls_.join();
    co_await visits_.join();
}

void HookQueue::follow(const MessagePtr& message) {
    const Account* account = desk_.find(message->provider, message->account);
    if (account == nullptr) return;
    const Behaviour& will = account->behaviour;
    const bool has_hook = !account->hook_url.empty() || !message->callback.empty();
    Duration after{};
    const auto roll = [&](double percent) {
        return percent >= 100 || desk_.rng().unit() * 100 < percent;
    };
    const auto then = [&](FactKind kind) {
        after += will.pause;
        Event event;
        event.kind = kind;
        event.id = random_uuid(desk_.rng());
        event.at = message->at + after;
        event.message = message;
        if (has_hook) add(*account, std::move(event), after);
    };
    if (roll(will.sent)) then(FactKind::sent);
    if (roll(will.bounced)) return then(FactKind::bounced);
    if (!roll(will.delivered)) return;
    then(FactKind::delivered);
    if (roll(will.opened)) {
        Links links = links_in(message->request);
        then(FactKind::opened);
        if (!links.images.empty()) go_to(std::move(links.images), after);
        if (roll(will.clicked)) {
            then(FactKind::clicked);
            if (!links.targets.empty()) go_to({links.targets.front()}, after);
        }
    }
    if (roll(will.complained)) then(FactKind::complained);
    if (roll(will.unsubscribed)) then(FactKind::unsubscribed);
}

void HookQueue::go_to(std::vector<std::string> urls, Duration after) {
    if (visits_.size() < visits_max) visits_.spawn(visit(std::move(urls), after));
}

asio::awaitable<void> HookQueue::visit(std::vector<std::string> urls, Duration after) {
    engine::Gate pause(changed_.executor());
    co_await pause.wait(Steady::now() + after);
    for (std::string& url : urls) {
        http::Request request;
        request.url = std::move(url);
        request.headers = {
            {"User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Sandbox/1.0"},
            {"Accept", "text/html,image/*"}};
        request.trusted = true;  // of this machine: see links_in
        co_await client_.send(std::move(request));
    }
}

bool HookQueue::tell(const Account& account, Event event) {
    const bool has_callback = event.message && !event.message->callback.empty();
    if (account.hook_url.empty() && !has_callback) return false;
    if (event.id.empty()) event.id = random_uuid(desk_.rng());
    if (event.at == Instant()) event.at = wall_now();
    add(account, std::move(event), Duration::zero());
    return true;
}

void HookQueue::add(const Account& account, Event event, Duration after) {
    if (queue_.size() >= waiting_max) return;
    Due due;
    due.provider = find_provider(account.provider);
    due.account = account.name;
    due.event = std::move(event);
    queue_.emplace(Steady::now() + after, std::move(due));
    changed_.open();
}

asio::awaitable<void> HookQueue::run() {
    for (;;) {
        while (!queue_.empty() && queue_.begin()->first <= Steady::now() &&
               calls_.size() < calls_max) {
            begin_next();
        }
        const bool full = queue_.empty() || calls_.size() >= calls_max;
        co_await changed_.wait(full ? Steady::time_point::max() : queue_.begin()->first);
    }
}

void HookQueue::begin_next() {
    const auto now = Steady::now();
    std::vector<Due> all;
    all.push_back(std::move(queue_.begin()->second));
    queue_.erase(queue_.begin());
    const std::size_t most = all.front().provider->batch_max();
    for (auto one = queue_.begin();
         all.size() < most && one != queue_.end() && one->first <= now;) {
        const bool same = one->second.provider == all.front().provider &&
                          one->second.account == all.front().account;
        if (!same) {
            ++one;
            continue;
        }
        all.push_back(std::move(one->second));
        one = queue_.erase(one);
    }
    calls_.spawn(deliver(std::move(all)));
}

asio::awaitable<void> HookQueue::deliver(std::vector<Due> all) {
    const Provider& provider = *all.front().provider;
    const Account* account = desk_.find(provider.name(), all.front().account);
    std::vector<Event> events;
    for (const Due& one : all) events.push_back(one.event);
    std::optional<http::Request> request;
    if (account != nullptr) request = provider.hook(desk_, *account, events, wall_now());
    if (!request) {
        changed_.open();
        co_return;
    }
    request->trusted = true;  // the person who runs the sandbox has set it
    const int tries = provider.tries();
    const http::Outcome outcome = co_await client_.send(std::move(*request));
    const int status = outcome ? outcome->status : 0;
    const bool fine = status >= 200 && status < 300;
    for (Due& one : all) {
        ++(fine ? taken_ : refused_);
        if (one.event.message)
            one.event.message->told.push_back({one.event.kind, wall_now(), status});
        if (fine || ++one.tries >= tries) continue;
        queue_.emplace(Steady::now() + first_pause * (1 << one.tries), std::move(one));
    }
    changed_.open();
}

}  // namespace pawl::sandbox
