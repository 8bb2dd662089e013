#include "connect/connector.hpp"
#include "connect/connector_texts.gen.hpp"

#include <algorithm>

namespace pawl::connect {

const std::vector<Connector>& shipped_connectors() {
    static const std::vector<Connector> all = [] {
        std::vector<Connector> read;
        for (const std::string_view text : connector_texts)
            read.push_back(parse_connector(text).value());
        std::sort(read.begin(), read.end(), [](const Connector& a, const Connector& b) {
            return a.name < b.name;
        });
        return read;
    }();
    return all;
}

const Connector* find_shipped(std::string_view name) {
    for (const Connector& connector : shipped_connectors()) {
        if (connector.name == name) return &connector;
    }
    return nullptr;
}

}  // namespace pawl::connect
