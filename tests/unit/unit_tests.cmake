# Unit tests: one cmocka program a file of tests/unit/test_*.c, linked with the static library.
file(GLOB unit CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/unit/test_*.c)
foreach(source IN LISTS unit)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE tn_flags tenure_static PkgConfig::CMOCKA
                                        PkgConfig::JANSSON PkgConfig::PROTOBUF_C)
  add_test(NAME unit.${name} COMMAND ${name})
  set_tests_properties(unit.${name} PROPERTIES LABELS quick)
endforeach()
set_tests_properties(unit.test_oom PROPERTIES LABELS "quick;leaks")
foreach(name test_oom test_limits test_api_ir test_api_cancel test_api_ir_hard test_api_onnx)
  target_compile_definitions(${name} PRIVATE TENURE_SOURCE="${PROJECT_SOURCE_DIR}")
endforeach()

# The tests of packing once more with hashes of few bits and with other hashes: what is pruned or proven
# may not rest on two states having different ones.
get_target_property(pack_sources tn_pack SOURCES)
foreach(name test_pack_search test_pack_graph test_pack_slots)
  foreach(kind weak salted)
    add_executable(${name}_${kind} unit/${name}.c ${PROJECT_SOURCE_DIR}/ir/base/map.c ${pack_sources})
    target_link_libraries(${name}_${kind} PRIVATE tn_flags tenure_static PkgConfig::CMOCKA PkgConfig::XXHASH)
    add_test(NAME unit.${name}.${kind} COMMAND ${name}_${kind})
    set_tests_properties(unit.${name}.${kind} PROPERTIES LABELS quick)
  endforeach()
  target_compile_definitions(${name}_weak PRIVATE TN_HASH_BITS=1)
  target_compile_definitions(${name}_salted PRIVATE TN_HASH_SALT=UINT64_C\(0x5bd1e9955bd1e995\))
endforeach()

# The tests of orders once more with hashes of three bits and with other hashes: no proof may rest on two
# sets of ops having different ones.
foreach(kind weak salted)
  add_executable(test_sched_${kind} unit/test_sched.c ${PROJECT_SOURCE_DIR}/ir/base/map.c)
  target_link_libraries(test_sched_${kind} PRIVATE tn_flags tenure_static PkgConfig::CMOCKA PkgConfig::XXHASH)
  add_test(NAME unit.test_sched.${kind} COMMAND test_sched_${kind})
  set_tests_properties(unit.test_sched.${kind} PROPERTIES LABELS quick)
endforeach()
target_compile_definitions(test_sched_weak PRIVATE TN_HASH_BITS=3)
target_compile_definitions(test_sched_salted PRIVATE TN_HASH_SALT=UINT64_C\(0x5bd1e9955bd1e995\))

# The planner's sources that keep rules, built so that rules can be broken; the rest of the library
# comes from the archive, which gives up the members that are defined here already.
set(keepers)
foreach(group tn_passes tn_lib)
  get_target_property(sources ${group} SOURCES)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} keeps REGEX "TN_KEEP\\(" LIMIT_COUNT 1)
    if(keeps)
      list(APPEND keepers ${source})
    endif()
  endforeach()
endforeach()
add_executable(broken_rules rules/broken.c ${keepers})
target_compile_definitions(broken_rules PRIVATE TENURE_BREAK)
target_link_libraries(broken_rules PRIVATE tn_flags tenure_static PkgConfig::CMOCKA)
add_test(NAME rules.broken COMMAND broken_rules)
set_tests_properties(rules.broken PROPERTIES LABELS quick)
