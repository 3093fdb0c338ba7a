# What a build leaves out because something is missing, said at the end of configuring.
set_property(GLOBAL PROPERTY TENURE_LEFT_OUT "")

# tenure_left_out("the unit tests" "cmocka is missing" "libcmocka-dev"): the last are Debian's packages.
function(tenure_left_out what why packages)
  set_property(GLOBAL APPEND PROPERTY TENURE_LEFT_OUT "${what}: ${why} (Debian: ${packages})")
endfunction()

function(tenure_summary)
  get_property(left_out GLOBAL PROPERTY TENURE_LEFT_OUT)
  message(STATUS "tenure ${PROJECT_VERSION}: the command and the libraries are built")
  foreach(line IN LISTS left_out)
    message(STATUS "left out: ${line}")
  endforeach()
  if(NOT left_out)
    message(STATUS "nothing is left out")
  endif()
endfunction()
