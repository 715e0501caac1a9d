/* SPDX-License-Identifier: Apache-2.0 */
/* The `table` block of an experiment in a store. */
#ifndef HEDDLE_STUDY_STORE_STORE_TABLE_H
#define HEDDLE_STUDY_STORE_STORE_TABLE_H

#include "study/experiment/table_wish.h"
#include "study/store/store_reader.h"

/* Fills *w with the stored block; no wish if there is none, as in older stores. table_wish_free frees what *w holds. */
void store_table_wish(const struct store_reader *r, size_t experiment, struct table_wish *w);

#endif
