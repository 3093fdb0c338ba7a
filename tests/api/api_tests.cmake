# The public headers as programs use them; included by ../CMakeLists.txt.
set(api ${CMAKE_CURRENT_SOURCE_DIR}/api)

# Programs that see the public headers and nothing else.
function(tenure_api_program name)
  file(GLOB sources CONFIGURE_DEPENDS ${api}/${name}.c ${api}/${name}_*.c)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE tn_flags tenure_static)
endfunction()

add_test(NAME api.headers COMMAND ${api}/headers.sh ${CMAKE_C_COMPILER})
set_tests_properties(api.headers PROPERTIES LABELS quick)

# Plans read by the interface beside their JSON.
if(Python3_FOUND)
  tenure_api_program(plan_dump)
  file(GLOB models ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/*.onnx
                   ${CMAKE_CURRENT_SOURCE_DIR}/text/plan/Inputs/*.tir
                   ${CMAKE_CURRENT_SOURCE_DIR}/text/backends/Inputs/*.tir
                   ${CMAKE_CURRENT_SOURCE_DIR}/text/data/Inputs/*.tir)
  foreach(name ds_cnn gpt_decoder lstm train_cnn unet_small)
    list(APPEND models ${PROJECT_SOURCE_DIR}/examples/models/${name}.onnx)
  endforeach()
  add_test(NAME api.plan-read COMMAND ${Python3_EXECUTABLE} -B ${api}/plan_read.py $<TARGET_FILE:plan_dump>
                                      ${CMAKE_CURRENT_BINARY_DIR}/plan_read ${models})
  set(inputs ${CMAKE_CURRENT_SOURCE_DIR}/text)
  add_test(NAME api.plan-read-open COMMAND ${Python3_EXECUTABLE} -B ${api}/plan_read.py $<TARGET_FILE:plan_dump>
           ${CMAKE_CURRENT_BINARY_DIR}/plan_read_open ${inputs}/data/Inputs/open.tir ${inputs}/open/Inputs/chain.tir
           ${inputs}/open/Inputs/empty.tir ${inputs}/open/Inputs/windows.tir -- open=true)
  add_test(NAME api.called COMMAND ${Python3_EXECUTABLE} -B ${api}/called.py)
  set_tests_properties(api.plan-read api.plan-read-open api.called PROPERTIES LABELS quick)
endif()

# The binary interface beside its description. It is read from what gcc says of the types, so that there is one.
find_program(TENURE_ABIDIFF abidiff)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT TENURE_SANITIZE AND TENURE_ABIDIFF)
  add_test(NAME api.abi COMMAND ${api}/abi.sh $<TARGET_FILE:tenure_shared>)
  set_tests_properties(api.abi PROPERTIES LABELS quick)
elseif(NOT TENURE_ABIDIFF)
  tenure_left_out("the test of the binary interface" "abidiff is missing" abigail-tools)
endif()

# A program written from the headers alone, and the example.
tenure_api_program(interpreter)
add_test(NAME api.interpreter COMMAND interpreter)
add_executable(converter ${PROJECT_SOURCE_DIR}/examples/converter/converter.c)
target_link_libraries(converter PRIVATE tn_flags tenure_static)
add_test(NAME api.converter COMMAND ${api}/converter.sh $<TARGET_FILE:converter> ${CMAKE_C_COMPILER})
set_tests_properties(api.interpreter api.converter PROPERTIES LABELS quick)

# The example plug-in, and wrong ones.
if(UNIX)
  add_test(NAME api.plugins COMMAND ${api}/plugin.sh $<TARGET_FILE:tenure> ${CMAKE_C_COMPILER}
                                    -I${PROJECT_SOURCE_DIR}/include)
  set_tests_properties(api.plugins PROPERTIES LABELS quick)
endif()

# Loaded models, changed and planned.
tenure_api_program(fuse)
set(models)
foreach(name ds_cnn squeezenet1_1 train_cnn unet_small)
  list(APPEND models ${PROJECT_SOURCE_DIR}/examples/models/${name}.onnx)
endforeach()
add_test(NAME api.fuse COMMAND fuse ${models})
set_tests_properties(api.fuse PROPERTIES LABELS quick)

# Two threads with a context each; once more with everything built for ThreadSanitizer.
find_package(Threads QUIET)
if(Threads_FOUND)
  set(model ${PROJECT_SOURCE_DIR}/examples/models/ds_cnn.onnx)
  tenure_api_program(threads)
  target_link_libraries(threads PRIVATE Threads::Threads)
  add_test(NAME api.threads COMMAND threads ${model})
  set_tests_properties(api.threads PROPERTIES LABELS quick)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT TENURE_SANITIZE)
    add_test(NAME api.races COMMAND ${api}/races.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/races ${model})
    set(environment CC=${CMAKE_C_COMPILER})
    if(CMAKE_C_COMPILER_LAUNCHER)
      list(APPEND environment CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER})
    endif()
    set_tests_properties(api.races PROPERTIES LABELS slow TIMEOUT 1500 ENVIRONMENT "${environment}")
  endif()
endif()
