#include "model/flow_control.hpp"

#include "base/json.hpp"
#include "model/events/whole_run_events.hpp"
#include "model/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace pawl {

namespace {

constexpr std::size_t key_length_max = 200;

// A key of any length and any characters fits into an index: its first characters count.
std::string key_text(std::string text) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20) text[i] = ' ';
        if ((byte & 0xC0U) == 0x80U || ++characters <= key_length_max) continue;
        text.resize(i);
    }
    return text;
}

// A path as a key of a set.
std::string one_text(const Path& path) {
    std::string text;
    for (const PathSegment& segment : path) {
        text += segment.is_index ? fmt::format("[{}", segment.index) : "." + segment.key;
        text += '\0';
    }
    return text;
}

std::set<std::string> paths_with_default(const std::string& key) {
    std::set<std::string> paths;
    const auto used = placeholders(json::value(key));
    if (!used) return paths;
    for (const Placeholder& one : *used) {
        if (one.has_default) paths.insert(one_text(one.path));
    }
    return paths;
}

class Gates {
public:
    Gates(FlowOwner owner, const json::value& input, const std::string& subject)
        : owner_(owner), input_(input), run_(json::object{{"subject", subject}}) {}

    std::string gate(FlowScope scope, const std::string& name, const std::string& key) const {
        return fmt::format(
            "{}/{}/{}/{}",
            owner_.tenant,
            scope == FlowScope::workflow ? owner_.workflow : 0,
            name,
            rendered(key)
        );
    }

private:
    std::string rendered(const std::string& key) const {
        if (key.empty()) return "";
        const json::value nothing("");
        // Read for what is not there only, and once: to read the template once more is not cheap.
        std::optional<std::set<std::string>> with_default;
        const auto has_default = [&](const Path& path) {
            if (!with_default) with_default = paths_with_default(key);
            return with_default->contains(one_text(path));
        };
        const PathLookup lookup = [&](const Path& path) -> const json::value* {
            const std::string& root = path[0].key;
            const json::value* found = nullptr;
            if (root == "run") found = walk(&run_, path, 1);
            if (found == nullptr) found = walk(&input_, path, root == "input" ? 1 : 0);
            return found == nullptr && !has_default(path) ? &nothing : found;
        };
        const auto value = render(json::value(key), lookup);
        std::string text;
        if (value) append_text(text, *value);
        return key_text(std::move(text));
    }

    FlowOwner owner_;
    const json::value& input_;
    json::value run_;
};

}  // namespace

std::vector<std::string> gates_of_run(const events::RunStarted& started) {
    std::vector<std::string> gates;
    const auto add = [&gates](const json::value* gate) {
        if (gate != nullptr && gate->is_string()) gates.emplace_back(gate->get_string());
    };
    const json::value* flow = started.flow.get();
    const json::value* slots = flow == nullptr ? nullptr : find(*flow, "slots");
    if (slots != nullptr && slots->is_array() && find(*flow, "free") == nullptr) {
        for (const json::value& slot : slots->get_array()) {
            const auto* pair = slot.if_array();
            add(pair == nullptr || pair->empty() ? nullptr : &(*pair)[0]);
        }
    }
    if (started.caller) {
        const auto& lent = started.caller->gates;
        gates.insert(gates.end(), lent.begin(), lent.end());
    }
    return gates;
}

namespace {

bool is_one_of(const json::value& slot, const std::vector<std::string>& gates) {
    const std::string_view gate = slot.at(0).as_string();
    return std::find(gates.begin(), gates.end(), gate) != gates.end();
}

}  // namespace

bool asks_at(const json::value& ticket, const std::vector<std::string>& gates) {
    const json::value* slots = find(ticket, "slots");
    if (slots == nullptr || !slots->is_array()) return false;
    const json::array& all = slots->get_array();
    return std::any_of(all.begin(), all.end(), [&](const json::value& slot) {
        return is_one_of(slot, gates);
    });
}

json::value without_gates(json::value ticket, const std::vector<std::string>& gates) {
    if (gates.empty() || !asks_at(ticket, gates)) return ticket;
    json::array left;
    for (json::value& slot : ticket.at("slots").as_array()) {
        if (!is_one_of(slot, gates)) left.push_back(std::move(slot));
    }
    json::object& all = ticket.get_object();
    if (left.empty()) {
        all.erase("slots");
        all.erase("free");
    } else {
        all["slots"] = std::move(left);
    }
    if (all.empty()) return nullptr;
    return ticket;
}

json::value flow_ticket(
    const FlowControl& flow, FlowOwner owner, const json::value& input, const std::string& subject
) {
    if (flow.empty()) return nullptr;
    const Gates gates(owner, input, subject);
    json::object ticket;
    if (!flow.concurrency.empty()) {
        json::array& slots = ticket["slots"].emplace_array();
        for (const ConcurrencyLimit& one : flow.concurrency) {
            slots.push_back(json::array{gates.gate(one.scope, one.name, one.key), one.limit});
        }
        if (flow.free_while_waiting) ticket["free"] = true;
    }
    if (const auto& rate = flow.rate) {
        ticket["rate"] = json::array{
            gates.gate(rate->scope, rate->name, rate->key),
            rate->limit,
            rate->per.count(),
            rate->burst,
            rate->drop};
    }
    if (const auto& gather = flow.gathering) {
        ticket["gather"] = json::array{
            gates.gate(FlowScope::workflow, gather->batch ? "batch" : "debounce", gather->key),
            gather->size,
            gather->period.count(),
            gather->max_wait.count()};
    }
    return ticket;
}

}  // namespace pawl
