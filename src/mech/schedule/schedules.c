#include "mech/schedule/schedule.h"

#define SCHEDULE_ROW(id) &schedule_##id,
static const struct schedule_ops *const table[] = {SCHEDULES(SCHEDULE_ROW)};

const struct schedule_ops *const *schedules(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}
