/* SPDX-License-Identifier: Apache-2.0 */
/* Files of study/report/web, base/web and third_party/uplot, built into the program by scripts/embed. */
#ifndef HEDDLE_STUDY_REPORT_PAGE_FILES_H
#define HEDDLE_STUDY_REPORT_PAGE_FILES_H

#include <stddef.h>

struct page_file {
    const char *name; /* "app.js" */
    const char *text;
    size_t size;
};

extern const struct page_file page_files[]; /* styles and scripts in the order in which the page includes them */
extern const size_t n_page_files;

#endif
