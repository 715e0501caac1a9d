/* SPDX-License-Identifier: Apache-2.0 */
/* Records the departures of one switch, or its arrivals too, as a capture: DIR/NAME.pcapng, an interface per port.
 *
 * Frames are known before they leave. They are held back until the switch's clock has passed their departure, so the
 * file is in the order of time, and frames of one instant in the order in which they were handed over, as in
 * sim/recorder.
 */
#ifndef HEDDLE_LIVE_OUTLET_H
#define HEDDLE_LIVE_OUTLET_H

#include "fabric/fabric.h"
#include "wire/pcapng.h"

struct outlet;

struct outlet_place {
    const char *dir;          /* made if it is missing, without its parents */
    const char *command;      /* the writing program: "heddle replay" */
    enum pcapng_unit unit;    /* unit of the stamps */
    uint32_t snap_bytes;      /* 0: whole frames */
    const char *const *input; /* input files, which must not be replaced */
    size_t n_input;
    const char *remedy; /* remedy in the error about a file of other origin: "name another --out" */
    bool force;         /* may replace a file that `command` did not write */
};

/* Returns DIR/NAME.pcapng. The caller frees it. */
char *outlet_path(const struct fabric *f, uint32_t node, const char *dir);

/* Opens a temporary file beside the final path (base/output_file.h). Returns NULL after filling *d. */
struct outlet *outlet_open(const struct fabric *f, uint32_t node, const struct outlet_place *place, struct diag *d);
/* Opens a capture at `path` for one port alone, which becomes the only interface. place->dir is not read. */
struct outlet *outlet_open_port(const struct fabric *f, uint32_t node, uint16_t port, const char *path,
                                const struct outlet_place *place, struct diag *d);

/* A frame whose last bit passes a port at `at`. No frame handed over later passes before `now`. */
struct outlet_frame {
    time_ps now, at;
    uint16_t port;
    enum capture_direction direction;
    const uint8_t *bytes; /* `captured` of `original` bytes; the outlet copies them */
    size_t captured, original;
};
void outlet_put(struct outlet *o, const struct outlet_frame *f);
/* Writes the frames held back, moves the file to its path if `keep` is set, and frees o. Returns false after filling
 * *d: the file could not be written, and the path is unchanged. */
bool outlet_close(struct outlet *o, bool keep, struct diag *d);

#endif
