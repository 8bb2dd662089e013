#include "bench/meter.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "store/queries.gen.hpp"

#include <atomic>
#include <thread>

namespace pawl::bench {

namespace {

constexpr Duration queue_limit = std::chrono::seconds(60);
constexpr int connections = 2;
constexpr std::int32_t batch_size = 100;
const std::string queue = "bench";

// One connection; each of its operations returns how many messages it was about.
class QueueClient {
public:
    asio::awaitable<void> begin(pg::ConnectOptions options) {
        connection_ = co_await pg::Connection::connect(std::move(options));
    }

    asio::awaitable<std::int64_t> send() {
        pg::Params params;
        params.add(queue).add_json(next_message());
        co_await connection_->run(store::queries::bench_queue_send, std::move(params), queue_limit);
        co_return 1;
    }
    asio::awaitable<std::int64_t> take() {
        const auto rows = co_await read(1);
        if (rows.size() == 0) co_return 0;
        pg::Params params;
        params.add(queue).add(rows.int8(0, 0));
        co_await connection_->run(
            store::queries::bench_queue_delete, std::move(params), queue_limit
        );
        co_return 1;
    }
    asio::awaitable<std::int64_t> send_batch() {
        pg::Params params;
        params.add(queue).add(batch());
        co_await connection_->run(
            store::queries::bench_queue_send_batch, std::move(params), queue_limit
        );
        co_return batch_size;
    }
    asio::awaitable<std::int64_t> take_batch() {
        const auto rows = co_await read(batch_size);
        if (rows.size() == 0) co_return 0;
        pg::Array ids(pg::Type::int8);
        for (int row = 0; row < rows.size(); ++row) ids.add(rows.int8(row, 0));
        pg::Params params;
        params.add(queue).add(std::move(ids));
        co_await connection_->run(
            store::queries::bench_queue_delete_batch, std::move(params), queue_limit
        );
        co_return rows.size();
    }
    asio::awaitable<std::int64_t> insert_batch() {
        pg::Params params;
        params.add(batch());
        co_await connection_->run(
            store::queries::bench_queue_insert, std::move(params), queue_limit
        );
        co_return batch_size;
    }

private:
    asio::awaitable<pg::Rows> read(std::int32_t count) {
        pg::Params params;
        params.add(queue).add(count);
        co_return co_await connection_->run(
            store::queries::bench_queue_read, std::move(params), queue_limit
        );
    }
    pg::Array batch() {
        pg::Array messages(pg::Type::jsonb);
        messages.reserve(batch_size, 60);
        for (int i = 0; i < batch_size; ++i) messages.add_json(next_message());
        return messages;
    }

    // One message with another number each time: to build it anew would take the processor from the
    // server that is measured.
    const json::value& next_message() {
        message_.get_object()["order"] = ++number_;
        return message_;
    }

    std::unique_ptr<pg::Connection> connection_;
    json::value message_ = json::object{{"order", 0}, {"customer", "customer-17"}, {"total", 99.5}};
    std::int64_t number_ = 0;
};

using Operation = asio::awaitable<std::int64_t> (QueueClient::*)();

// How much one connection did, and when it had nothing left to do.
struct Share {
    std::int64_t messages = 0;
    double seconds = 0;
};

asio::awaitable<void> repeat(
    pg::ConnectOptions options, Operation operation, double seconds, Share& share
) {
    QueueClient client;
    co_await client.begin(std::move(options));
    const auto begun = Steady::now();
    const auto until = begun + std::chrono::duration<double>(seconds);
    while (Steady::now() < until) {
        const std::int64_t messages = co_await (client.*operation)();
        if (messages == 0) break;
        share.messages += messages;
    }
    share.seconds = std::chrono::duration<double>(Steady::now() - begun).count();
}

class QueueBench {
public:
    explicit QueueBench(const WorkloadContext& context) : context_(context) {}

    // Each operation on a connection and a thread of its own; returns their rates.
    std::vector<double> rates(const std::string& what, std::vector<Operation> operations) {
        context_.progress("pgmq: " + what);
        std::vector<Share> shares(operations.size());
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            threads.emplace_back([this, &shares, &operations, i] {
                const auto& connect = context_.target.connect();
                run_sync(repeat(connect, operations[i], context_.options.seconds, shares[i]));
            });
        }
        for (auto& thread : threads) thread.join();
        std::vector<double> rates;
        for (const Share& share : shares) {
            messages_ += share.messages;
            rates.push_back(static_cast<double>(share.messages) / std::max(share.seconds, 1e-9));
        }
        return rates;
    }
    double rate(const std::string& what, Operation operation) {
        double sum = 0;
        for (const double one : rates(what, std::vector(connections, operation))) sum += one;
        return sum;
    }
    std::int64_t messages() const { return messages_; }

private:
    const WorkloadContext& context_;
    std::int64_t messages_ = 0;
};

asio::awaitable<void> prepare(pg::ConnectOptions options, std::string& provider) {
    const auto connection = co_await pg::Connection::connect(std::move(options));
    const auto rows = co_await connection->run(store::queries::queue_provider, {}, queue_limit);
    provider = rows.text(0, 0);
    // Analysed while it is empty: what is known about it is wrong from then on.
    co_await connection->script(
        "select pgmq.create('" + queue + "'); analyze pgmq.q_" + queue, queue_limit
    );
}

}  // namespace

// Queues on two connections: one message at a time and batches of 100; then one sends and one
// takes.
Reports run_pgmq(WorkloadContext context) {
    std::string provider;
    run_sync(prepare(context.target.connect(), provider));
    QueueBench bench(context);
    Meter meter(context.target.connect());
    const double inserts = bench.rate("bare inserts", &QueueClient::insert_batch);
    const double sends_batch = bench.rate("sends, batches", &QueueClient::send_batch);
    const double takes_batch = bench.rate("reads with deletes, batches", &QueueClient::take_batch);
    const double sends = bench.rate("sends", &QueueClient::send);
    const double takes = bench.rate("reads with deletes", &QueueClient::take);
    const auto both =
        bench.rates("both at once", {&QueueClient::send_batch, &QueueClient::take_batch});
    json::object report{
        {"workload", "pgmq"},
        {"provider", provider},
        {"sends_per_s_batch", sends_batch},
        {"takes_per_s_batch", takes_batch},
        {"sends_per_s", sends},
        {"takes_per_s", takes},
        {"sends_per_s_at_once", both[0]},
        {"takes_per_s_at_once", both[1]},
        {"inserts_per_s_bare", inserts},
        {"sends_of_bare", sends_batch / inserts},
        {"messages", bench.messages()}};
    meter.finish(report, bench.messages());
    return {report};
}

}  // namespace pawl::bench
