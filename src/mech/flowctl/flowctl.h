/* SPDX-License-Identifier: Apache-2.0 */
/* Link-layer flow control: pauses a neighbour before an ingress buffer overflows.
 *
 * none    nothing is paused: frames that do not fit are dropped
 * pause   802.3x: an ingress port that fills up pauses the whole link towards it (DeTail's FC)
 * pfc     802.1Qbb: it pauses the classes that fill it, one by one (DeTail 5.2, 5.4)
 *
 * The parts, each pure:
 *   this file                     the family's table, thresholds, and configurations that are refused
 *   mech/flowctl/ingress_meter.h  the end that fills up: when to pause, to release and to refresh a pause
 *   mech/flowctl/pause_state.h    the end that obeys: which classes must not start a frame now
 *   mech/flowctl/pause_watchdog.h which neighbour it no longer obeys, since it never ends
 *   wire/pause_frame.h            the frames between them
 *
 * Thresholds (DeTail 6.1, equation 1). A pause takes effect
 *
 *     T = T_O + T_P + T_R + T_O + T_P
 *
 * after its decision: a frame (T_O) may just have begun on the way out, the pause frame propagates (T_P), the other end
 * has T_R to react, a frame may have begun there just before that, and its last bit propagates too. The response is
 * what arrives in T: at 1 Gbps with frames of 1530 B, T_P 6.6 us and T_R 1.024 us it is 38.704 us (the paper prints
 * 38.7) or exactly 4,838 B, without rounding. At other rates it is rounded up to a byte.
 *
 *     low   response: a class with fewer drain bytes is released, so that it does not run dry at line rate
 *     high  (buffer - classes x headroom) / classes, rounded down: a class with more drain bytes is paused
 *
 *     headroom                                      of 131,072 B, 8 classes    2 classes      1 class
 *     paper  response                               high 11,546                high 60,698    high 126,234
 *     exact  response + 84 + one largest frame      high  9,932                high 59,084    high 124,620
 *
 * Deviation (AM-4): the paper's headroom leaves out two things. The pause frame itself takes 84 B of time, and the
 * frame that crosses the threshold may lie almost whole above it. With `exact` no sequence of frames overflows the
 * buffer if max_frame_bytes counts at least the largest frame without its preamble (1530 of 1538). Buffers count frames
 * without the 20 B of preamble and gap, so 1530 is enough. It is the largest frame of all figures: 1518 B and 12 of the
 * 20 B, as the paper counts T_O.
 *
 * The number of classes is that of the classes that carry frames (AM-50, inferred). The paper's 11,546 B are for eight.
 * With that threshold flow control makes Figure 5 worse than the baseline; with room for the one class in use the figure
 * comes out. With room for fewer classes than are in use, frames are lost. DeTail's schemes have `exact` and `used`. The
 * schemes that end in -printed have `paper` and 8, also with 802.3x, so that they differ only in what is paused.
 *
 * A software router has already given frames to its device, and nothing overtakes those. A pause waits for as many
 * bytes on the way out, and as many follow it at the other end (DeTail 7.2.2; DT-26). dma_bytes adds twice that to the
 * response: 16,838 B with 6,000.
 *
 * Reaction times (IEEE 802.3, 31B.3.7), in quanta of 512 bit times: 1G 2, 10G 60, 40G 118, 100G 394, 400G 905. A rate
 * between two entries has the value of the higher one, a rate above the last has the last.
 *
 * To add one: a row in FLOWCTLS (flowctls.h) and a .c file that ends in its table.
 */
#ifndef HEDDLE_MECH_FLOWCTL_H
#define HEDDLE_MECH_FLOWCTL_H

#include "base/diag.h"
#include "base/param.h"
#include "wire/pause_frame.h"

struct flowctl_ops {
    const char *name, *paper, *doc;
    const struct param *const *keys; /* "switch.headroom", in struct flowctl_config; ends at NULL; NULL: none */
    const struct need *needed;       /* values of keys unless the experiment sets them; ends at key NULL */
    bool pauses;                     /* ingress ports send pause frames */
    bool by_class;                   /* 802.1Qbb; else 802.3x, which pauses the whole link */
};

const struct flowctl_ops *const *flowctls(size_t *n);
const struct flowctl_ops *flowctl_find(const char *name); /* NULL if unknown */

/* Keys and needs that all kinds of flow control with pauses share. */
extern const struct param *const flowctl_keys[];
extern const struct need flowctl_needed[];
/* "switch.pfc_watchdog.detect", in struct watchdog_config; ends with a row without a name. */
extern const struct param watchdog_keys[];

/* ---- thresholds ---- */

#define FLOWCTL_HEADROOMS(X) X(HEADROOM_PAPER, "paper") X(HEADROOM_EXACT, "exact")
enum flowctl_headroom { FLOWCTL_HEADROOMS(PARAM_ENUM) };

#define FLOWCTL_PAPER_FRAME_BYTES 1530        /* T_O of the paper: 12.24 us at 1 Gbps */
#define FLOWCTL_PAPER_PROPAGATION (6600000LL) /* ps: 1.6 us of copper and 2 x 2.5 us of transceivers */
#define FLOWCTL_TRANSCEIVER_DELAY (2500000LL) /* ps, at each end */
#define FLOWCTL_PAPER_BUFFER_BYTES (131072LL) /* ingress, per port */

struct flowctl_params {
    int64_t rate_bps;
    span_ps propagation;      /* one way, transceivers of both ends included */
    span_ps reaction;         /* flowctl_reaction(rate_bps) unless the experiment sets it */
    uint32_t max_frame_bytes; /* T_O: 1530 in the paper */
    uint32_t dma_bytes;       /* bytes already given to the device, at either end: 0; 6,000 in the paper's Click */
    int64_t buffer_bytes;     /* ingress buffer of the port */
    uint32_t classes;         /* classes that share the buffer: 1 .. 8 */
    enum flowctl_headroom headroom;
};

