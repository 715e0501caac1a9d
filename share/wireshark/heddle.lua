-- SPDX-License-Identifier: Apache-2.0
-- Dissectors of heddle's tags and of its credit header, for Wireshark and tshark:
--
--     tshark -X lua_script:heddle.lua -r leaf0.pcapng -Y 'expeditus.noe == 3'
--
--   expeditus    tag 0x9900: stage, and the loads of a switch's links      src/wire/expeditus_tag.h
--                an Exp-response is a frame of its own, or a SYN-ACK (switch.expeditus.carry)
--   conga        tag 0x9901: CONGA's fields of a frame and its feedback    src/wire/conga_overlay.h
--   core_loads   tag 0x9902: an agg's report to a ToR below it             src/wire/core_loads.h
--   credit       IPv4 protocol 253: credits, and data that uses them       src/wire/credit_header.h
--
-- A tag stands between source MAC and EtherType; what follows it goes to the dissector of that EtherType. What heddle's
-- parser refuses (src/wire/frame_parse.c) is an error of the group "Malformed" with the parser's reason.

local EXPEDITUS_TPID, CONGA_TPID, CORE_LOADS_TPID = 0x9900, 0x9901, 0x9902
local IPV4, MAC_CONTROL = 0x0800, 0x8808
local IPV4_HEADERS_MAX = 80 -- IPv4 without options and the longest TCP header
local UNSEEN_BYTES = 24 -- preamble, FCS and gap: what a frame takes on the wire beside its bytes
local MINIMUM_WIRE_BYTES, CREDIT_SPREAD, CREDIT_PADDING = 84, 20, 6
local ethertypes = DissectorTable.get("ethertype")
local EIGHTHS = "Load of a link in eighths of its capacity"

local function malformed(abbreviation, text)
    return ProtoExpert.new(abbreviation, text, expert.group.MALFORMED, expert.severity.ERROR)
end

local function cut(abbreviation, text)
    return ProtoExpert.new(abbreviation, text or "capture cuts the headers", expert.group.UNDECODED, expert.severity.NOTE)
end

-- ---- what all tags share ----

-- Adds an expert info and returns false if the frame, or what the capture kept of it, has fewer than n bytes left.
local function has_bytes(tvb, n, tree, experts)
    if n > tvb:reported_len() then
        tree:add_proto_expert_info(experts.truncated)
    elseif n > tvb:len() then
        tree:add_proto_expert_info(experts.snapped)
    end
    return n <= tvb:len()
end

-- Notes a tag of `bytes` in the frame. Returns which of our tags came before it, as a string of their TPIDs.
local function note_tag(pinfo, tpid, bytes)
    local before = pinfo.private["heddle.tags"] or ""
    pinfo.private["heddle.tags"] = before .. string.format(" %x", tpid)
    pinfo.private["heddle.tag_bytes"] = tostring(bytes + tonumber(pinfo.private["heddle.tag_bytes"] or 0))
    return before
end

-- Returns what follows at `at` as a buffer of its own. A buffer that a script makes ends where the capture does, and IPv4
-- would take that for its length; so what the capture cut behind the headers is zeros, as heddle's payloads are.
local function rest_of(tvb, at, ether_type, tree, experts)
    if tvb:len() == tvb:reported_len() or ether_type ~= IPV4 or tvb:len() - at < IPV4_HEADERS_MAX then
        return tvb(at):tvb()
    end
    local bytes = tvb(at):bytes()
    bytes:set_size(tvb:reported_len() - at)
    tree:add_proto_expert_info(experts.filled)
    return bytes:tvb("Frame behind its tags, zeros for what was cut")
end

-- Hands what follows a tag to the dissector of the EtherType at `at`.
local function follow(tvb, at, pinfo, tree, root, fields, experts)
    if not has_bytes(tvb, at + 2, tree, experts) then return tvb:len() end
    local ether_type = tvb(at, 2):uint()
    local item = tree:add(fields.ether_type, tvb(at, 2))
    if ether_type == MAC_CONTROL then item:add_proto_expert_info(experts.pause) end
    if tvb:len() == at + 2 then return tvb:len() end
    local rest = rest_of(tvb, at + 2, ether_type, tree, experts)
    if ethertypes:try(ether_type, rest, pinfo, root) == 0 then Dissector.get("data"):call(rest, pinfo, root) end
    return tvb:len()
