/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that --out gives: the ending must be that of what the command writes, which looks at no ending. A page in
 * `out.pdf` or a results store in `out.csv` would be opened by the wrong program.
 */
#ifndef HEDDLE_CMD_OUT_NAME_H
#define HEDDLE_CMD_OUT_NAME_H

#include "base/diag.h"

/* Returns true if a page may have this name: it ends in .html or .htm. False after filling *d. NULL is a name of the
 * program's own choice. */
bool out_name_is_page(const char *name, struct diag *d);
/* Returns true if a results store may have this name: any but one that ends as a file of another kind does. False after
 * filling *d. NULL as above. */
bool out_name_is_store(const char *name, struct diag *d);

#endif
