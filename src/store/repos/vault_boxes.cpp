#include "store/repos/vault_boxes.hpp"

namespace pawl::store {

namespace {

Error not_opened(Error error, const BoxTable& table, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        error = std::move(error).with(table.names[i], names[i]);
    }
    return error;
}

}  // namespace

VaultBox box_of(const pg::Rows& rows, int row, int first) {
    return {
        rows.text(row, first),
        std::string(rows.bytes(row, first + 1)),
        std::string(rows.bytes(row, first + 2))};
}

void add_box(pg::Params& params, const VaultBox& box) {
    params.add(std::string_view(box.key_id));
    params.add(std::string_view(box.nonce)).add(std::string_view(box.data));
}

boost::asio::awaitable<int> rotate_boxes(pg::Pool& pool, const Vault& vault, BoxTable table) {
    const auto rows = co_await call(pool, table.others, params_of(vault.key_id()));
    const int box_at = 1 + static_cast<int>(table.names.size());
    int changed = 0;
    for (int row = 0; row < rows.size(); ++row) {
        const TenantId tenant = rows.int4(row, 0);
        std::vector<std::string> names;
        for (int column = 1; column < box_at; ++column) names.push_back(rows.text(row, column));
        const std::string about = table.about(tenant, names);
        const VaultBox old = box_of(rows, row, box_at);
        const auto secret = vault.open(about, old);
        if (!secret) {
            throw Failure(not_opened(secret.error(), table, names)
                              .with("tenant", std::to_string(tenant))
                              .with("changed", std::to_string(changed)));
        }
        pg::Params params = params_of(tenant);
        for (const std::string& name : names) params.add(std::string_view(name));
        add_box(params, vault.close(about, *secret));
        params.add(std::string_view(old.nonce));
        changed += (co_await call(pool, table.replace, std::move(params))).size();
    }
    co_return changed;
}

}  // namespace pawl::store
