#include "pawl/queue.hpp"

#include "base/json.hpp"
#include "embed/sessions.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl {

namespace {

class PgQueue : public Queue {
public:
    explicit PgQueue(const std::string& database) : sessions_({.conninfo = database}) {}

    void create(const std::string& queue) override {
        pg::Params params;
        params.add(queue);
        sessions_.ask(store::queries::embed_queue_create, std::move(params));
    }

    std::int64_t enqueue(const std::string& queue, const boost::json::value& payload) override {
        pg::Params params;
        params.add(queue).add_json(payload);
        return sessions_.ask(store::queries::embed_queue_send, std::move(params)).int8(0, 0);
    }

    std::optional<QueueMessage> dequeue(const std::string& queue, std::chrono::seconds hidden_for)
        override {
        pg::Params params;
        params.add(queue).add(static_cast<std::int32_t>(hidden_for.count()));
        const auto rows = sessions_.ask(store::queries::embed_queue_read, std::move(params));
        if (rows.size() == 0) return std::nullopt;
        return QueueMessage{rows.int8(0, 0), rows.int4(0, 1), rows.shown_jsonb(0, 2)};
    }

    bool remove(const std::string& queue, std::int64_t id) override {
        pg::Params params;
        params.add(queue).add(id);
        return sessions_.ask(store::queries::embed_queue_delete, std::move(params)).boolean(0, 0);
    }

private:
    embed::Sessions sessions_;
};

}  // namespace

std::unique_ptr<Queue> make_queue(const std::string& database) {
    return std::make_unique<PgQueue>(database);
}

}  // namespace pawl
