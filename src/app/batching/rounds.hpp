#pragma once

#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pawl::app {

namespace asio = boost::asio;

// Natural batching: what is asked while round trips are under way gathers, and goes together in the
// next one. One thread. Await stop() before the executor ends.
template <class Item, class Answer>
class Rounds {
public:
    // Answers in the order of the items; what it throws is thrown at all who asked.
    using Trip = std::function<asio::awaitable<std::vector<Answer>>(std::vector<Item>)>;

    struct Options {
        std::size_t items_max = 500;
        std::size_t trips_max = 1;  // under way at once; more of them are smaller
    };

    Rounds(asio::any_io_executor executor, Trip trip, Options options = {})
        : executor_(executor), trip_(std::move(trip)), options_(options), trips_(executor) {}

    asio::awaitable<Answer> ask(Item item) {
        auto ticket = std::make_shared<Ticket>(executor_, std::move(item));
        queue_.push_back(ticket);
        if (running_ < options_.trips_max) {
            ++running_;
            trips_.spawn(drain());
        }
        while (!ticket->answer && !ticket->failed) co_await ticket->settled.wait();
        if (ticket->failed) std::rethrow_exception(ticket->failed);
        co_return std::move(*ticket->answer);
    }

    bool idle() const { return running_ == 0 && queue_.empty(); }

    asio::awaitable<void> stop() {
        trips_.cancel();
        co_await trips_.join();
    }

private:
    struct Ticket {
        Ticket(const asio::any_io_executor& executor, Item asked)
            : item(std::move(asked)), settled(executor) {}
        Item item;
        std::optional<Answer> answer;
        std::exception_ptr failed;
        engine::Gate settled;
    };
    using Tickets = std::vector<std::shared_ptr<Ticket>>;

    asio::awaitable<void> drain() {
        while (!queue_.empty()) {
            Tickets tickets;
            std::vector<Item> items;
            while (!queue_.empty() && tickets.size() < options_.items_max) {
                items.push_back(std::move(queue_.front()->item));
                tickets.push_back(std::move(queue_.front()));
                queue_.pop_front();
            }
            co_await travel(std::move(tickets), std::move(items));
        }
        --running_;
    }

    asio::awaitable<void> travel(Tickets tickets, std::vector<Item> items) {
        std::exception_ptr failed;
        std::vector<Answer> answers;
        try {
            answers = co_await trip_(std::move(items));
        } catch (...) {
            failed = std::current_exception();
        }
        for (std::size_t i = 0; i < tickets.size(); ++i) {
            if (failed) {
                tickets[i]->failed = failed;
            } else {
                tickets[i]->answer = std::move(answers[i]);
            }
            tickets[i]->settled.open();
        }
    }

    asio::any_io_executor executor_;
    Trip trip_;
    Options options_;
    std::deque<std::shared_ptr<Ticket>> queue_;
    std::size_t running_ = 0;
    engine::CoroutineGroup trips_;
};

}  // namespace pawl::app
