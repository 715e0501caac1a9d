/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_outstanding.h"

/* A place in the list: a page, and an index in it. */
struct place {
    struct credit_page *page;
    uint32_t at;
};

static uint32_t page_room(const struct cell_pool *cells) {
    return (uint32_t)((cells->cell_bytes - sizeof(struct credit_page)) / sizeof(struct credit_sent));
}

static struct credit_sent *sent_at(struct place p) { return &p.page->sent[p.at]; }

static struct place place_first(const struct credit_outstanding *o) { return (struct place){o->first, o->from}; }

static bool place_is_end(const struct credit_outstanding *o, struct place p) {
    return !p.page || (p.page == o->last && p.at == o->to);
}

static struct place place_next(const struct cell_pool *cells, struct place p) {
    if (p.at + 1 < page_room(cells)) return (struct place){p.page, p.at + 1};
    return (struct place){p.page->next, 0};
}

/* Returns the place of a number; the end if it is not in the list. */
static struct place place_of(const struct credit_outstanding *o, const struct cell_pool *cells, uint32_t number) {
    struct place p = place_first(o);
    while (!place_is_end(o, p) && (int32_t)(sent_at(p)->number - number) < 0) p = place_next(cells, p);
    return place_is_end(o, p) || sent_at(p)->number == number ? p : (struct place){NULL, 0};
}

static void take_out(struct credit_outstanding *o, struct credit_sent *c) {
    if (c->gone) return;
    c->gone = true;
    o->n--;
}

/* Gives back the oldest page. */
static void drop_page(struct credit_outstanding *o, struct cell_pool *cells) {
    struct credit_page *page = o->first;
    o->first = page->next;
    o->from = 0;
    cell_put(cells, page);
}

/* Moves the begin of the list to the oldest credit in the set. Of an empty list one page stays. */
static void trim(struct credit_outstanding *o, struct cell_pool *cells) {
    while (o->n > 0 && o->first->sent[o->from].gone)
        if (++o->from == page_room(cells)) drop_page(o, cells);
    if (o->n > 0) return;
    while (o->first != o->last) drop_page(o, cells);
    o->from = o->to = 0;
}

static void add_page(struct credit_outstanding *o, struct cell_pool *cells) {
    struct credit_page *page = cell_get(cells);
    if (o->last)
        o->last->next = page;
    else
        o->first = page;
    o->last = page;
    o->to = 0;
}

void credit_outstanding_add(struct credit_outstanding *o, struct cell_pool *cells, time_ps at, uint32_t number,
                            uint16_t path) {
    if (!o->last || o->to == page_room(cells)) add_page(o, cells);
    o->last->sent[o->to++] = (struct credit_sent){.at = at, .number = number, .path = path};
    o->n++;
}

void credit_outstanding_answer(struct credit_outstanding *o, struct cell_pool *cells, uint32_t number) {
    struct place answered = place_of(o, cells, number);
    if (o->n == 0 || place_is_end(o, answered) || sent_at(answered)->gone) return;
    uint16_t path = sent_at(answered)->path;
    for (struct place p = place_first(o); sent_at(p) != sent_at(answered); p = place_next(cells, p))
        if (sent_at(p)->path == path) take_out(o, sent_at(p));
    take_out(o, sent_at(answered));
    trim(o, cells);
}

void credit_outstanding_expire(struct credit_outstanding *o, struct cell_pool *cells, time_ps at) {
    while (credit_outstanding_oldest(o) <= at) {
        take_out(o, sent_at(place_first(o)));
        trim(o, cells);
    }
}

void credit_outstanding_clear(struct credit_outstanding *o, struct cell_pool *cells) {
    while (o->first) drop_page(o, cells);
    *o = (struct credit_outstanding){0};
}
