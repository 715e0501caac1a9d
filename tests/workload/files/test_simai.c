/* SPDX-License-Identifier: Apache-2.0 */
/* Workload files of SimAI: what a step sends, and what is refused. */
#include "workload/files/simai.h"

#include "workload/carry.h"
#include "workload/specs.h"

#include <stdio.h>

#define STAR8                                                                                                          \
    { .pods = 1, .racks = 1, .hosts = 8, .host_bps = 100 * GBPS }

static struct simai_fields fields = {.path = "s", .channels = 1, .iterations = 1, .algorithm = ALGORITHM_COUNT};

/* Makes the list of an entry with this text over 8 hosts. The caller frees *list. */
static bool made(const char *text, struct flow_list *list, struct diag *d) {
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec = spec_of(&workload_simai, NULL);
    spec.placement = PLACEMENT_PACKED;
    *list = (struct flow_list){0};
    struct generator g = {.spec = &spec, .p = &p, .seed = 1, .list = list, .d = d};
    bool ok = simai_make(&g, &fields, text, strlen(text));
    if (ok) {
        uint32_t *order = calloc(list->n, sizeof *order);
        for (uint32_t i = 0; i < list->n; i++) order[i] = i;
        loops_finish(&g, order);
        free(order);
    }
    loops_fini(&g.loops);
    free(g.next_port);
    population_free(&p);
    return ok;
}

static struct flow_list step(const char *text) {
    struct flow_list l;
    struct diag d = {0};
    char line[700];
    if (!made(text, &l, &d)) fail_msg("%s", diag_line(&d, line, sizeof line));
    assert_int_equal(carried_out(&l), l.n);
    return l;
}

#define HEAD                                                                                                           \
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 4 all_gpus: 8 checkpoints: "   \
    "0\n"
#define IDLE "0 NONE 0 "

/* Returns how many messages go `apart` ranks on, and sets *bytes to the size of one. */
static uint32_t messages(const struct flow_list *l, uint32_t apart, uint64_t *bytes) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->flow[i].dst != l->flow[i].src + apart) continue;
        *bytes = l->flow[i].bytes;
        n++;
    }
    return n;
}

/* 8 ranks: tensor groups 0 1, 2 3, ..; data groups 0 2 4 6 and 1 3 5 7; experts 0 2, 4 6, 1 3, 5 7; same experts 0 4, 2 6, .. */
static void groups__of_each_collective(void **state) {
    (void)state;
    uint64_t bytes = 0;
    struct flow_list l = step(HEAD "1\na -1 0 ALLREDUCE 4000 " IDLE IDLE "0\n");
    assert_int_equal(l.n, 16); /* in four groups 2 steps of 2 ranks */
    assert_int_equal(messages(&l, 1, &bytes), 8);
    assert_int_equal(bytes, 2000);
    flow_list_free(&l);
    l = step(HEAD "1\na -1 " IDLE IDLE "0 REDUCESCATTER 4000 0\n");
    assert_int_equal(l.n, 24);
    assert_int_equal(messages(&l, 2, &bytes), 18);
    assert_int_equal(bytes, 1000);
    flow_list_free(&l);
    l = step(HEAD "1\na -1 " IDLE "0 ALLTOALL_EP 4000 " IDLE "0\n");
    assert_int_equal(l.n, 8);
    assert_int_equal(messages(&l, 2, &bytes), 4);
    assert_int_equal(bytes, 2000);
    flow_list_free(&l);
    l = step(HEAD "1\na -1 " IDLE IDLE "0 ALLGATHER_DP_EP 4001 0\n");
    assert_int_equal(l.n, 8);
    assert_int_equal(messages(&l, 4, &bytes), 4);
    assert_int_equal(bytes, 2001); /* rounded up */
    flow_list_free(&l);
}

/* Per rank: three computations of 1, 2 and 3 us, and the update; the last layer first on the way back. */
static void step__computations(void **state) {
    (void)state;
    struct flow_list l = step(HEAD "2\na -1 1000 ALLREDUCE 4000 2000 NONE 0 3000 NONE 0 0\n"
                                   "b -1 0 NONE 0 " IDLE "0 ALLREDUCE 8000 700\n");
    const struct workload_job *job = &l.job[0];
    span_ps sum = 0;
    for (uint32_t g = job->first_gate[0]; g < job->first_gate[1]; g++)
        if (l.gates.gate[g].host == 3) sum += l.gates.gate[g].delay;
    assert_int_equal(sum, 6700 * PS_PER_NS);
    assert_string_equal(job->op, "simai");
    assert_true(job->computes);
    assert_int_equal(job->n_ranks, 8);
    flow_list_free(&l);
}

