# The layer rule. Each folder of src/ is one static library, and what it may include is what it links. scripts/tidy.py
# reads this table and checks the #include lines against it.
#   pawl_layer(<name> USES <layers it may include> LINKS <third-party libraries>)
function(pawl_layer name)
    cmake_parse_arguments(ARG "" "" "USES;LINKS" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS
        ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp ${CMAKE_SOURCE_DIR}/src/${name}/*/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/cli/main\\.cpp$")
    list(TRANSFORM ARG_USES PREPEND pawl_)
    add_library(pawl_${name} STATIC ${sources})
    target_include_directories(pawl_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(pawl_${name} PUBLIC ${ARG_USES} ${ARG_LINKS})
    pawl_precompiled(pawl_${name})
endfunction()

pawl_layer(base LINKS Boost::headers Boost::json fmt::fmt spdlog::spdlog Threads::Threads)
pawl_layer(model USES base LINKS yaml-cpp)
pawl_layer(draw USES base model)
pawl_layer(plan USES base model)
pawl_layer(pg USES base LINKS pawl_boost PostgreSQL::PostgreSQL)
pawl_layer(store USES base model pg)
pawl_layer(http USES base LINKS pawl_boost CURL::libcurl Boost::url)
pawl_layer(steps USES base model http)
pawl_layer(engine USES base model plan store steps http LINKS prometheus-cpp::core)
pawl_layer(api USES base model plan pg store http steps engine LINKS OpenSSL::Crypto)
pawl_layer(host USES base model pg store http steps engine api)
pawl_layer(dev USES base)
pawl_layer(bench USES base model plan pg store http steps engine api host dev)
pawl_layer(cli USES base model draw plan pg store http steps engine api host dev bench LINKS CLI11::CLI11 OpenSSL::Crypto)

# Not for those who use the layer: the headers and macros of these stay in a file or two.
target_link_libraries(pawl_base PRIVATE date::date)
target_link_libraries(pawl_model PRIVATE date::date-tz ${RE2_LIBRARY})

pawl_embed_sql(pawl_store)
pawl_embed_text(api openapi_texts src/api/openapi)
pawl_embed_text(api node_type_texts src/api/node_types)
pawl_embed_text(api page_texts src/api/pages)
