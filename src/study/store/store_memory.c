/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store_memory.h"

#include "base/memory.h"

#include <sqlite3.h>

static sqlite3_mem_methods system_memory;

static void *block_or_out(void *block, int bytes) {
    if (!block && bytes > 0)
        memory_out("memory ran out: %d bytes wanted for a results store; lower --jobs or raise the limit (ulimit -v)",
                   bytes);
    return block;
}

static void *block_get(int bytes) { return block_or_out(system_memory.xMalloc(bytes), bytes); }
static void *block_resize(void *block, int bytes) { return block_or_out(system_memory.xRealloc(block, bytes), bytes); }

void store_memory_begin(void) {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) != SQLITE_OK) return;
    sqlite3_mem_methods ours = system_memory;
    ours.xMalloc = block_get;
    ours.xRealloc = block_resize;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}
