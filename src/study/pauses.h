/* What a run says of flow control that went wrong: storms, and ports that wait for each other. */
#ifndef HEDDLE_STUDY_PAUSES_H
#define HEDDLE_STUDY_PAUSES_H

#include "study/outcome.h"

/* A line for each: "FILE: warning: run 3: ..."; none where there is nothing. */
void pauses_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out);

#endif
