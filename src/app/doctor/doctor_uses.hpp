#pragma once

#include "pg/pool.hpp"
#include "store/pg/pg_store.hpp"

namespace pawl::app {

// What looking at the database needs (app/doctor/checks.hpp). Both outlive it.
struct DoctorUses {
    pg::Pool& pool;
    store::PgStore& store;
};

}  // namespace pawl::app
