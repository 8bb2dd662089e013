#include "api/publisher.hpp"

#include <map>

namespace pawl::api {

Publisher::Publisher(asio::any_io_executor executor, store::Store& store)
    : store_(store), rounds_(executor, [this](std::vector<Parcel> parcels) {
          return deliver(std::move(parcels));
      }) {}

asio::awaitable<std::vector<bool>> Publisher::publish(
    store::Bucket bucket, std::vector<store::OutsideEvent> events
) {
    if (events.empty()) co_return std::vector<bool>();
    const store::TenantId tenant = events.front().tenant;
    Parcel parcel{bucket, std::move(events)};
    co_return co_await rounds_.ask(tenant, std::move(parcel));
}

asio::awaitable<std::vector<Publisher::Answers>> Publisher::deliver(std::vector<Parcel> parcels) {
    std::vector<Answers> answers(parcels.size());
    std::map<store::Bucket, std::vector<std::size_t>> by_bucket;
    for (std::size_t i = 0; i < parcels.size(); ++i) by_bucket[parcels[i].bucket].push_back(i);
    for (const auto& [bucket, places] : by_bucket) {
        std::vector<store::OutsideEvent> events;
        std::vector<std::size_t> owners;
        for (const std::size_t place : places) {
            for (store::OutsideEvent& event : parcels[place].events) {
                events.push_back(std::move(event));
                owners.push_back(place);
            }
        }
        const auto fresh = co_await store_.publish_events(bucket, std::move(events));
        for (std::size_t i = 0; i < owners.size(); ++i) answers[owners[i]].push_back(fresh[i]);
    }
    on_published();
    co_return answers;
}

}  // namespace pawl::api
