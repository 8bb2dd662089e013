#include "workers/connectors/vector.hpp"

#include "base/json.hpp"
#include "steps/storable_text.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <fmt/format.h>

namespace pawl::workers {

namespace {

constexpr std::size_t query_bytes_max = 4000;

class Knowledge : public VectorStore {
public:
    Knowledge(std::shared_ptr<embed::Sessions> sessions, Embed embed)
        : sessions_(std::move(sessions)), embed_(std::move(embed)) {}

    json::array search(int tenant, const std::string& text, int limit) override {
        const std::string query = steps::storable(text, query_bytes_max);
        pg::Params params;
        params.add(std::int32_t{tenant}).add(query).add(std::int32_t{limit});
        if (embed_) {
            params.add(fmt::format("[{}]", fmt::join(embed_(query), ",")));
        } else {
            params.add_null();
        }
        const auto rows =
            sessions_->ask_as(tenant, store::queries::knowledge_search, std::move(params));
        json::array found;
        for (int row = 0; row < rows.size(); ++row) found.push_back(rows.jsonb(row, 0));
        return found;
    }

private:
    std::shared_ptr<embed::Sessions> sessions_;
    Embed embed_;
};

}  // namespace

std::shared_ptr<VectorStore> make_knowledge(
    std::shared_ptr<embed::Sessions> sessions, Embed embed
) {
    return std::make_shared<Knowledge>(std::move(sessions), std::move(embed));
}

}  // namespace pawl::workers
