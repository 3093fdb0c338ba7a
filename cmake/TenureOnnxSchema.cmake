# protobuf-c code for the ONNX schema, generated while building from the .proto that a package carries:
# Debian's libonnx-dev, or a newer one named by TENURE_ONNX_PROTO. Nothing of it is kept here. A bundle has it made.
if(TENURE_BUNDLE)
  set(schema_dir ${bundle}/onnx)
else()
  find_program(PROTOC_C protoc-c REQUIRED)
  find_file(TENURE_ONNX_PROTO onnx.proto PATH_SUFFIXES onnx REQUIRED
            DOC "ONNX schema (proto2) to generate from")
  set(schema_dir ${PROJECT_BINARY_DIR}/schema)
  set(schema_copy ${schema_dir}/onnx.proto)
  file(MAKE_DIRECTORY ${schema_dir})
  configure_file(${TENURE_ONNX_PROTO} ${schema_copy} COPYONLY)
  add_custom_command(
    OUTPUT ${schema_dir}/onnx.pb-c.c ${schema_dir}/onnx.pb-c.h
    COMMAND ${PROTOC_C} --proto_path=${schema_dir} --c_out=${schema_dir} ${schema_copy}
    DEPENDS ${schema_copy} VERBATIM)
endif()
add_library(tn_onnx_schema OBJECT ${schema_dir}/onnx.pb-c.c)
target_include_directories(tn_onnx_schema SYSTEM PUBLIC ${schema_dir})
target_link_libraries(tn_onnx_schema PUBLIC PkgConfig::PROTOBUF_C)
target_include_directories(tn_frontends SYSTEM PRIVATE ${schema_dir})
add_dependencies(tn_frontends tn_onnx_schema)
set_property(GLOBAL APPEND PROPERTY TENURE_OBJECTS tn_onnx_schema)
