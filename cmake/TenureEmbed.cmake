# Text files that become constants of the library: tenure_embed(target file symbol) makes
# `const char symbol[]`, ended by a NUL, of the file. Run as a script it writes the source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${FROM} bytes HEX)
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
