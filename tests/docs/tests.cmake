# What the documents show is run, page by page; links, widths and headings of all pages are checked.
if(NOT TARGET cnm OR NOT PYTHON3 OR CNM_SANITIZE)
  return()
endif()
set(documents ${PROJECT_SOURCE_DIR}/docs)
file(GLOB pages CONFIGURE_DEPENDS ${documents}/tutorial/*.md ${documents}/how-to/*.md)
foreach(page IN LISTS pages ITEMS ${PROJECT_SOURCE_DIR}/README.md ${documents}/reference/c-api.md)
  get_filename_component(name ${page} NAME_WE)
  add_test(NAME docs_${name} COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/docs/run_snippets.py ${page}
    $<TARGET_FILE:cnm> ${PROJECT_BINARY_DIR})
  set_tests_properties(docs_${name} PROPERTIES LABELS docs)
endforeach()
add_test(NAME docs_pages COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/docs/check_pages.py)
# The chart and the figures of the README are those of the measurements.
add_test(NAME docs_chart COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/bench/chart.py --check)
