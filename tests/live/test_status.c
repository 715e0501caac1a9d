/* SPDX-License-Identifier: Apache-2.0 */
/* The status of switches as Prometheus text. */
#include "live/status.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void assert_line(const char *text, const char *line) {
    char whole[200];
    snprintf(whole, sizeof whole, "\n%s\n", line);
    if (!strstr(text, whole)) fail_msg("'%s' is not in\n%s", line, text);
}

static void status_metrics__counts_flags_and_shares(void **state) {
    (void)state;
    json_error_t why;
    json_t *status = json_loads(
        "{\"switches\": [{\"name\": \"tor0\", \"frames\": {\"received\": 12345678901, \"left\": 2, \"consumed\": 3,"
        "  \"made\": 4, \"dropped\": {\"buffer\": 9876543210}, \"refused\": {\"ip_length\": 1}},"
        " \"counters\": {\"pst_hits\": 7654321},"
        " \"ports\": [{\"name\": \"host0\", \"sent_bytes\": 1000000007, \"load\": 0.25, \"up\": true},"
        "  {\"name\": \"agg0\", \"up\": false}]}]}",
        0, &why);
    if (!status) fail_msg("%s", why.text);
    char *text = status_metrics(status);
    assert_line(text, "# TYPE heddle_received_frames_total counter");
    assert_line(text, "heddle_received_frames_total{switch=\"tor0\"} 12345678901"); /* every digit */
    assert_line(text, "heddle_port_sent_bytes_total{switch=\"tor0\",port=\"host0\"} 1000000007");
    assert_line(text, "heddle_port_load_ratio{switch=\"tor0\",port=\"host0\"} 0.25");
    assert_line(text, "heddle_port_up{switch=\"tor0\",port=\"host0\"} 1");
    assert_line(text, "heddle_port_up{switch=\"tor0\",port=\"agg0\"} 0");
    assert_line(text, "heddle_dropped_frames_total{switch=\"tor0\",cause=\"buffer\"} 9876543210");
    assert_line(text, "heddle_refused_frames_total{switch=\"tor0\",reason=\"ip_length\"} 1");
    assert_line(text, "heddle_balancer_events_total{switch=\"tor0\",counter=\"pst_hits\"} 7654321");
    assert_null(strstr(text, "heddle_port_sent_bytes_total{switch=\"tor0\",port=\"agg0\"}")); /* it has no count */
    free(text);
    json_decref(status);
}

/* A name must not end its label, nor the line. */
static void status_metrics__names_are_escaped(void **state) {
    (void)state;
    json_t *status = json_pack("{s:[{s:s, s:{s:i}, s:[{s:s, s:b}]}]}", "switches", "name", "a\"} 1\nb", "frames",
                               "left", 2, "ports", "name", "c\\", "up", 1);
    char *text = status_metrics(status);
    assert_line(text, "heddle_sent_frames_total{switch=\"a\\\"} 1\\nb\"} 2");
    assert_line(text, "heddle_port_up{switch=\"a\\\"} 1\\nb\",port=\"c\\\\\"} 1");
    free(text);
    json_decref(status);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(status_metrics__counts_flags_and_shares),
                                       UNIT(status_metrics__names_are_escaped)};
    return RUN_UNITS(tests);
}
