# SPDX-License-Identifier: Apache-2.0
# For edges that need labs: `. "$ROOT/tests/edges/labs.sh"` sets LAB, a name that no other lab has, and removes at the end what
# the edge left. Ends with 80, "skipped", where network namespaces cannot be made.
LAB=e$$
[[ $(id -u) == 0 ]] || { echo "skipped: not root"; exit 80; }
unshare -n true 2>/dev/null || { echo "skipped: no network namespaces"; exit 80; }
for tool in ip ethtool ping; do
    command -v $tool >/dev/null || { echo "skipped: $tool is missing: scripts/install-deps all"; exit 80; }
done

# Writes a fabric of one switch with these hosts, two or more, and an experiment on it: pair FILE HOST HOST...
star() {
    local file=$1 host
    shift
    {
        echo "nodes:" "[{name: s1, tier: leaf}$(printf ', {name: "%s", tier: host}' "$@")]"
        echo "links:" "[$(for host in "$@"; do printf '{a: s1, b: "%s", rate: 100Mbps, delay: 1us}, ' "$host"; done)]"
    } >"$file.fabric"
    printf 'title: a lab\nfabric: {kind: file, path: %s.fabric}\n' "$file" >"$file"
}

# Prints how much there is of labs whose names begin with LAB: namespaces, processes of switches, folders (with the links to them
# in /etc/netns).
left() {
    printf '%d namespaces, %d processes, %d folders\n' \
        "$(find /run/netns -name "heddle-$LAB*" 2>/dev/null | wc -l)" \
        "$(grep -lz "^HEDDLE_LAB_MARK=heddle lab $LAB" /proc/[0-9]*/environ 2>/dev/null | wc -l)" \
        "$(find /run/heddle/labs /etc/netns -maxdepth 1 \( -name "$LAB*" -o -name "heddle-$LAB*" \) 2>/dev/null | wc -l)"
}

# Kills all processes of a namespace of the lab, and waits until they are dead: a signal is on its way for a while.
killed() {
    local pid pids
    pids=$(ip netns pids "heddle-$LAB.$1")
    kill -9 $pids
    for pid in $pids; do
        for _ in $(seq 500); do
            grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$pid/status" || break
            sleep 0.02
        done
    done
}

# Replaces the name of the lab in what is read.
unnamed() { sed "s/$LAB/LAB/g"; }

# Removes all labs and namespaces of this edge, also those of a program that removes less than it should.
clear_up() {
    local space pid
    exec >/dev/null 2>&1
    for space in $(ip netns | grep -o "^heddle-$LAB[^ ]*"); do
        for pid in $(ip netns pids "$space"); do kill -9 "$pid"; done
        ip netns del "$space"
    done
    rm -rf "/run/heddle/labs/$LAB" "/run/heddle/labs/$LAB-b" /etc/netns/heddle-"$LAB"*
}
trap clear_up EXIT
