# Text files that become constants of the library: tenure_embed(target file symbol) makes
# `const char symbol[]`, ended by a NUL, of the file; tenure_embed_all(target symbol files...) of several, each
# behind a form feed and a line with its name. Run as a script it writes the source.
if(CMAKE_SCRIPT_MODE_FILE)
  set(bytes)
  foreach(file IN LISTS FROM)
    file(READ ${file} hex HEX)
    if(NAMED)
      get_filename_component(name ${file} NAME)
      string(HEX "${name}" name)
      set(hex 0c${name}0a${hex})
    endif()
    string(APPEND bytes ${hex})
  endforeach()
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(WRITE ${TO} "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${bytes}0};\n")
  return()
endif()

set(tenure_embed_script ${CMAKE_CURRENT_LIST_FILE})
function(tenure_embed target file symbol)
  set(made ${PROJECT_BINARY_DIR}/embedded/${symbol}.c)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/embedded)
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/${file} -DTO=${made} -DSYMBOL=${symbol}
            -P ${tenure_embed_script}
    DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${tenure_embed_script} VERBATIM)
  target_sources(${target} PRIVATE ${made})
endfunction()

function(tenure_embed_all target symbol)
  set(made ${PROJECT_BINARY_DIR}/embedded/${symbol}.c)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/embedded)
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} "-DFROM=${ARGN}" -DTO=${made} -DSYMBOL=${symbol} -DNAMED=1 -P ${tenure_embed_script}
    DEPENDS ${ARGN} ${tenure_embed_script} VERBATIM)
  target_sources(${target} PRIVATE ${made})
endfunction()
