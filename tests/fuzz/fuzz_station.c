/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds a live fabric any frames while its links fail and come back. Every frame must be accounted for, and at the end
 * no switch may hold any (tests/live/mutation_stand.h, which test_mutations drives at random).
 * Input: 1 byte that chooses the fabric, then the choices of the stand: which switch is left out, and for each step the
 * time that passes, events of links, the port, the template of the frame and its mutations. */
#include "live/mutation_stand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct stand_sum sum;
    if (size == 0) return 0;
    struct choices c = {.data = data + 1, .n = size - 1};
    struct stand *s = stand_new(&stand_scenes[data[0] % STAND_SCENES], &c, 1, &sum);
    while (c.n > 0) stand_step(s);
    stand_end(s);
    return 0;
}