end

local function tag_experts(name)
    return {
        truncated = malformed(name .. ".truncated", "frame too short for its headers"),
        snapped = cut(name .. ".snapped"),
        order = malformed(name .. ".order", "tag repeated or out of order"),
        pause = malformed(name .. ".pause_tagged", "pause frame: behind a tag"),
        filled = cut(name .. ".filled", "capture cuts the payload: zeros are shown for it"),
    }
end

local function ether_type_field(name)
    return ProtoField.uint16(name .. ".type", "Type", base.HEX, nil, nil, "EtherType of what follows the tag")
end

-- ---- Expeditus ----

local expeditus = Proto("expeditus", "Expeditus Tag")
local stages = {[0] = "Exp-request", [1] = "Exp-response"}
local ex = {
    stage = ProtoField.uint8("expeditus.stage", "Stage", base.DEC, stages, 0x80, "SF: what the tag is part of"),
    noe = ProtoField.uint8("expeditus.noe", "Number of entries", base.DEC, nil, 0x7f, "NoE: how many loads follow"),
    load = ProtoField.uint8("expeditus.load", "Load", base.DEC, nil, nil, EIGHTHS),
    ether_type = ether_type_field("expeditus"),
}
local ex_expert = tag_experts("expeditus")
ex_expert.noe = malformed("expeditus.noe_beyond", "Expeditus tag: NoE beyond the frame")
ex_expert.reserved = malformed("expeditus.reserved", "Expeditus tag: reserved bit set")
ex_expert.padding = malformed("expeditus.padding", "Expeditus tag: padding not zero")
expeditus.fields = {ex.stage, ex.noe, ex.load, ex.ether_type}
expeditus.experts = {ex_expert.truncated, ex_expert.snapped, ex_expert.order, ex_expert.pause, ex_expert.filled,
                     ex_expert.noe, ex_expert.reserved, ex_expert.padding}

-- Adds the entries: two loads a byte, the first in the upper four bits, of which the first must be zero.
local function add_loads(tvb, noe, tree)
    for i = 0, noe - 1 do
        local byte = tvb(1 + math.floor(i / 2), 1)
        local nibble = byte:bitfield(i % 2 * 4, 4)
        local item = tree:add(ex.load, byte, nibble):set_text(string.format("Load %d: %d", i, nibble % 8))
        if nibble >= 8 then item:add_proto_expert_info(ex_expert.reserved) end
    end
    if noe % 2 == 1 and tvb(1 + math.floor(noe / 2), 1):bitfield(4, 4) ~= 0 then
        tree:add_proto_expert_info(ex_expert.padding)
    end
end

function expeditus.dissector(tvb, pinfo, root)
    local tree = root:add(expeditus, tvb())
    if not has_bytes(tvb, 1, tree, ex_expert) then return tvb:len() end
    local noe = tvb(0, 1):bitfield(1, 7)
    local bytes = 1 + math.ceil(noe / 2)
    if note_tag(pinfo, EXPEDITUS_TPID, 2 + bytes) ~= "" then tree:add_proto_expert_info(ex_expert.order) end
    tree:add(ex.stage, tvb(0, 1))
    local item = tree:add(ex.noe, tvb(0, 1))
    tree:append_text(string.format(", %s, %d loads", stages[tvb(0, 1):bitfield(0, 1)], noe))
    if bytes > tvb:reported_len() then
        item:add_proto_expert_info(ex_expert.noe)
        return tvb:len()
    end
    if not has_bytes(tvb, bytes, tree, ex_expert) then return tvb:len() end
    tree:set_len(math.min(bytes + 2, tvb:len()))
    add_loads(tvb, noe, tree)
    return follow(tvb, bytes, pinfo, tree, root, ex, ex_expert)
end

ethertypes:add(EXPEDITUS_TPID, expeditus)

-- ---- tags of two bytes: CONGA, core loads ----

