#include "store/repos/persons.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

json::object object_of(json::value value) {
    return value.is_object() ? std::move(value.get_object()) : json::object();
}

// key, attributes, addresses, locale, timezone, created_at, updated_at
Person person_of(const pg::Rows& rows, int row) {
    Person person;
    person.key = rows.text(row, 0);
    person.attributes = object_of(rows.shown_jsonb(row, 1));
    person.addresses = object_of(rows.shown_jsonb(row, 2));
    if (!rows.is_null(row, 3)) person.locale = rows.text(row, 3);
    if (!rows.is_null(row, 4)) person.timezone = rows.text(row, 4);
    person.created_at = rows.instant(row, 5);
    person.updated_at = rows.instant(row, 6);
    return person;
}

std::vector<Person> people_of(const pg::Rows& rows) {
    std::vector<Person> people;
    for (int row = 0; row < rows.size(); ++row) people.push_back(person_of(rows, row));
    return people;
}

pg::Params params_of_keys(const std::vector<PersonKey>& keys) {
    pg::Array tenant(pg::Type::int4), key(pg::Type::text);
    for (const PersonKey& one : keys) {
        tenant.add(one.tenant);
        key.add(std::string_view(one.key));
    }
    return params_of(std::move(tenant), std::move(key));
}

Persons::People in_places(const pg::Rows& rows, std::size_t count) {
    Persons::People found(count);
    for (int row = 0; row < rows.size(); ++row) {
        const auto place = static_cast<std::size_t>(rows.int4(row, 0)) - 1;
        json::value person = rows.jsonb(row, 1);
        if (place < found.size() && person.is_object()) {
            found[place] = std::move(person.get_object());
        }
    }
    return found;
}

}  // namespace

asio::awaitable<Persons::People> Persons::read(std::vector<PersonKey> keys) {
    const auto rows = co_await call(pool_, queries::read_shown_persons, params_of_keys(keys));
    co_return in_places(rows, keys.size());
}

asio::awaitable<Persons::People> Persons::read_whole(std::vector<PersonKey> keys) {
    const auto rows = co_await call(pool_, queries::read_persons, params_of_keys(keys));
    co_return in_places(rows, keys.size());
}

asio::awaitable<std::vector<Person>> Persons::put(TenantId tenant, std::vector<Person> people) {
    pg::Array key(pg::Type::text), attributes(pg::Type::jsonb), addresses(pg::Type::jsonb),
        locale(pg::Type::text), timezone(pg::Type::text);
    for (const Person& one : people) {
        key.add(std::string_view(one.key));
        attributes.add_json(one.attributes);
        addresses.add_json(one.addresses);
        locale.add_or_null(one.locale);
        timezone.add_or_null(one.timezone);
    }
    pg::Params params;
    params.add(tenant).add(std::move(key)).add(std::move(attributes)).add(std::move(addresses));
    params.add(std::move(locale)).add(std::move(timezone));
    co_return people_of(co_await call_as(pool_, tenant, queries::put_people, std::move(params)));
}

asio::awaitable<std::optional<Person>> Persons::find(TenantId tenant, std::string key) {
    const auto rows = co_await call_as(pool_, tenant, queries::find_person, params_of(tenant, key));
    co_return pg::first_row(rows, person_of);
}

asio::awaitable<std::vector<Person>> Persons::list(TenantId tenant, std::string after, int limit) {
    co_return people_of(
        co_await call_as(pool_, tenant, queries::list_people, params_of(tenant, some(after), limit))
    );
}

asio::awaitable<Persons::Found> Persons::search(
    TenantId tenant, std::string after, std::string text, int limit, int looked_max
) {
    pg::Params params;
    params.add(tenant).add(some(after)).add(std::int32_t{limit} + 1).add(std::string_view(text));
    params.add(std::int32_t{looked_max});
    const auto rows = co_await call_as(pool_, tenant, queries::search_people, std::move(params));
    Found found;
    for (int row = 0; row < rows.size() && !rows.is_null(row, 0); ++row) {
        if (row == limit) {
            found.next = found.people.back().key;
            break;
        }
        found.people.push_back(person_of(rows, row));
    }
    const bool more = rows.size() > 0 && rows.int4(0, 7) == looked_max;
    if (!found.next && more) found.next = rows.text(0, 8);
    co_return found;
}

asio::awaitable<Persons::FoundElsewhere> Persons::search_source(
    TenantId tenant, std::string after, std::string text, int limit, int looked_max
) {
    pg::Params params;
    params.add(tenant).add(some(after)).add(std::int32_t{limit} + 1).add(some(text));
    params.add(std::int32_t{looked_max});
    const auto rows = co_await call_as(pool_, tenant, queries::search_source, std::move(params));
    FoundElsewhere found;
    for (int row = 0; row < rows.size() && !rows.is_null(row, 0); ++row) {
        if (row == limit) {
            found.next = rows.text(row - 1, 0);
            break;
        }
        found.people.push_back(object_of(rows.shown_jsonb(row, 1)));
    }
    const bool more = rows.size() > 0 && rows.int4(0, 2) == looked_max;
    if (!found.next && more) found.next = rows.text(0, 3);
    co_return found;
}

asio::awaitable<Erased> Persons::erase(TenantId tenant, std::string key, bool runs) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::erase_person, params_of(tenant, key, runs));
    co_return Erased{rows.boolean(0, 0), rows.int4(0, 1)};
}

// Not on behalf of the tenant: where its people are is for the owner of the schema to say.
asio::awaitable<std::string> Persons::source(TenantId tenant) {
    const auto rows = co_await call(pool_, queries::person_source_of, params_of(tenant), tenant);
    co_return rows.size() == 0 ? std::string() : rows.text(0, 0);
}

}  // namespace pawl::store
