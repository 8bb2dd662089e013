#pragma once

#include "rehearse/mock.hpp"
#include "steps/code.hpp"

#include <memory>

namespace pawl::app {

// Carries out the steps that only compute: `transform`, and the built-in functions of `code`. For
// rehearsals, on the caller's thread.
class RealSteps {
public:
    RealSteps();
    ~RealSteps();
    RealSteps(const RealSteps&) = delete;
    RealSteps& operator=(const RealSteps&) = delete;

    std::optional<rehearse::Answer> run(const rehearse::Call& call);

private:
    struct Jq;
    steps::CodeRegistry code_;
    std::unique_ptr<Jq> jq_;  // made when first needed
};

}  // namespace pawl::app
