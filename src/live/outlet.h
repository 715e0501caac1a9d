/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves the ports of one switch, or what comes in too, as a capture: DIR/NAME.pcapng, an interface per port.
 *
 * Frames are known before they leave. They are held back until the switch's clock has passed their departure, so the
 * file is in the order of time, frames of one instant in the order in which they were handed over: as sim/recorder
 * writes them.
 */
#ifndef HEDDLE_LIVE_OUTLET_H
#define HEDDLE_LIVE_OUTLET_H

#include "fabric/fabric.h"
#include "wire/pcapng.h"

struct outlet;

struct outlet_place {
    const char *dir;          /* made if it is missing (not its parents) */
    const char *command;      /* who writes it: "heddle replay" */
    uint32_t snap_bytes;      /* 0: frames whole */
    const char *const *input; /* files that must not be replaced */
    size_t n_input;
    const char *remedy; /* what to do about a file that it did not write: "name another --out" */
    bool force;         /* a file that `command` did not write may be replaced */
};

/* DIR/NAME.pcapng; the caller frees it. */
char *outlet_path(const struct fabric *f, uint32_t node, const char *dir);

/* Opens the file beside its place (base/output_file.h). NULL after filling *d. */
struct outlet *outlet_open(const struct fabric *f, uint32_t node, const struct outlet_place *place, struct diag *d);
/* The same at a path of its own, and for one port alone, which becomes the capture's only interface; place->dir is not
 * read. */
struct outlet *outlet_open_port(const struct fabric *f, uint32_t node, uint16_t port, const char *path,
                                const struct outlet_place *place, struct diag *d);

/* A frame whose last bit passes a port at `at`. No frame handed over later does before `now`. */
struct outlet_frame {
    time_ps now, at;
    uint16_t port;
    enum capture_direction direction;
    const uint8_t *bytes; /* `captured` of `original`; the outlet takes a copy */
    size_t captured, original;
};
void outlet_put(struct outlet *o, const struct outlet_frame *f);
/* Writes what is held back, puts the file into its place if it is to be kept, and frees o. False after filling *d: it
 * could not be written, and the place is as it was. */
bool outlet_close(struct outlet *o, bool keep, struct diag *d);

#endif
