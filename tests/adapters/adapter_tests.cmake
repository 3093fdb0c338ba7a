# Adapters to programs of others (docs/ADAPTERS.md). Their packages come from PyPI into the build folder, at the first run.
# Exit code 77: they cannot be had.
set(adapters ${CMAKE_CURRENT_SOURCE_DIR}/adapters)
set(adapters_at ${CMAKE_CURRENT_BINARY_DIR}/adapters)
add_test(NAME adapters.generated-c COMMAND ${Python3_EXECUTABLE} -B ${adapters}/generated_c_runs.py ${adapters_at})
add_test(NAME adapters.executorch COMMAND ${Python3_EXECUTABLE} -B ${adapters}/executorch_planned.py ${adapters_at})
add_library(heap_peak MODULE ${adapters}/heap_peak.c)
target_link_libraries(heap_peak PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(heap_peak PROPERTIES C_VISIBILITY_PRESET default)
add_test(NAME adapters.onnxruntime COMMAND ${Python3_EXECUTABLE} -B ${adapters}/onnxruntime_bound_runs.py $<TARGET_FILE:heap_peak>
                                           ${adapters_at}/onnxruntime)
set_tests_properties(adapters.generated-c adapters.executorch adapters.onnxruntime PROPERTIES TIMEOUT 6000 SKIP_RETURN_CODE 77
  ENVIRONMENT "TENURE_LIBRARY=$<TARGET_FILE:tenure_shared>;PYTHONPATH=${PROJECT_SOURCE_DIR}/bindings/python;CC=${CMAKE_C_COMPILER}")
set_tests_properties(adapters.generated-c adapters.executorch PROPERTIES LABELS "slow;soak")
set_tests_properties(adapters.onnxruntime PROPERTIES LABELS "slow;release-only")