-- Makes the dissector of a tag of which the bits of `zero` must be zero, and which stands behind neither of the two.
local function short_tag(proto, tpid, shown, zero, fields, experts)
    function proto.dissector(tvb, pinfo, root)
        local tree = root:add(proto, tvb())
        local before = note_tag(pinfo, tpid, 4)
        if before:find("9901") or before:find("9902") then tree:add_proto_expert_info(experts.order) end
        if not has_bytes(tvb, 2, tree, experts) then return tvb:len() end
        tree:set_len(math.min(4, tvb:len()))
        for _, field in ipairs(shown) do tree:add(field, tvb(0, 2)) end
        if bit.band(tvb(0, 2):uint(), zero) ~= 0 then tree:add_proto_expert_info(experts.reserved) end
        return follow(tvb, 2, pinfo, tree, root, fields, experts)
    end
    proto.experts = {experts.truncated, experts.snapped, experts.order, experts.pause, experts.filled,
                     experts.reserved}
    ethertypes:add(tpid, proto)
end

local conga = Proto("conga", "CONGA Tag")
local co = {
    lbtag = ProtoField.uint16("conga.lbtag", "LBTag", base.DEC, nil, 0xf000, "Uplink of the source leaf"),
    ce = ProtoField.uint16("conga.ce", "CE", base.DEC, nil, 0x0e00, "Worst load met so far, 0 to 7"),
    fb_lbtag = ProtoField.uint16("conga.fb_lbtag", "FB_LBTag", base.DEC, nil, 0x01e0,
                                 "Feedback: uplink of the leaf that receives this frame"),
    fb_metric = ProtoField.uint16("conga.fb_metric", "FB_Metric", base.DEC, nil, 0x001c,
                                  "Feedback: load of the path of that uplink, 0 to 7"),
    fb_valid = ProtoField.bool("conga.fb_valid", "FB_Valid", 16, nil, 0x0002, "The frame feeds something back"),
    spare = ProtoField.uint16("conga.reserved", "Reserved", base.DEC, nil, 0x0001, "Must be zero"),
    ether_type = ether_type_field("conga"),
}
local co_expert = tag_experts("conga")
co_expert.reserved = malformed("conga.reserved_set", "CONGA tag: reserved bit set")
conga.fields = {co.lbtag, co.ce, co.fb_lbtag, co.fb_metric, co.fb_valid, co.spare, co.ether_type}
short_tag(conga, CONGA_TPID, {co.lbtag, co.ce, co.fb_lbtag, co.fb_metric, co.fb_valid, co.spare}, 0x0001, co, co_expert)

local core_loads = Proto("core_loads", "Report of Core Loads")
local cl = {
    egress = ProtoField.uint16("core_loads.egress", "Egress", base.DEC, nil, 0x7000,
                               "Load in eighths of the agg's least loaded link to a core"),
    ingress = ProtoField.uint16("core_loads.ingress", "Ingress", base.DEC, nil, 0x0700,
                                "Load in eighths of the agg's least loaded link from a core"),
    spare = ProtoField.uint16("core_loads.reserved", "Reserved", base.HEX, nil, 0x88ff, "Must be zero"),
    ether_type = ether_type_field("core_loads"),
}
local cl_expert = tag_experts("core_loads")
cl_expert.reserved = malformed("core_loads.reserved_set", "core-load tag: reserved bit set")
core_loads.fields = {cl.egress, cl.ingress, cl.spare, cl.ether_type}
short_tag(core_loads, CORE_LOADS_TPID, {cl.egress, cl.ingress, cl.spare}, 0x88ff, cl, cl_expert)

-- ---- credits ----

