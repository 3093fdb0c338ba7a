# The Python package (bindings/python), with the library that was built here. Exit code 77: a package is missing.
set(package ${CMAKE_CURRENT_SOURCE_DIR}/python)
set(environment TENURE=$<TARGET_FILE:tenure> TENURE_LIBRARY=$<TARGET_FILE:tenure_shared>
                PYTHONPATH=${PROJECT_SOURCE_DIR}/bindings/python PYTHONDONTWRITEBYTECODE=1 CC=${CMAKE_C_COMPILER})
add_test(NAME python.abi COMMAND ${Python3_EXECUTABLE} -B ${package}/abi.py)
add_test(NAME python.types COMMAND ${Python3_EXECUTABLE} -m mypy --config-file pyproject.toml
                                   --cache-dir ${CMAKE_CURRENT_BINARY_DIR}/mypy
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/python)
add_test(NAME python.package COMMAND ${Python3_EXECUTABLE} ${package}/package_tests.py)
add_test(NAME python.snippets COMMAND ${Python3_EXECUTABLE} ${package}/snippets.py ${PROJECT_SOURCE_DIR}/docs/PYTHON.md
                                      ${PROJECT_SOURCE_DIR}/bindings/python/README.md)
add_test(NAME python.chain COMMAND ${Python3_EXECUTABLE} ${package}/chain.py ${CMAKE_CURRENT_BINARY_DIR}/python_chain)
set_tests_properties(python.abi python.types python.package python.snippets python.chain PROPERTIES
                     TIMEOUT 300 ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77)
set_tests_properties(python.abi python.package python.snippets PROPERTIES LABELS quick)
set_tests_properties(python.types python.chain PROPERTIES LABELS slow)
# The wheel, as others would install it.
add_test(NAME python.wheel COMMAND ${package}/wheel.sh $<TARGET_FILE:tenure> ${Python3_EXECUTABLE}
                                   ${CMAKE_CURRENT_BINARY_DIR}/python_wheel)
set_tests_properties(python.wheel PROPERTIES LABELS slow TIMEOUT 900 SKIP_RETURN_CODE 77)
