# What the library stands on. docs/decisions/0001-dependencies.md says why each is here.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
