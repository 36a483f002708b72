/* The CPU engine's row: all cores of this machine, the same bits for any number of threads. */
#ifndef CNM_ENGINE_CPU_CPU_ENGINE_H
#define CNM_ENGINE_CPU_CPU_ENGINE_H

#include "engine/engine.h"

extern const engine_ops ENGINE_CPU;

#endif
