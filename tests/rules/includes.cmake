# Which file may include which. The first rule that matches a file decides; a file without a rule may include anything.
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

set(C_TYPES "<(stdbool|stddef|stdint)\\.h>")
set(LIBC "<(stdbool|stddef|stdint|stdlib|string|math|float|limits|assert|errno|time|stdatomic)\\.h>")
set(THREADS "<(fcntl|pthread|sched|signal|unistd)\\.h>")
set(TEXT "<stdio\\.h>") # snprintf for names of devices; that nothing prints is checked in words.cmake
set(VECTORS "<(emmintrin|immintrin|arm_neon)\\.h>")
set(BACKEND "\"gpu/(backend|queries|rest/rest|platform/(memory|system|worker_pool))\\.h\"")
set(BULLET "[<\"](bullet/)?(LinearMath|BulletCollision|BulletDynamics|BulletSoftBody)/.*" "[<\"]bt[A-Za-z]*\\.h[>\"]")
set(API "\"(bridge/)?cullet(_queries|_research)?\\.h\"")
set(MESH_API ${API} "\"(bridge/mesh/)?cullet_mesh\\.h\"")

# rule(<files> <may include>...): all are regular expressions for the whole of a path or of what follows #include.
set(RULE_COUNT 0)
function(rule files)
  set(RULE_FILES_${RULE_COUNT} "^(${files})$" PARENT_SCOPE)
  string(REPLACE ";" "|" allowed "${ARGN}")
  set(RULE_ALLOWED_${RULE_COUNT} "^(${allowed})$" PARENT_SCOPE)
  math(EXPR count "${RULE_COUNT} + 1")
  set(RULE_COUNT ${count} PARENT_SCOPE)
endfunction()

rule("bridge/cullet\\.h" ${C_TYPES})
rule("bridge/cullet_(queries|research)\\.h" ${API})
rule("bridge/mesh/cullet_mesh\\.h" ${API})
rule("bridge/mesh/mesh_device\\.c" ${API} "\"bridge/mesh/.*\"" "\"gpu/mesh/meshes\\.h\"" ${BACKEND} ${LIBC} ${TEXT})
rule("bridge/mesh/.*" ${API} "\"bridge/mesh/.*\"" "\"gpu/mesh/meshes\\.h\"" ${BACKEND} ${LIBC})
rule("bridge/(box_compare|proxies|publish|query)\\.[ch]" "\"bridge/[^/]*\"" ${BACKEND} "\"gpu/core/.*\"" ${LIBC})
rule("bridge/backend_switch\\.c" "\"bridge/[^/]*\"" ${BACKEND} ${LIBC} ${TEXT}) # the log's line
rule("bridge/python/.*" ${MESH_API} "\"(binding|world)\\.h\"" ${LIBC} ${THREADS})
rule("bridge/.*" "\"bridge/[^/]*\"" ${BACKEND} ${LIBC})
rule("gpu/core/aabb\\.h" "\"gpu/core/.*\"" "\"bridge/cullet\\.h\"" ${VECTORS}) # the test that everything waits for
rule("gpu/core/.*" "\"gpu/core/.*\"" "\"bridge/cullet(_queries|_research)?\\.h\""
  "<(float|math|std(int|bool|def)|string)\\.h>" ${VECTORS})
rule("gpu/host/.*" ${API} ${BACKEND} "\"gpu/(core|host)/.*\"" ${LIBC} ${TEXT} ${VECTORS})
rule("gpu/cuda/.*" ${API} ${BACKEND} "\"gpu/(core|cuda)/.*\"" ${LIBC} ${TEXT}
  "<(cuda.*|nvtx3/.*|new|tuple|utility)>")
rule("gpu/platform/(posix|quota)\\.c" ${API} "\"gpu/platform/[^/]*\"" ${LIBC} ${THREADS} "<sys/mman\\.h>")
rule("gpu/rest/.*" ${API} "\"gpu/(core/.*|rest/[^/]*|platform/memory\\.h)\"" ${LIBC} ${VECTORS})
rule("gpu/platform/.*" ${API} "\"gpu/platform/[^/]*\"" ${LIBC})
rule("gpu/select\\.c" "\"gpu/(backend|platform/system)\\.h\"" ${TEXT}) # the CPU's name
rule("gpu/mesh/core/.*" ${MESH_API} "\"gpu/(mesh/)?core/.*\"" "<(float|math|std(int|bool|def)|string)\\.h>" ${VECTORS})
rule("gpu/mesh/(host|cuda)/.*\\.[ch]" ${MESH_API} ${BACKEND} "\"gpu/(core|host|mesh/core|mesh/host)/.*\""
  "\"gpu/mesh/meshes\\.h\"" ${LIBC})
rule("gpu/mesh/cuda/.*" ${MESH_API} ${BACKEND} "\"gpu/(core|cuda|mesh/core|mesh/cuda)/.*\""
  "\"gpu/mesh/meshes\\.h\"" ${LIBC} "<new>")
rule("gpu/mesh/.*" ${MESH_API} ${BACKEND} "\"gpu/(mesh/)?core/.*\"" ${LIBC})
rule("gpu/[^/]*" "\"bridge/cullet(_queries|_research)?\\.h\"" "\"gpu/([^/]*|(core|platform)/[^/]*)\"" ${LIBC})
rule("plugin/preload/cullet_module\\.cpp" "\"Cullet[^/]*\\.cpp\"") # all of one
rule("plugin/preload/CulletModuleFile\\.c" "\"Cullet[^/]*\"" "<sys/(mman|stat)\\.h>" "<[a-z]+\\.h>")
rule("plugin/cullet_plugin\\.cpp" "\"(broadphase|pair_cache|recorder)/Cullet[^/]*\\.cpp\"") # all of it
rule("plugin/pair_cache/.*" "\"Cullet[^/]*\"" ${BULLET} "<[a-z_]+>" "<[a-z]+\\.h>") # knows no broadphase
rule("plugin/.*" ${API} "\"(plugin/)?([a-z_]+/)?Cullet[^/]*\"" ${BULLET} "<[a-z_]+>" "<[a-z]+\\.h>")
rule("demos/scenes/.*" ${API} "\"(demos/scenes/)?[^/]*\"" "<.*>")
rule("demos/papers/.*" ${MESH_API} "\"[^/]*\"" "\"demos/.*\"" "\"gpu/(mesh/)?core/.*\"" "<.*>") # steps of baselines
rule("demos/.*" ${MESH_API} "\"(plugin/)?([a-z_]+/)?Cullet[^/]*\"" ${BULLET} "\"[^/]*\"" "\"demos/.*\"" "<.*>")

function(check file include)
  math(EXPR last "${RULE_COUNT} - 1")
  foreach(i RANGE ${last})
    if("${file}" MATCHES "${RULE_FILES_${i}}")
      if(NOT "${include}" MATCHES "${RULE_ALLOWED_${i}}")
        report("${file} may not include ${include}")
        set(PROBLEMS ${PROBLEMS} PARENT_SCOPE)
      endif()
      return()
    endif()
  endforeach()
endfunction()

list_sources(files bridge gpu plugin demos)
foreach(file IN LISTS files)
  match_lines(lines ${file} "(^|\n)[ \t]*#[ \t]*include[ \t]+[<\"][^>\"\n]*[>\"]")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*include[ \t]+" "" include "${line}")
    check("${file}" "${include}")
  endforeach()
endforeach()
finish()
