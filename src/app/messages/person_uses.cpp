#include "app/messages/person_uses.hpp"

#include "app/refusal.hpp"
#include "model/civil_time.hpp"
#include "model/json_pointer.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace pawl::app {

namespace {

constexpr std::size_t attributes_bytes_max = 64 << 10;
constexpr std::size_t address_bytes_max = 500;
constexpr std::size_t channel_bytes_max = 60;
constexpr std::size_t locale_bytes_max = 35;

Error no_person(const std::string& key) {
    return not_found(fmt::format("there is no person '{}'", key)).with("person", key);
}

Error kept_elsewhere(const std::string& source) {
    return refusal(
               Errc::conflict,
               "people_elsewhere",
               fmt::format("the people of this tenant are in the table {}: write there", source)
    )
        .with("table", source);
}

bool is_address(const json::value& value) {
    const auto* text = value.if_string();
    return text != nullptr && !text->empty() && text->size() <= address_bytes_max;
}

// What read_persons gives, in the form of those that are kept here.
store::Person person_of(json::object read) {
    constexpr std::array<std::string_view, 4> ours = {"key", "locale", "timezone", "addresses"};
    store::Person person;
    person.key = text_in(read, "key");
    person.locale = text_in(read, "locale");
    person.timezone = text_in(read, "timezone");
    json::value* addresses = read.if_contains("addresses");
    if (addresses != nullptr && addresses->is_object()) {
        person.addresses = std::move(addresses->get_object());
    }
    for (auto& [key, value] : read) {
        if (std::find(ours.begin(), ours.end(), std::string_view(key)) != ours.end()) continue;
        person.attributes[key] = std::move(value);
    }
    return person;
}

std::vector<store::Person> people_of(std::vector<json::object> read) {
    std::vector<store::Person> people;
    for (json::object& one : read) people.push_back(person_of(std::move(one)));
    return people;
}

}  // namespace

std::vector<PersonProblem> person_problems(
    const store::Person& person, const std::string& pointer
) {
    std::vector<PersonProblem> wrong;
    if (person.key.empty() || person.key.size() > person_key_bytes_max) {
        wrong.push_back({pointer + "/key", "must have 1 to 500 bytes"});
    }
    if (json::serialize(person.attributes).size() > attributes_bytes_max) {
        wrong.push_back({pointer + "/attributes", "must have at most 64 KiB as JSON"});
    }
    for (const auto& [channel, address] : person.addresses) {
        const std::string place = pointer + "/addresses/" + escaped(channel);
        if (channel.empty() || channel.size() > channel_bytes_max) {
            wrong.push_back({place, "must be a channel such as email"});
        } else if (!is_address(address)) {
            wrong.push_back({place, "must be text of 1 to 500 bytes"});
        }
    }
    if (person.locale.size() > locale_bytes_max) {
        wrong.push_back({pointer + "/locale", "must be a language such as en or th-TH"});
    }
    if (!person.timezone.empty() && !parse_time_zone(person.timezone)) {
        wrong.push_back({pointer + "/timezone", "must be a time zone such as Asia/Bangkok"});
    }
    return wrong;
}

asio::awaitable<Result<std::vector<store::Person>>> put_people(
    PersonUses& uses, store::TenantId tenant, std::vector<store::Person> people
) {
    const std::string source = co_await uses.persons.source(tenant);
    if (!source.empty()) co_return kept_elsewhere(source);
    co_return co_await uses.persons.put(tenant, std::move(people));
}

asio::awaitable<Result<ShownPerson>> find_person(
    PersonUses& uses, store::TenantId tenant, std::string key
) {
    ShownPerson shown;
    shown.source = co_await uses.persons.source(tenant);
    if (shown.source.empty()) {
        auto person = co_await uses.persons.find(tenant, key);
        if (!person) co_return no_person(key);
        shown.person = std::move(*person);
    } else {
        std::vector<store::PersonKey> keys{{tenant, key}};
        auto people = co_await uses.persons.read(std::move(keys));
        if (people.empty() || !people[0]) co_return no_person(key);
        shown.person = person_of(std::move(*people[0]));
    }
    shown.unsubscribed = co_await uses.consent.unsubscribed(tenant, std::move(key));
    co_return shown;
}

asio::awaitable<Result<std::vector<store::Person>>> list_people(
    PersonUses& uses, store::TenantId tenant, std::string after, int limit
) {
    const std::string source = co_await uses.persons.source(tenant);
    if (!source.empty()) {
        auto found =
            co_await uses.persons.search_source(tenant, std::move(after), "", limit, limit);
        co_return people_of(std::move(found.people));
    }
    co_return co_await uses.persons.list(tenant, std::move(after), limit);
}

asio::awaitable<Result<store::Persons::Found>> search_people(
    PersonUses& uses, store::TenantId tenant, std::string after, std::string text, int limit
) {
    const std::string source = co_await uses.persons.source(tenant);
    if (!source.empty()) {
        auto found =
            co_await uses.persons.search_source(tenant, std::move(after), std::move(text), limit);
        store::Persons::Found shown{people_of(std::move(found.people)), std::move(found.next)};
        co_return shown;
    }
    co_return co_await uses.persons.search(tenant, std::move(after), std::move(text), limit);
}

asio::awaitable<Result<std::int32_t>> erase_person(
    PersonUses& uses, store::TenantId tenant, std::string key, bool runs
) {
    const std::string source = co_await uses.persons.source(tenant);
    const store::Erased erased = co_await uses.persons.erase(tenant, key, runs);
    // Elsewhere it is for the tenant to delete the row, before or after this.
    if (!erased.known && erased.runs == 0 && source.empty()) co_return no_person(key);
    co_return erased.runs;
}

}  // namespace pawl::app
