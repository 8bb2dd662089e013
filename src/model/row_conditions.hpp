#pragma once

#include "base/error.hpp"
#include "model/condition.hpp"

#include <boost/json/value.hpp>

namespace pawl {

// Conditions on the columns of a row that changed, as a trigger has them:
//   {transaction_type: earn, amount: {operator: ">=", value: 100}}
// All must hold. A name may lead into the data of the event by dots: old.tier, changed. There are
// no templates, and not the operators matches, before and after: pawl.conditions_path asks the same
// in the database. The message names the field.
Result<Condition> parse_row_conditions(const boost::json::value& conditions);

// Whether the data of an event meets them. A field that it does not have meets only `not exists`.
bool meets(const Condition& conditions, const boost::json::value& data);

}  // namespace pawl