static void scale_up__is_time(void **state) {
    (void)state;
    fields.scale_up_bps = 1000 * GBPS;
    struct flow_list l = step(HEAD "1\na -1 0 ALLREDUCE 1000000 " IDLE "0 ALLREDUCE 8000 0\n");
    fields.scale_up_bps = -1;
    for (uint32_t i = 0; i < l.n; i++) assert_int_equal((l.flow[i].dst + 8 - l.flow[i].src) % 2, 0);
    span_ps most = 0;
    for (uint32_t g = 0; g < l.gates.n_gates; g++)
        if (l.gates.gate[g].delay > most) most = l.gates.gate[g].delay;
    assert_int_equal(most, 8 * PS_PER_US); /* 2 x 1/2 x 1 MB at 1 Tbps */
    flow_list_free(&l);
}

static void fails(const char *text, const char *expected) {
    struct flow_list l;
    struct diag d = {0};
    char line[700];
    assert_false(made(text, &l, &d));
    assert_string_equal(diag_line(&d, line, sizeof line), expected);
    flow_list_free(&l);
}

static void errors__name_the_place(void **state) {
    (void)state;
    fails("", "s:1:1: error: the file is empty; it begins with HYBRID_TRANSFORMER model_parallel_NPU_group: 8 ep: 1 "
              "pp: 1 all_gpus: 64");
    fails("DATA\n", "s:1:1: error: 'DATA' is no loop that can be carried out; write for example HYBRID_TRANSFORMER "
                    "model_parallel_NPU_group: 8 ep: 1 pp: 1 all_gpus: 64");
    fails("HYBRID_TRANSFORMER pp: 2\n",
          "s:1:24: error: pipeline stages are not in a file of layers; use kind training with pipeline");
    fails("HYBRID_TRANSFORMER checkpoints: 1\n",
          "s:1:33: error: layers that are computed again cannot be carried out; write 0");
    fails("HYBRID_TRANSFORMER tp: 1\n",
          "s:1:20: error: 'tp:' is nothing of a first line; write for example HYBRID_TRANSFORMER "
          "model_parallel_NPU_group: 8 ep: 1 pp: 1 all_gpus: 64");
    fails("HYBRID_TRANSFORMER ep:\n", "s:1:23: error: ep: is missing");
    fails(
        HEAD "x y\n",
        "s:2:1: error: the second line is the number of layers alone; write it between the first line and the layers");
    fails(HEAD "1\n", "s:3:1: error: the file ends after 0 layers; its second line says 1");
    fails(
        HEAD "1\na -1 0 NONE 0\n",
        "s:3:14: error: 5 of 12 columns; write for example layer -1 5000 ALLREDUCE 40000 5000 NONE 0 5000 NONE 0 100");
    fails(HEAD "1\na -1 x NONE 0 " IDLE IDLE "0\n",
          "s:3:6: error: 'x' is not a time in ns; write a whole number, 0 to 1000000000000");
    fails(HEAD "1\na -1 0 ALLREDUCEALLTOALL 8 " IDLE IDLE "0\n",
          "s:3:8: error: 'ALLREDUCEALLTOALL' is no collective that can be carried out; known are NONE, ALLREDUCE, "
          "ALLGATHER, "
          "REDUCESCATTER, ALLTOALL, each also with _EP and _DP_EP");
    fails(HEAD "1\na -1 0 NONE 8 " IDLE IDLE "0\n", "s:3:13: error: NONE exchanges nothing; write 0 bytes");
    fails(HEAD "1\na -1 " IDLE IDLE IDLE "0\nb -1 " IDLE IDLE IDLE "0\n",
          "s:4:1: error: a layer behind the last of 1; correct the second line");
    fails(HEAD "1\na -1 " IDLE IDLE IDLE "0\n",
          "a.yaml:7:5: error: path: no rank sends anything over the fabric; a job has messages");
    fails("HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n1\na -1 " IDLE IDLE "0 ALLREDUCE 8 0\n",
          "a.yaml:7:5: error: path: tensor groups of 3 ranks and expert groups of 1 do not divide 8 ranks; take "
          "another number of ranks");
    fails("HYBRID_TRANSFORMER all_gpus: 16\n1\na -1 " IDLE IDLE "0 ALLREDUCE 8 0\n",
          "a.yaml:7:5: error: ranks: 16, but the fabric has 8 hosts; write at most 8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(groups__of_each_collective),
        UNIT(step__computations),
        UNIT(scale_up__is_time),
        UNIT(errors__name_the_place),
    };
    return RUN_UNITS(tests);
}
