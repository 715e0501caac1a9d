/* SPDX-License-Identifier: Apache-2.0 */
/* Live fabrics: whatever comes in at their ports, and whatever happens to their links meanwhile, every frame is accounted
 * for and nothing is held at the end (tests/live/mutation_stand.h, which test_mutations drives at random).
 * Input: 1 byte that names the fabric, then the choices of the stand: who is left out, and for each step the time that
 * passes, what happens to links, the port, the template of the frame and its mutations. */
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
