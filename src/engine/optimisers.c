/* Pegasos, plain and adaptive gradient steps, and the schedules of their rates. */
#include "engine/optimisers.h"

#include <math.h>

#include "math/elementary/elementary.h"
#include "math/linalg/adam.h"

/* ---- Rates ---- */

static double rate_pegasos(const update_call *call) { return 1.0 / (call->plan->lambda * (double)call->step); }

/* Returns the unit of the array's layer, over that of the map. */
static double unit_of(const update_call *call) {
    const double unit = call->plan->layer_unit[call->layer];
    return unit == 0.0 ? 1.0 : unit;
}

static double rate_of(const update_call *call) {
    const train_plan *plan = call->plan;
    const double rates[] = {plan->head_rate, plan->tensor_rate * unit_of(call), plan->phase_rate, plan->factor_rate};
    return rates[call->kind];
}

static double rate_cosine(const update_call *call) {
    const train_plan *plan = call->plan;
    double sine, cosine;
    const double done = plan->steps == 0 ? 0.0 : (double)(call->step - 1) / (double)plan->steps;
    elementary_sincos_turns(0.5 * (done < 1.0 ? done : 1.0), &sine, &cosine);
    return call->rate_scale * rate_of(call) * 0.5 * (1.0 + cosine);
}

static double for_tensors(const update_call *call, double rate) {
    const double unit = unit_of(call);
    return call->kind == PARAMETER_TENSOR ? call->plan->tensor_rate * unit * unit * rate : rate;
}

static double rate_linear(const update_call *call) {
    const train_plan *plan = call->plan;
    const double left = 1.0 - (double)(call->step - 1) / (double)plan->steps;
    return for_tensors(call, plan->head_rate * call->step_scale * left);
}

static double rate_capped(const update_call *call) {
    return for_tensors(call, fmin(call->plan->head_rate * call->step_scale, rate_pegasos(call)));
}

double update_rate(const update_call *call) {
    static double (*const RATES[])(const update_call *) = {
        [RATE_PEGASOS] = rate_pegasos,
        [RATE_COSINE] = rate_cosine,
        [RATE_LINEAR] = rate_linear,
        [RATE_CAPPED] = rate_capped,
    };
    const rate_id rate = call->plan->rate;
    return rate == RATE_HOST ? call->plan->host_rate(call) : RATES[rate](call);
}

/* ---- Pegasos ---- */

/* Takes a step of algorithm 1 of Shalev-Shwartz, Singer and Srebro (2007), with the radius of the
 * projection corrected to 1 / sqrt(lambda). */

static void pegasos_apply(const update_call *call) {
    const double lambda = call->plan->lambda, radius = 1.0 / sqrt(lambda);
    const float keep = (float)(1.0 - call->rate * lambda), rate = (float)call->rate;
    for (size_t i = 0; i < call->rows * call->columns; i++) {
        call->values[i] = keep * call->values[i] - rate * call->gradient[i];
    }
    for (size_t j = 0; j < call->columns; j++) {
        double squares = 0.0;
        for (size_t i = 0; i < call->rows; i++) {
            squares += (double)call->values[i * call->columns + j] * (double)call->values[i * call->columns + j];
        }
        const double norm = sqrt(squares);
        for (size_t i = 0; norm > radius && i < call->rows; i++) {
            call->values[i * call->columns + j] *= (float)(radius / norm);
        }
    }
}

/* ---- Gradient with penalties ---- */

/* Adds the penalties to the gradient: lambda w for the head, l2 p + l1 sign(p) for tensors, nothing
 * for phases and factors. */
static float penalised(const update_call *call, size_t i, float l1, float l2) {
    const float value = call->values[i], sign = (float)((value > 0.0F) - (value < 0.0F));
    return call->gradient[i] + l2 * value + l1 * sign;
}

static double l2_of(const update_call *call) {
    const double penalties[] = {call->plan->lambda, call->plan->tensor_l2, 0.0, 0.0};
    return penalties[call->kind];
}

static double l1_of(const update_call *call) { return call->kind == PARAMETER_TENSOR ? call->plan->tensor_l1 : 0.0; }

static void sgd_apply(const update_call *call) {
    const float rate = (float)call->rate, l1 = (float)l1_of(call), l2 = (float)l2_of(call);
    for (size_t i = 0; i < call->rows * call->columns; i++) {
        call->values[i] -= rate * penalised(call, i, l1, l2);
    }
}

static void adam_apply(const update_call *call) {
    const double keep =
        call->kind == PARAMETER_TENSOR ? 1.0 - call->rate * (call->plan->tensor_decay / unit_of(call)) : 1.0;
    const adam_step step = adam_prepare(call->step, call->rate, keep, l1_of(call), l2_of(call));
    adam_array(&step, call->rows * call->columns, call->values, call->gradient, call->moments[0], call->moments[1]);
}

/* ---- The table ---- */

const update_ops *update_find(const train_plan *plan, update_id id) {
    static const update_ops UPDATES[] = {
        [UPDATE_PEGASOS] = {.name = "pegasos", .moments = 0, .whole = true, .apply = pegasos_apply},
        [UPDATE_SGD] = {.name = "sgd", .moments = 0, .whole = false, .apply = sgd_apply},
        [UPDATE_ADAM] = {.name = "adam", .moments = 2, .whole = false, .apply = adam_apply},
    };
    return id == UPDATE_NONE ? NULL : id == UPDATE_HOST ? plan->host_update : &UPDATES[id];
}
