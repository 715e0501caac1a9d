# SPDX-License-Identifier: Apache-2.0
# bench/peers/ns2_flows.tcl: ExpressPass flows in the ns-2 of its authors, for bench/peers/ns2, which writes the scenario.
#
#     ns ns2_flows.tcl SCENARIO
#
# A scenario has a line for each thing, in SI units:
#     set CLASS VARIABLE VALUE       a default of ns-2's classes: `set Agent/XPass alpha_ 0.5`
#     nodes N                        nodes 0 to N - 1
#     link A B BPS DELAY             a link in both directions, with a credit queue at each end
#     credit-limit A B BYTES         another limit of the credit queue at A towards B
#     flow SRC DST START BYTES       numbered by their lines
#     watch A B LAG                  counts what leaves A towards B, and reads the count LAG before the time that it is printed for
#     sample FROM PERIOD UNTIL       when the counts are read
#     shake PACKETS                  a flow on a fabric of its own: see below
#
# Output: `at TIME BYTES...` for each sample, the bytes of each `watch` since the start; at the end `wall SECONDS`.
#
# The agents draw credit sizes and jitter from C's rand(), which no command of ns seeds. `shake` adds two hosts apart from the others;
# the flow between them takes draws away from the others', so that each seed sees other numbers.

set credit_share [expr 84.0 / 1622.0]
set ns [new Simulator]
set n_flows 0
set watches {}

# Sets a default. An object of the class must have the variable: ns-2 takes any name and ignores those it does not know.
proc set_default {class variable value} {
    $class set $variable $value
    if {[catch {[new $class] set $variable}]} {
        puts stderr "this ns has no $variable in $class"
        exit 2
    }
}

# Returns the rate of a limiter or of an agent's credits at full rate, in bytes a second.
proc credit_rate {bps} {
    global credit_share
    return [expr $bps / 8.0 * $credit_share]
}

proc add_link {a b bps delay} {
    global ns node rate_of
    $ns duplex-link $node($a) $node($b) $bps $delay XPassDropTail
    foreach {from to} [list $a $b $b $a] {
        [[$ns link $node($from) $node($to)] queue] set token_refresh_rate_ [credit_rate $bps]
        set rate_of($from) $bps
    }
}

proc add_agent {host fid bps} {
    global ns node
    set agent [new Agent/XPass]
    $agent set fid_ $fid
    $agent set max_credit_rate_ [expr int([credit_rate $bps])]
    $ns attach-agent $node($host) $agent
    return $agent
}

proc add_flow {src dst start bytes} {
    global ns n_flows rate_of
    set sender [add_agent $src $n_flows $rate_of($src)]
    set receiver [add_agent $dst $n_flows $rate_of($dst)]
    $ns connect $sender $receiver
    $ns at $start "$sender advance-bytes $bytes"
    incr n_flows
}

proc add_watch {a b lag} {
    global ns node watches
    lappend watches [$ns monitor-queue $node($a) $node($b) ""] $lag
}

# Reads the count of watch I for the K-th sample; the sample is printed with its last count.
proc read_count {k i} {
    global counts watches
    set counts($k,$i) [[lindex $watches [expr 2 * $i]] set bdepartures_]
}

proc print_sample {k at} {
    global counts watches
    set line "at $at"
    for {set i 0} {$i < [llength $watches] / 2} {incr i} {
        append line " $counts($k,$i)"
        unset counts($k,$i)
    }
    puts $line
}

proc add_samples {from period until} {
    global ns watches
    set n [expr int(round(($until - $from) / $period))]
    for {set k 0} {$k <= $n} {incr k} {
        set at [format %.9f [expr $from + $k * $period]]
        set i 0
        foreach {monitor lag} $watches {
            $ns at [expr $at > $lag ? $at - $lag : 0] "read_count $k $i"
            incr i
        }
        $ns at $at "print_sample $k $at"
    }
    $ns at [expr $until + 1e-9] finish
}

proc add_shake {packets} {
    global ns node
    foreach host {shake0 shake1} {
        set node($host) [$ns node]
    }
    add_link shake0 shake1 1e10 1e-6
    add_flow shake0 shake1 0 [expr $packets * 1460]
}

proc finish {} {
    global began
    puts "wall [expr ([clock microseconds] - $began) / 1e6]"
    exit 0
}

if {$argc != 1} {
    puts stderr "usage: ns ns2_flows.tcl SCENARIO"
    exit 2
}
set file [open [lindex $argv 0]]
while {[gets $file line] >= 0} {
    set rest [lrange $line 1 end]
    switch -- [lindex $line 0] {
        set { eval set_default $rest }
        nodes { for {set i 0} {$i < [lindex $rest 0]} {incr i} { set node($i) [$ns node] } }
        link { eval add_link $rest }
        credit-limit { [[$ns link $node([lindex $rest 0]) $node([lindex $rest 1])] queue] set credit_limit_ [lindex $rest 2] }
        flow { eval add_flow $rest }
        watch { eval add_watch $rest }
        sample { eval add_samples $rest }
        shake { eval add_shake $rest }
        default { puts stderr "unknown line of a scenario: $line"; exit 2 }
    }
}
close $file
set began [clock microseconds]
$ns run
