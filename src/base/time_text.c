/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time_text.h"

#include "base/units.h"

#include <stdio.h>

const char *time_text(time_ps time, char *buf) {
    static const struct {
        const char *name;
        int64_t ps;
    } unit[] = {{"ps", 1}, {"ns", PS_PER_NS}, {"us", PS_PER_US}, {"ms", PS_PER_MS}, {"s", PS_PER_S}};
    int64_t rounded = units_rounded(time);
    size_t u = rounded == 0 ? 4 : 0;
    while (u < 4 && rounded >= unit[u + 1].ps) u++;
    int n = snprintf(buf, TIME_TEXT_MAX, "%lld", (long long)(rounded / unit[u].ps));
    int64_t rest = rounded % unit[u].ps;
    if (rest) buf[n++] = '.';
    for (int64_t digit = unit[u].ps / 10; rest; rest %= digit, digit /= 10) buf[n++] = (char)('0' + rest / digit);
    snprintf(buf + n, (size_t)(TIME_TEXT_MAX - n), "%s", unit[u].name);
    return buf;
}
