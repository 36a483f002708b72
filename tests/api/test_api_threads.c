/* Threads of a user's own: many predict with one model, several train at once, one stops the
 * training of another. Nothing is shared but what is read (the thread sanitizer looks), and the
 * bits are those of one thread alone. */
#include "api/api_support.h"

#include <pthread.h>
#include <stdatomic.h>

enum { CREW = 16, ROUNDS = 3, FEATURES = 16 };

static sample made;
static cnm_data *labelled;

/* Runs `body` in `count` threads, each with its own piece of `contexts`. */
static void run_crew(size_t count, void *(*body)(void *), void *contexts, size_t size) {
    pthread_t crew[CREW];
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pthread_create(&crew[i], NULL, body, (char *)contexts + i * size), 0);
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pthread_join(crew[i], NULL), 0);
    }
}

/* ---- Sixteen predict ---- */

typedef struct predictor {
    const cnm_model *model;
    size_t threads;
    float scores[ROWS], z[ROWS * FEATURES];
    int32_t classes[ROWS];
    double accuracy;
    const char *bytes;
    cnm_status status;
} predictor;

static cnm_status predict_once(predictor *self) {
    cnm_evaluation *evaluation = NULL;
    const char *key;
    cnm_status status = cnm_predict_scores(self->model, labelled, self->threads, self->scores, NULL);
    status = status == CNM_OK ? cnm_predict_classes(self->model, labelled, self->threads, self->classes, NULL) : status;
    status = status == CNM_OK ? cnm_transform(self->model, labelled, self->threads, self->z, NULL) : status;
    status = status == CNM_OK ? cnm_evaluation_create(&evaluation, self->model, 1, NULL) : status;
    status = status == CNM_OK ? cnm_evaluation_add(evaluation, labelled, self->scores, NULL) : status;
    self->accuracy = status == CNM_OK ? metric_of(evaluation, "accuracy") : -1.0;
    cnm_evaluation_destroy(evaluation);
    (void)cnm_model_describe(self->model, 0, &key, &self->bytes);
    return status;
}

static void *predict(void *context) {
    predictor *self = context;
    for (int i = 0; i < ROUNDS && self->status == CNM_OK; i++) {
        self->status = predict_once(self);
    }
    return NULL;
}

static void sixteen_threads_predict_with_one_model(void **unused) {
    static predictor crew[CREW + 1];
    static const char *const KINDS[][5] = {{"features", "16", NULL},
                                           {"features", "16", "projection", "circulant", NULL},
                                           {"features", "16", "projection", "circulant-diagonal", NULL}};
    (void)unused;
    for (size_t kind = 0; kind < COUNT_OF(KINDS); kind++) {
        cnm_model *model = train_with(labelled, KINDS[kind]);
        memset(crew, 0, sizeof crew);
        for (size_t i = 0; i <= CREW; i++) {
            crew[i].model = model;
            crew[i].threads = i % 3;
        }
        (void)predict(&crew[CREW]);
        run_crew(CREW, predict, crew, sizeof crew[0]);
        for (size_t i = 0; i < CREW; i++) {
            assert_int_equal(crew[i].status, CNM_OK);
            assert_memory_equal(crew[i].scores, crew[CREW].scores, sizeof crew[i].scores);
            assert_memory_equal(crew[i].classes, crew[CREW].classes, sizeof crew[i].classes);
            assert_memory_equal(crew[i].z, crew[CREW].z, sizeof crew[i].z);
            assert_true(crew[i].accuracy == crew[CREW].accuracy);
            assert_string_equal(crew[i].bytes, crew[CREW].bytes);
        }
        cnm_model_destroy(model);
    }
}

/* ---- Several train ---- */

typedef struct trainer {
    const char *const *pairs;
    cnm_model *model;
    cnm_status status;
} trainer;

static const char *const RECIPES[][9] = {
    {"features", "8", "epochs", "30", "threads", "2", NULL},
    {"features", "8", "method", "kernel-approximation", "map-steps", "30", "epochs", "30", NULL},
    {"recipe", "alternating", "iterations", "3", "features", "8", NULL},
    {"method", "linear", "epochs", "30", NULL},
};

static void *train(void *context) {
    trainer *self = context;
    cnm_options *options = NULL;
    self->status = cnm_options_create(&options, NULL);
    for (const char *const *pair = self->pairs; self->status == CNM_OK && *pair != NULL; pair += 2) {
        self->status = cnm_options_set(options, pair[0], pair[1], NULL);
    }
    if (self->status == CNM_OK) {
        self->status = cnm_train(&self->model, labelled, options, NULL, NULL);
    }
    cnm_options_destroy(options);
    return NULL;
}

static void trainings_at_once_give_the_bits_of_trainings_alone(void **unused) {
    (void)unused;
    trainer crew[2 * COUNT_OF(RECIPES)] = {{0}};
    for (size_t i = 0; i < COUNT_OF(crew); i++) {
        crew[i].pairs = RECIPES[i / 2];
    }
    run_crew(COUNT_OF(crew), train, crew, sizeof crew[0]);
    for (size_t i = 0; i < COUNT_OF(crew); i++) {
        float scores[2][ROWS];
        trainer alone = {.pairs = crew[i].pairs};
        assert_int_equal(crew[i].status, CNM_OK);
        (void)train(&alone);
        assert_int_equal(alone.status, CNM_OK);
        assert_int_equal(cnm_predict_scores(alone.model, labelled, 1, scores[0], NULL), CNM_OK);
        assert_int_equal(cnm_predict_scores(crew[i].model, labelled, 1, scores[1], NULL), CNM_OK);
        assert_memory_equal(scores[0], scores[1], sizeof scores[0]);
        cnm_model_destroy(alone.model);
        cnm_model_destroy(crew[i].model);
    }
}

/* ---- One stops another ---- */

typedef struct stopping {
    atomic_bool under_way, stop;
} stopping;

static int on_progress(const cnm_progress *at, void *user) {
    stopping *self = user;
    if (strcmp(at->phase, "fit") == 0) {
        atomic_store(&self->under_way, true);
    }
    return atomic_load(&self->stop);
}

static void *stop_it(void *context) {
    stopping *self = context;
    while (!atomic_load(&self->under_way)) {
    }
    atomic_store(&self->stop, true);
    return NULL;
}

static void another_thread_stops_a_training(void **unused) {
    (void)unused;
    cnm_error error = {0};
    stopping shared;
    atomic_init(&shared.under_way, false);
    atomic_init(&shared.stop, false);
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .progress = on_progress, .user = &shared};
    cnm_options *options =
        options_of((const char *const[]){"features", "8", "epochs", "1000000", "effort", "quick", NULL});
    cnm_model *model = NULL;
    pthread_t other;
    float scores[ROWS];
    assert_int_equal(pthread_create(&other, NULL, stop_it, &shared), 0);
    const cnm_status status = cnm_train(&model, labelled, options, &callbacks, &error);
    assert_int_equal(pthread_join(other, NULL), 0);
    check_ok(status, &error);
    assert_true(cnm_model_stopped(model));
    check_ok(cnm_predict_scores(model, labelled, 1, scores, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(isfinite(scores[i]));
    }
    cnm_model_destroy(model);
    cnm_options_destroy(options);
}

static int prepare(void **unused) {
    (void)unused;
    sample_make(&made);
    labelled = labelled_view(&made);
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    cnm_data_destroy(labelled);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_threads_predict_with_one_model),
        cmocka_unit_test(trainings_at_once_give_the_bits_of_trainings_alone),
        cmocka_unit_test(another_thread_stops_a_training),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
