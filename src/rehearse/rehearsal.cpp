#include "rehearse/rehearsal.hpp"

#include "rehearse/stage.hpp"

namespace pawl::rehearse {

Recording rehearse(const Definition& definition, const Script& script, World& world) {
    Recording recording;
    Stage(definition, script, world, recording).run();
    return recording;
}

}  // namespace pawl::rehearse