local credit = Proto("credit", "Credit Transport")
local REQUEST, GRANT, DATA, ANSWER = 1, 2, 3, 6
local kinds = {[1] = "REQUEST", [2] = "GRANT", [3] = "DATA", [4] = "STOP", [5] = "DONE", [6] = "ANSWER"}
local cr = {
    src_port = ProtoField.uint16("credit.srcport", "Source port"),
    dst_port = ProtoField.uint16("credit.dstport", "Destination port"),
    dsn = ProtoField.uint32("credit.dsn", "Data sequence", base.DEC, nil, nil,
                            "Segment of the flow: of data its own, of a grant the next one expected"),
    csn = ProtoField.uint32("credit.csn", "Credit sequence", base.DEC, nil, nil,
                            "Number of the credit: of a grant its own, of data that of the credit it used; of a request the segments of the "
                            .. "flow, 0 if it does not tell them"),
    kind = ProtoField.uint8("credit.kind", "Kind", base.DEC, kinds, 0x07),
    spare = ProtoField.bool("credit.flag_reserved", "Reserved", 8, nil, 0x08, "Must be zero"),
    last = ProtoField.bool("credit.last", "Last", 8, nil, 0x10, "Data: nothing follows that was not sent before"),
    marked = ProtoField.bool("credit.marked", "Marked", 8, nil, 0x20, "Data: the credit it used was marked"),
    unscheduled = ProtoField.bool("credit.unscheduled", "Unscheduled", 8, nil, 0x40, "Data sent without a credit"),
    void = ProtoField.bool("credit.void", "Void", 8, nil, 0x80, "Grant: admits nothing"),
    size = ProtoField.uint8("credit.size", "Size", base.DEC, nil, nil, "Wire bytes of a credit without tags; 0: 84"),
    path = ProtoField.uint16("credit.path", "Path", base.HEX, {[0xffff] = "none"}, nil,
                             "Choices pinned for the frame; 0xffff: none"),
    first = ProtoField.uint8("credit.path.first", "First choice", base.DEC, nil, nil, "Next hop in the lowest tier"),
    second = ProtoField.uint8("credit.path.second", "Second choice", base.DEC, nil, nil, "Next hop in the tier above"),
    checksum = ProtoField.uint16("credit.checksum", "Checksum", base.HEX),
    status = ProtoField.uint8("credit.checksum.status", "Checksum status", base.DEC,
                              {[0] = "Bad", [1] = "Good", [2] = "Unverified"}),
    stamp = ProtoField.uint16("credit.stamp", "Stamp", base.DEC, nil, nil,
                              "When the credit left, in units of 2^20 ps modulo 2^16; data copies it"),
    payload = ProtoField.bytes("credit.payload", "Payload"),
}
local cr_expert = {
    truncated = malformed("credit.truncated", "IPv4 length too short for the transport header"),
    snapped = cut("credit.snapped"),
    kind = malformed("credit.kind_wrong", "credit header: unknown kind, wrong flag or stamp"),
    payload = malformed("credit.payload_wrong", "credit header: payload in a frame that is no data"),
    size = malformed("credit.size_wrong", "credit header: size not allowed, or not that of the frame"),
    checksum = ProtoExpert.new("credit.checksum_bad", "Bad checksum", expert.group.CHECKSUM, expert.severity.ERROR),
}
credit.fields = {cr.src_port, cr.dst_port, cr.dsn, cr.csn, cr.kind, cr.spare, cr.last, cr.marked, cr.unscheduled,
                 cr.void, cr.size, cr.path, cr.first, cr.second, cr.checksum, cr.status, cr.stamp, cr.payload}
credit.experts = {cr_expert.truncated, cr_expert.snapped, cr_expert.kind, cr_expert.payload, cr_expert.size,
                  cr_expert.checksum}

-- Sum of the 16-bit words of an IPv4 address.
local function address_sum(address)
    local a, b, c, d = tostring(address):match("^(%d+)%.(%d+)%.(%d+)%.(%d+)$")
    return a and a * 256 + b + c * 256 + d
end

-- Returns 1 if the checksum over pseudo header, header and payload is right, 0 if not, 2 if it cannot be said.
local function checksum_status(tvb, pinfo)
    local src, dst = address_sum(pinfo.net_src), address_sum(pinfo.net_dst)
    if not src or not dst or tvb:len() < tvb:reported_len() then return 2 end
    local sum, n = src + dst + 253 + tvb:len(), tvb:len()
    for at = 0, n - 2, 2 do sum = sum + tvb(at, 2):uint() end
    if n % 2 == 1 then sum = sum + tvb(n - 1, 1):uint() * 256 end
    while sum > 0xffff do sum = sum % 0x10000 + math.floor(sum / 0x10000) end
    return sum == 0xffff and 1 or 0
end

-- Flags that a frame of a kind may have.
local function flags_allowed(kind)
    return kind == GRANT and 0x80 or kind == DATA and 0x70 or 0
end

