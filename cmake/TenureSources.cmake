# Source lists. A layer is a folder (or a few); passes, analyses and backends come from their .def
# files, so that adding one is a file and a line.
set_property(GLOBAL PROPERTY TENURE_OBJECTS "")

function(tenure_objects name)
  set(sources)
  foreach(folder IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
    list(APPEND sources ${found})
  endforeach()
  list(SORT sources)
  add_library(tn_${name} OBJECT ${sources})
  target_link_libraries(tn_${name} PRIVATE tn_flags)
  set_property(GLOBAL APPEND PROPERTY TENURE_OBJECTS tn_${name})
endfunction()

# Ids listed as MACRO(id) in a .def file, which becomes a configure dependency.
function(tenure_def_ids out def macro)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${def})
  file(STRINGS ${PROJECT_SOURCE_DIR}/${def} lines REGEX "^${macro}\\([a-z0-9_]+\\)")
  set(ids)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^${macro}\\(([a-z0-9_]+)\\).*" "\\1" id "${line}")
    list(APPEND ids ${id})
  endforeach()
  set(${out} ${ids} PARENT_SCOPE)
endfunction()

# One file an id: <folder>/<id><suffix>.
function(tenure_def_sources target def macro folder suffix)
  tenure_def_ids(ids ${def} ${macro})
  foreach(id IN LISTS ids)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${folder}/${id}${suffix})
  endforeach()
endfunction()

# One folder an id: all of <folder>/<id>/*.c.
function(tenure_def_folders target def macro folder)
  tenure_def_ids(ids ${def} ${macro})
  foreach(id IN LISTS ids)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${id}/*.c)
    target_sources(${target} PRIVATE ${found})
  endforeach()
endfunction()
