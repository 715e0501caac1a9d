/* SPDX-License-Identifier: Apache-2.0 */
/* Codes in the sources of settings, "ExpressPass Algorithm 1 (XP-17, AM-8)", for people who do not know them.
 *
 * AM-n, SC-n, CMB-n and X-n are entries of docs/choices.md; EXP-n, XP-n, SP-n and DT-n are rows of docs/mechanisms.md, beside
 * whose code the paper's section stands anyway. A document links the former and leaves the latter out; a terminal shows neither. */
#ifndef HEDDLE_STUDY_CONFIG_CODES_H
#define HEDDLE_STUDY_CONFIG_CODES_H

/* Returns the text without codes, and without the commas and parentheses that only held codes. The caller frees it. */
char *codes_left_out(const char *text);
/* Returns the text with its codes of choices as links of Markdown to docs/choices.md, for a page beside it. */
char *codes_linked(const char *text);

#endif