-- Credits that are not void, and data that is not unscheduled, may have a stamp.
local function may_be_stamped(kind, flags)
    return kind == GRANT and bit.band(flags, 0x80) == 0 or kind == DATA and bit.band(flags, 0x40) == 0
end

local function kind_is_sound(flags, stamp)
    local kind = bit.band(flags, 7)
    local others = bit.band(flags, bit.bnot(bit.bor(7, flags_allowed(kind))))
    return kind >= REQUEST and kind <= ANSWER and others == 0 and (stamp == 0 or may_be_stamped(kind, flags))
end

-- Wire bytes of a credit with tags. In one of 84 bytes or less tags fill what is padding, six bytes of it.
local function tagged_bytes(size, tags)
    if size > MINIMUM_WIRE_BYTES then return size + tags end
    return size + math.max(tags - CREDIT_PADDING, 0)
end

-- The size is one that this kind may have, and the frame is as long as it says.
local function size_is_sound(kind, size, pinfo)
    if kind ~= GRANT then return size == 0 end
    local most, least = MINIMUM_WIRE_BYTES + CREDIT_SPREAD, MINIMUM_WIRE_BYTES - CREDIT_SPREAD
    if size == MINIMUM_WIRE_BYTES or (size ~= 0 and (size < least or size > most)) then return false end
    local tags = tonumber(pinfo.private["heddle.tag_bytes"] or 0)
    local bytes = math.max(tagged_bytes(size == 0 and MINIMUM_WIRE_BYTES or size, tags),
                           tagged_bytes(MINIMUM_WIRE_BYTES, tags))
    return pinfo.len + UNSEEN_BYTES == bytes
end

-- Adds the one reason for which the parser refuses the header, if there is one.
local function judge(tvb, pinfo, tree)
    local flags, size = tvb(12, 1):uint(), tvb(13, 1):uint()
    local kind = bit.band(flags, 7)
    if not kind_is_sound(flags, tvb(18, 2):uint()) then
        tree:add_proto_expert_info(cr_expert.kind)
    elseif kind ~= DATA and tvb:reported_len() > 20 then
        tree:add_proto_expert_info(cr_expert.payload)
    elseif not size_is_sound(kind, size, pinfo) then
        tree:add_proto_expert_info(cr_expert.size)
    end
end

local function add_path(tvb, tree)
    local item = tree:add(cr.path, tvb(14, 2))
    if tvb(14, 2):uint() == 0xffff then return end
    item:add(cr.first, tvb(15, 1))
    item:add(cr.second, tvb(14, 1))
end

local function add_checksum(tvb, pinfo, tree)
    local item, status = tree:add(cr.checksum, tvb(16, 2)), checksum_status(tvb, pinfo)
    tree:add(cr.status, tvb(16, 2), status):set_generated()
    if status == 0 then item:add_proto_expert_info(cr_expert.checksum) end
end

function credit.dissector(tvb, pinfo, root)
    local tree = root:add(credit, tvb())
    pinfo.cols.protocol = "CREDIT"
    if not has_bytes(tvb, 20, tree, cr_expert) then return tvb:len() end
    local text = string.format("%s %d > %d DSN=%d CSN=%d", kinds[tvb(12, 1):bitfield(5, 3)] or "unknown kind",
                               tvb(0, 2):uint(), tvb(2, 2):uint(), tvb(4, 4):uint(), tvb(8, 4):uint())
    pinfo.cols.info = text
    tree:append_text(", " .. text)
    tree:add(cr.src_port, tvb(0, 2))
    tree:add(cr.dst_port, tvb(2, 2))
    tree:add(cr.dsn, tvb(4, 4))
    tree:add(cr.csn, tvb(8, 4))
    for _, field in ipairs({cr.kind, cr.spare, cr.last, cr.marked, cr.unscheduled, cr.void}) do
        tree:add(field, tvb(12, 1))
    end
    tree:add(cr.size, tvb(13, 1))
    add_path(tvb, tree)
    add_checksum(tvb, pinfo, tree)
    tree:add(cr.stamp, tvb(18, 2))
    if tvb:len() > 20 then tree:add(cr.payload, tvb(20)) end
    judge(tvb, pinfo, tree)
    return tvb:len()
end

DissectorTable.get("ip.proto"):add(253, credit)
