/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a setting acts: whether another value of it could change the result of its run.
 *
 * A setting of the effective configuration acts if
 *   its needs hold: a mark threshold has no effect without an ECN-capable transport. Needs stand in the rows of
 *   parameters (base/param.h), and in acts.c for keys that are no parameters;
 *   on real frames, the lab has it: the kernel's TCP takes no receive window from the file;
 *   it is not merely a default of keys that are all given: fabric.rate has no effect if every tier has its own rate.
 * A setting that does not act is a warning (study/experiment/effect.h), a comment of the printed configuration, and no
 * part of a run's identity.
 */
#ifndef HEDDLE_STUDY_CONFIG_ACTS_H
#define HEDDLE_STUDY_CONFIG_ACTS_H

#include "study/config/config.h"

#define LACKS_MAX 256

/* Returns the reason why a setting of the configuration does not act, written into `why`; NULL if it may act. */
const char *setting_lacks(const struct config *c, const struct setting *s, char *why, size_t size);
/* True if a file gives the setting although its row refuses that here (`refuse`, base/param.h). */
bool setting_is_refused(const struct config *c, const struct setting *s);
/* True if `path` fits the pattern. Both must have as many parts, so a * stands for one part. */
bool path_is_meant(const char *pattern, const char *path);

#endif
