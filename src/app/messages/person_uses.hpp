#pragma once

#include "app/caller.hpp"
#include "store/repos/consent.hpp"
#include "store/repos/message_log.hpp"
#include "store/repos/persons.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::app {

// What the use cases of people, those that journeys are about, work with. All of it outlives them.
struct PersonUses {
    store::Persons& persons;
    store::Consent& consent;
    store::MessageLog& messages;
    store::Store& store;
};

inline constexpr std::size_t person_key_bytes_max = 500;
inline constexpr std::size_t people_max = 1000;  // of one request

// A person wherever the tenant keeps them.
struct ShownPerson {
    store::Person person;
    std::string source;  // the tenant's own table; empty: they are kept here, and have times
    std::vector<store::Unsubscribed> unsubscribed;
};

// What is wrong with a person, as places below `pointer`; pure.
struct PersonProblem {
    std::string pointer;
    std::string detail;
};
std::vector<PersonProblem> person_problems(const store::Person& person, const std::string& pointer);

// Refused where the tenant has its people in a table of its own.
asio::awaitable<Result<std::vector<store::Person>>> put_people(
    PersonUses& uses, store::TenantId tenant, std::vector<store::Person> people
);
asio::awaitable<Result<ShownPerson>> find_person(
    PersonUses& uses, store::TenantId tenant, std::string key
);
// Refused likewise.
asio::awaitable<Result<std::vector<store::Person>>> list_people(
    PersonUses& uses, store::TenantId tenant, std::string after, int limit
);
asio::awaitable<Result<store::Persons::Found>> search_people(
    PersonUses& uses, store::TenantId tenant, std::string after, std::string text, int limit
);
// Takes the person out of all that is known about messages too; with `runs` forgets the closed runs
// about them, and says how many. An error: there is no such person.
asio::awaitable<Result<std::int32_t>> erase_person(
    PersonUses& uses, store::TenantId tenant, std::string key, bool runs
);

}  // namespace pawl::app
