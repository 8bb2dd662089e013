#pragma once

#include "sim/shell.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pawl::sim {

// One seed: a chaos phase, in which anything may fail and everything is checked after every action,
// and a healing phase without faults, in which every run must come to its end.
class Simulation {
public:
    explicit Simulation(std::uint64_t seed, Broken broken = Broken::nothing);

    void run();  // throws Violation
    const World& world() const { return world_; }

private:
    struct Place {
        std::unique_ptr<Shell> shell;  // null: the process is down
        std::uint64_t lives = 0;
        Duration restart_at{};
    };
    void chaos_phase();
    void heal_phase();

    void act();
    bool progress();
    void travel(std::size_t index);
    void apply(Call& call);
    void deliver(Call call);
    void finish_execution(std::size_t index);
    bool advance();

    void disturb();
    void start_run();
    void cancel_run();
    void send_signal();
    void resume_all();
    void jump_clock();
    void declare_dead();
    void crash(std::size_t worker);
    void restart_due();
    void check();
    Shell* shell_at(Address address);

    World world_;
    std::vector<Place> places_;
    std::size_t started_ = 0;
    std::vector<RunId> paused_;
};

// Empty when the seed passes, else the story of its failure.
std::string run_seed(std::uint64_t seed, Tally& tally, Broken broken = Broken::nothing);

}  // namespace pawl::sim
