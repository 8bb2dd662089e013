#pragma once

#include "pawl/workflow.hpp"

#include <utility>

namespace pawl::workers {

// A workflow that is told what it is.
class Described : public Workflow {
public:
    struct About {
        std::string id;
        std::string description;
        std::vector<std::string> required;
    };
    explicit Described(About about) : about_(std::move(about)) {}

    std::string id() const override { return about_.id; }
    std::string version() const override { return "1.0.0"; }
    std::string description() const override { return about_.description; }
    std::vector<std::string> required_fields() const override { return about_.required; }

private:
    About about_;
};

}  // namespace pawl::workers
