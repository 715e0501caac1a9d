/* SPDX-License-Identifier: Apache-2.0 */
/* In which form a store keeps the flows of a run: for the store, and for the forecast of its size. */
#ifndef HEDDLE_STUDY_CONFIG_STORED_FLOWS_H
#define HEDDLE_STUDY_CONFIG_STORED_FLOWS_H

/* Flows of a run that are rows of the store, at most; more are packed (study/store/packed_flows.h). */
#define STORE_FLOWS_AS_ROWS 250000

#endif
