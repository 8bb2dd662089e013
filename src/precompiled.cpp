// Only here so that CMake has a target to build the precompiled headers for.
