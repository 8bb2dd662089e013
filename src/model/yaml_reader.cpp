#include "base/json.hpp"
#include "model/document.hpp"
#include "model/yaml_scalar.hpp"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <sstream>
#include <unordered_set>

namespace pawl {

namespace {

// Aliases may multiply a small text into a huge tree: the tree has its own bounds.
constexpr std::size_t values_max = 100'000;

// Carries an Error out of yaml-cpp's callbacks; caught in read_yaml.
struct Refused {
    Error error;
};

// Builds the tree from yaml-cpp's events, which (unlike its nodes) keep every key and cost no
// recursion of ours.
class Builder : public YAML::EventHandler {
public:
    explicit Builder(DefinitionLimits limits) : limits_(limits) {}

    Document take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(scalar(mark, nullptr), anchor);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) refuse(mark.line + 1, "an alias may not hold itself");
        Document copy = found->second;
        measure(copy, open_.size(), mark.line + 1);
        add(std::move(copy), 0);
    }
    void OnScalar(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        const std::string& text
    ) override {
        if (text.find('\0') != std::string::npos) {
            refuse(mark.line + 1, "text may not hold U+0000, which Postgres cannot store");
        }
        bytes_ += text.size();
        if (awaits_key()) {
            add(scalar(mark, json::value(text)), anchor);
            return;
        }
        auto value = yaml_scalar(tag, text);
        if (!value) refuse(mark.line + 1, value.error().message);
        add(scalar(mark, std::move(*value)), anchor);
    }
    void OnSequenceStart(
        const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value
    ) override {
        open(Document::Kind::list, mark, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(
        const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value
    ) override {
        open(Document::Kind::map, mark, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        Document document;
        YAML::anchor_t anchor = 0;
        std::unordered_set<std::string> keys;
        std::optional<Document::Member> member;  // a key that still lacks its value
    };

    [[noreturn]] static void refuse(int line, std::string_view what) {
        throw Refused{error_at(line, "", what)};
    }

    static Document scalar(const YAML::Mark& mark, json::value value) {
        Document document;
        document.line = mark.line + 1;
        document.scalar = std::move(value);
        return document;
    }

    bool awaits_key() const {
        return !open_.empty() && open_.back().document.kind == Document::Kind::map &&
               !open_.back().member;
    }

    void open(Document::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (awaits_key()) {
            refuse(
                mark.line + 1,
                "a key must be plain text (a value that starts with '{{' needs quotes around it)"
            );
        }
        if (open_.size() >= limits_.depth_max) too_deep(mark.line + 1);
        Open next;
        next.document.kind = kind;
        next.document.line = mark.line + 1;
        next.anchor = anchor;
        open_.push_back(std::move(next));
    }

    void close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        add(std::move(done.document), done.anchor);
    }

    void add(Document document, YAML::anchor_t anchor) {
        if (++values_ > values_max || bytes_ > limits_.bytes_max) too_large(document.line);
        if (anchor != 0) anchors_[anchor] = document;
        if (open_.empty()) {
            root_ = std::move(document);
            return;
        }
        Open& parent = open_.back();
        if (parent.document.kind == Document::Kind::list) {
            parent.document.items.push_back(std::move(document));
        } else if (parent.member) {
            parent.member->value = std::move(document);
            parent.document.members.push_back(std::move(*parent.member));
            parent.member.reset();
        } else {
            begin_member(parent, document);
        }
    }

    static void begin_member(Open& parent, const Document& key) {
        if (!key.is_text()) refuse(key.line, "a key must be plain text");
        if (!parent.keys.emplace(key.text()).second) {
            refuse(key.line, fmt::format("'{}' is given twice", key.text()));
        }
        parent.member = Document::Member{std::string(key.text()), key.line, {}};
    }

    // Counts what an alias adds, before it is added.
    void measure(const Document& document, std::size_t depth, int line) {
        if (depth > limits_.depth_max) too_deep(line);
        bytes_ += document.text().size();
        if (++values_ > values_max || bytes_ > limits_.bytes_max) too_large(line);
        for (const Document& item : document.items) measure(item, depth + 1, line);
        for (const auto& member : document.members) measure(member.value, depth + 1, line);
    }

    [[noreturn]] void too_deep(int line) const {
        refuse(line, fmt::format("nested deeper than {} levels", limits_.depth_max));
    }
    [[noreturn]] static void too_large(int line) {
        Error error =
            error_at(line, "", "the definition is too large once its aliases are expanded");
        error.code = Errc::too_large;
        throw Refused{std::move(error)};
    }

    DefinitionLimits limits_;
    Document root_;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, Document> anchors_;
    std::size_t values_ = 0;
    std::size_t bytes_ = 0;
};

Result<Document> read_yaml(const std::string& text, DefinitionLimits limits) {
    std::istringstream stream(text);
    try {
        Builder builder(limits);
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder)) {
            return Error{Errc::invalid, "the definition is empty", {}};
        }
        Document document = builder.take();
        Builder extra(limits);
        if (parser.HandleNextDocument(extra)) {
            return Error{Errc::invalid, "only one YAML document is expected", {}};
        }
        return document;
    } catch (const Refused& refused) {
        return refused.error;
    } catch (const YAML::Exception& failed) {
        return error_at(failed.mark.line + 1, "", fmt::format("not valid YAML: {}", failed.msg));
    } catch (const std::exception& failed) {
        // Its scanner also lets library exceptions out on some rubbish.
        return Error{Errc::invalid, fmt::format("not valid YAML: {}", failed.what()), {}};
    }
}

bool starts_surrogate(std::string_view text) {
    return text.starts_with("\\ud") || text.starts_with("\\uD");
}

// yaml-cpp refuses the surrogate pairs by which JSON writes characters beyond U+FFFF.
std::string join_surrogates(std::string_view text) {
    constexpr std::size_t pair_size = 12;
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        if (text.size() >= pair_size && starts_surrogate(text) &&
            starts_surrogate(text.substr(pair_size / 2))) {
            const auto pair = parse_json('"' + std::string(text.substr(0, pair_size)) + '"');
            if (pair && pair->is_string()) {
                out += std::string_view(pair->get_string());
                text.remove_prefix(pair_size);
                continue;
            }
        }
        const std::size_t length = text.front() == '\\' && text.size() > 1 ? 2 : 1;
        out += text.substr(0, length);
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace

Result<Document> read_document(std::string_view text, DefinitionLimits limits) {
    if (text.size() > limits.bytes_max) {
        return Error{
            Errc::too_large,
            fmt::format(
                "the definition is {} bytes; the limit is {} bytes", text.size(), limits.bytes_max
            ),
            {}};
    }
    if (text.find('\0') != text.npos) {
        return Error{Errc::invalid, "the definition holds a NUL byte", {}};
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool like_json = first != text.npos && text[first] == '{';
    auto document = read_yaml(like_json ? join_surrogates(text) : std::string(text), limits);
    if (document || !like_json) return document;
    // JSON is YAML but for corners that yaml-cpp does not know; only the lines are lost there.
    if (document.error().message.find("not valid YAML") == std::string::npos) return document;
    auto value = parse_json(text, {.bytes_max = limits.bytes_max, .depth_max = limits.depth_max});
    if (value) return document_from_json(*value);
    return document;
}

}  // namespace pawl
