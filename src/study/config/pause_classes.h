/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of ports that a workload fills, and `switch.pause_classes: used`.
 *
 * Thresholds of flow control divide an ingress queue among classes (mech/flowctl/flowctl.h). DeTail keeps room for eight
 * and never says what its runs with one or two priorities do; its figures come out with room for the classes that carry
 * frames (inferred, AM-50). `used` counts these:
 *
 *   the priority of each entry of the workload, or its list of priorities (workload.#.priority, priorities); requests,
 *     responses, handshakes and ACKs have the class of their flow
 *   credits, if a transport has them: the highest class
 *   control frames of a balancer with `control_priority`: the highest class
 *
 * A port with fewer classes puts higher priorities into its last one. Pauses of whole links (802.3x) have one class.
 *
 * The count is a property of the file alone: no flow is generated for it, and all seeds have the same. It takes the place
 * of the word in the effective configuration, so a run's identity and its stored configuration hold the number, and a
 * replay of the run's captures has the run's thresholds. Real frames may have any class, whatever the workload says: a
 * switch, a NIC and a lab keep room for all classes of their ports, and so does a file without a workload.
 */
#ifndef HEDDLE_STUDY_CONFIG_PAUSE_CLASSES_H
#define HEDDLE_STUDY_CONFIG_PAUSE_CLASSES_H

#include "study/config/config.h"

/* Returns how many classes that are paused on their own the workload fills if ports have `classes`; 0 if the file has no
 * workload. */
uint32_t classes_in_use(const struct config *c, uint32_t classes);
/* Puts a number in place of `used`. Does nothing if the file gives a number. */
void pause_classes_count(struct config *c);
/* Makes the number that stands for `used` that of all classes of ports, for real frames. Returns whether it changed. */
bool pause_classes_of_all(struct config *c);

#endif