struct flowctl_thresholds {
    int64_t response_bytes; /* bytes that may arrive in T */
    int64_t high_bytes;     /* more drain bytes than this: pause */
    int64_t low_bytes;      /* fewer than this: release */
};

span_ps flowctl_quantum(int64_t rate_bps);  /* 512 bit times, rounded down */
span_ps flowctl_reaction(int64_t rate_bps); /* T_R */

/* Return the preset for a link of this rate. Below 10 Gbps: the paper's 8 classes in 131,072 B. From there on: 2
 * classes, in classes x (2 x response + 2 largest frames). */
uint32_t flowctl_preset_classes(int64_t rate_bps);
int64_t flowctl_preset_buffer(const struct flowctl_params *p);

/* Computes the thresholds. high_bytes may be below low_bytes, or negative; flowctl_check then refuses it. */
struct flowctl_thresholds flowctl_thresholds_of(const struct flowctl_params *p);

/* Returns false with the reason in d (no file or line, and no remedy) for parameters that cannot work: no class or more than eight; a
 * low threshold over the high one or under 1; a high one above the buffer; more classes than the buffer has headroom
 * for; a link so long that the longest pause does not outlast the refresh margin twice. The thresholds may be computed
 * as above, or set by the experiment. */
bool flowctl_check(const struct flowctl_params *p, const struct flowctl_thresholds *t, struct diag *d);

/* Returns the longest propagation delay at which a pause outlasts the refresh margin twice; negative if none does. */
span_ps flowctl_longest_link(const struct flowctl_params *p);

/* Returns the most bytes that an ingress buffer may have to hold if `classes_in_use` classes send as much as they can:
 * each reaches the high threshold, crosses it with a largest frame, and goes on until the pause takes effect. */
int64_t flowctl_worst_bytes(const struct flowctl_params *p, const struct flowctl_thresholds *t,
                            uint32_t classes_in_use);

/* Returns whether the thresholds and the bytes that may arrive above them exceed the buffer: frames may be lost despite
 * flow control. For a warning; never true with `exact` unless more classes are in use than p->classes. The paper's
 * 11,546 in 131,072 B: true for 8 classes, not for 7. */
bool flowctl_can_overflow(const struct flowctl_params *p, const struct flowctl_thresholds *t, uint32_t classes_in_use);

/* ---- duration of a pause ---- */

/* Returns the longest possible pause, 65,535 quanta: 33.6 ms at 1 Gbps, 0.336 ms at 100 (DT-8). */
span_ps flowctl_duration(int64_t rate_bps);

/* Returns the time after which a pause that must last is refreshed. The margin before it expires is the response time
 * and one largest frame: the refresh may have to wait for a frame on the wire, and a pause frame for it. */
span_ps flowctl_renewal(const struct flowctl_params *p);

/* ---- keys of an experiment ---- */

#define PAUSE_CLASSES_USED                                                                                             \
    255 /* switch.pause_classes: used; study puts a number in its place (config/pause_classes.h) */

#define FLOWCTL_PRESETS(X) X(PAUSE_PRESET_NONE, "none") X(PAUSE_PRESET_BY_RATE, "by-rate")
enum flowctl_preset { FLOWCTL_PRESETS(PARAM_ENUM) };

#define WATCHDOG_ACTIONS(X)                                                                                            \
    X(WATCHDOG_AUTO, "auto") X(WATCHDOG_NONE, "none") X(WATCHDOG_DROP, "drop") X(WATCHDOG_FORWARD, "forward")
enum watchdog_action { WATCHDOG_ACTIONS(PARAM_ENUM) };

/* mech/flowctl/pause_watchdog.h */
struct watchdog_config {
    span_ps detect, restore, poll;
    enum watchdog_action action; /* auto: as none, until heddle switch puts drop in its place */
};

struct flowctl_config {
    const struct flowctl_ops *ops; /* NULL, or one that does not pause: no flow control */
    struct flowctl_params params;  /* rate and propagation are set for each link */
    enum flowctl_preset preset;    /* by-rate: params.buffer_bytes is computed (AM-4) */
    span_ps reaction;              /* 0: by the link's rate */
    span_ps transceiver;           /* transceiver delay at each end of a link (DT-10) */
    int64_t high_bytes, low_bytes; /* 0: computed */
    span_ps storm;                 /* a class paused for that long without a break is a pause storm; 0: not detected */
    struct watchdog_config watchdog;
};

/* Returns whether this flow control sends pause frames. */
static inline bool flowctl_is_on(const struct flowctl_config *s) { return s->ops && s->ops->pauses; }

/* Returns the parameters for a link of this rate and propagation delay. */
static inline struct flowctl_params flowctl_params_at(const struct flowctl_config *s, int64_t rate_bps, span_ps delay) {
    struct flowctl_params p = s->params;
    p.rate_bps = rate_bps;
    p.propagation = delay + 2 * s->transceiver;
    p.reaction = s->reaction ? s->reaction : flowctl_reaction(rate_bps);
    return p;
}

static inline struct flowctl_thresholds flowctl_thresholds_at(const struct flowctl_config *s,
                                                              const struct flowctl_params *p) {
    struct flowctl_thresholds t = flowctl_thresholds_of(p);
    if (s->high_bytes) t.high_bytes = s->high_bytes;
    if (s->low_bytes) t.low_bytes = s->low_bytes;
    return t;
}

static inline span_ps flowctl_reaction_at(const struct flowctl_config *s, int64_t rate_bps) {
    return s->reaction ? s->reaction : flowctl_reaction(rate_bps);
}

#endif
