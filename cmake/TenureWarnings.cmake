# Warnings, for our own targets only; and files of any size where off_t would have 32 bits.
add_library(tn_flags INTERFACE)
target_compile_definitions(tn_flags INTERFACE _FILE_OFFSET_BITS=64 TENURE_BUILDING)
if(WIN32) # Windows 7 and later; printf as in C, and nothing beside the files that a build leaves
  target_compile_definitions(tn_flags INTERFACE _WIN32_WINNT=0x0601 __USE_MINGW_ANSI_STDIO=1)
  add_link_options(-static)
  target_compile_options(tn_flags INTERFACE -Wno-float-conversion) # of its isnan and isinf
endif()
target_compile_options(tn_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -Wswitch-enum)
if(TENURE_WERROR)
  target_compile_options(tn_flags INTERFACE -Werror)
endif()
target_include_directories(tn_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
if(TENURE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(TENURE_SANITIZE OR TENURE_FUZZ)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
