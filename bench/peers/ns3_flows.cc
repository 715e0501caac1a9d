// SPDX-License-Identifier: Apache-2.0
// The ns-3 side of bench/peers/compare: TCP flows, listed in one file, over the graph in another.
//
// --graph names a text file, a line for each link: `A B BPS DELAY_NS FRAMES LOSS`. A and B are nodes; nodes below
// --hosts are hosts and have one link each. A port of a switch holds FRAMES full frames behind the one in transmission; the
// port of a host drops nothing. LOSS is the share of frames that the link loses.
// --flows names a CSV file with the header of heddle's traces: `start_ns,source,destination,bytes`.
//
// Frames take a shortest path. Among several next hops a hash of the five-tuple, the switch and --seed decides, as in ECMP
// switches; ns-3.37 itself only has a random choice for each packet.
// docs/peers.md and docs/decisions/0013-ns3-dumbbell.md list the settings that make heddle and ns-3 do the same work.
//
// Output: a line `flow fct_us silence_us from_us` for each flow, then `drops N`, `recoveries N`, `timeouts N`, `wall_s X`.
// The FCT ends when the last byte reaches the receiving application. silence_us is the longest time in which the sender sent
// no segment with data, from_us its beginning.
//
// bench/peers/compare compiles and runs it, with Debian's libns3-dev (ns-3.37).

#include "ns3_parts.hh"
#include "ns3_routing.hh"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace peer;

namespace
{

const uint64_t kHostFrames = 1000000; // a host's port never drops
const double kNever = 1000;           // simulated seconds after which a run is given up
const uint16_t kFirstPort = 5000;

struct Edge
{
    uint32_t a;
    uint32_t b;
    uint64_t bps;
    uint64_t delayNs;
    uint64_t frames;
    double loss;
};

struct Flow
{
    uint64_t startNs;
    uint32_t source;
    uint32_t destination;
    uint64_t bytes;
    uint64_t received = 0;
    double fctUs = 0; // 0 until it has finished
    Time lastSent;    // time of the last segment with data; zero before the first
    Time silence;     // longest time between two segments with data
    Time silentFrom;
};

struct Settings
{
    std::string graph;
    std::string flows;
    std::string tcp = "TcpNewReno";
    std::string recovery = "TcpClassicRecovery";
    bool sack = true;
    uint32_t hosts = 0;
    uint64_t receiveWindow = 16776960;
    double minRtoMs = 10;
    double initialRtoMs = 1000;
    uint32_t initialWindow = 10;
    uint32_t seed = 1;
    bool arrivalFirst = false;
    uint64_t jitterNs = 0;
};

std::vector<Edge> g_edges;
std::vector<Flow> g_flows;
uint64_t g_finished;
uint64_t g_drops;
uint64_t g_recoveries;
uint64_t g_timeouts;

[[noreturn]] void
Fail(const std::string& why)
{
    std::fprintf(stderr, "ns3_flows: %s\n", why.c_str());
    std::exit(2);
}

void
ReadGraph(const std::string& path)
{
    std::ifstream in(path);
    Edge e;
    while (in >> e.a >> e.b >> e.bps >> e.delayNs >> e.frames >> e.loss)
    {
        g_edges.push_back(e);
    }
    if (g_edges.empty() || !in.eof())
    {
        Fail(path + " is not a graph: A B BPS DELAY_NS FRAMES LOSS a line");
    }
}

void
ReadFlows(const std::string& path, uint32_t hosts)
{
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    if (line != "start_ns,source,destination,bytes")
    {
        Fail(path + " does not begin with start_ns,source,destination,bytes");
    }
    while (std::getline(in, line))
    {
        Flow f;
        unsigned long long start = 0;
        unsigned long long bytes = 0;
        if (std::sscanf(line.c_str(), "%llu,%u,%u,%llu", &start, &f.source, &f.destination, &bytes) != 4 ||
            f.source >= hosts || f.destination >= hosts)
        {
            Fail(path + ": '" + line + "' is no flow between hosts");
        }
        f.startNs = start;
        f.bytes = bytes;
        g_flows.push_back(f);
    }
}

/// next[node][host]: neighbours on a shortest path from the node to the host.
using NextHops = std::vector<std::vector<std::vector<uint32_t>>>;

NextHops
ShortestPaths(uint32_t nodes, uint32_t hosts)
{
    std::vector<std::vector<uint32_t>> neighbours(nodes);
    for (const Edge& e : g_edges)
    {
        neighbours[e.a].push_back(e.b);
        neighbours[e.b].push_back(e.a);
    }
    NextHops next(nodes, std::vector<std::vector<uint32_t>>(hosts));
    for (uint32_t host = 0; host < hosts; ++host)
    {
        std::vector<uint32_t> distance(nodes, UINT32_MAX);
        std::vector<uint32_t> queue{host};
        distance[host] = 0;
        for (size_t i = 0; i < queue.size(); ++i)
        {
            const uint32_t at = queue[i];
            if (at != host && at < hosts)
            {
                continue; // hosts forward nothing
            }
            for (const uint32_t to : neighbours[at])
            {
                if (distance[to] == UINT32_MAX)
                {
                    distance[to] = distance[at] + 1;
                    queue.push_back(to);
                }
                if (distance[to] == distance[at] + 1)
                {
                    next[to][host].push_back(at);
                }
            }
        }
    }
    return next;
}

NS_OBJECT_ENSURE_REGISTERED(FlightNewReno);

/// Forwards to the next hops of one node; a hash of the flow chooses among several.
class GraphRouting : public LinkRouting
{
  public:
    GraphRouting(uint32_t node, uint32_t seed, std::vector<std::vector<uint32_t>> interfaces)
        : m_node(node),
          m_salt((uint64_t{node} << 40) ^ (uint64_t{seed} << 52)),
          m_interfaces(std::move(interfaces))
    {
    }

    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> device,
                    UnicastForwardCallback forward,
                    MulticastForwardCallback,
                    LocalDeliverCallback deliver,
                    ErrorCallback) override
    {
        const uint32_t host = DestinationHost(header);
        if (host == m_node)
        {
            deliver(packet, header, m_ipv4->GetInterfaceForDevice(device));
            return true;
        }
        const std::vector<uint32_t>& choice = m_interfaces[host];
        forward(Route(choice.size() == 1 ? choice[0] : choice[FlowHash(packet, header, m_salt) % choice.size()]), packet, header);
        return true;
    }

  private:
    uint32_t m_node;
    uint64_t m_salt;
    std::vector<std::vector<uint32_t>> m_interfaces; // for each host
};

void
OnReceived(Flow* flow, Ptr<const Packet> packet, const Address&)
{
    flow->received += packet->GetSize();
    if (flow->received < flow->bytes || flow->fctUs > 0)
    {
        return;
    }
    flow->fctUs = (Simulator::Now() - NanoSeconds(flow->startNs)).ToDouble(Time::US);
    if (++g_finished == g_flows.size())
    {
        Simulator::Stop();
    }
}

void
OnSent(Flow* flow, Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>)
{
    if (packet->GetSize() == 0)
    {
        return;
    }
    if (!flow->lastSent.IsZero() && Simulator::Now() - flow->lastSent > flow->silence)
    {
        flow->silence = Simulator::Now() - flow->lastSent;
        flow->silentFrom = flow->lastSent;
    }
    flow->lastSent = Simulator::Now();
}

void
OnDropped(Ptr<const Packet>)
{
    ++g_drops;
}

void
OnCongestionState(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state)
{
    g_recoveries += state == TcpSocketState::CA_RECOVERY;
    g_timeouts += state == TcpSocketState::CA_LOSS;
}

/// Attaches the traces; it runs after the application has started, since only then is there a socket.
void
WatchSender(Flow* flow, Ptr<BulkSendApplication> sender)
{
    sender->GetSocket()->TraceConnectWithoutContext("Tx", MakeBoundCallback(&OnSent, flow));
    sender->GetSocket()->TraceConnectWithoutContext("CongState", MakeCallback(&OnCongestionState));
}

void
SetTcp(const Settings& s)
{
    const uint64_t sendBuffer = 2 * s.receiveWindow; // never the limit
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + s.tcp));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(s.sack));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::" + s.recovery));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(s.initialWindow));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(sendBuffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(s.receiveWindow));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(MicroSeconds(s.initialRtoMs * 1000)));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MicroSeconds(s.minRtoMs * 1000)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(1)));
    Config::SetDefault("ns3::TcpCubic::HyStart", BooleanValue(false));
}

Ptr<PointToPointNetDevice>
AddPort(Ptr<PointToPointNetDevice> port, Ptr<Node> node, Ptr<PointToPointChannel> link, const Edge& e, uint64_t frames)
{
    Ptr<DropTailQueue<Packet>> queue = CreateObject<DropTailQueue<Packet>>();
    queue->SetMaxSize(QueueSize(BYTES, frames * kFrameBytes + kFrameBytes - 1));
    queue->TraceConnectWithoutContext("Drop", MakeCallback(&OnDropped));
    port->SetAddress(Mac48Address::Allocate());
    port->SetDataRate(SameTimeRate(e.bps));
    port->SetQueue(queue);
    if (e.loss > 0)
    {
        Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(e.loss);
        port->SetReceiveErrorModel(errors);
    }
    node->AddDevice(port);
    port->Attach(link);
    return port;
}

uint32_t
NodeCount()
{
    uint32_t n = 0;
    for (const Edge& e : g_edges)
    {
        n = std::max(n, std::max(e.a, e.b) + 1);
    }
    return n;
}

void
Address4(Ptr<PointToPointNetDevice> port, uint32_t address)
{
    Ptr<Ipv4> ipv4 = port->GetNode()->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(port);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(Ipv4Address(address), "/30"));
    ipv4->SetUp(interface);
}

/// Makes all links; returns the interface of each node towards each of its neighbours.
std::vector<std::vector<std::pair<uint32_t, uint32_t>>>
BuildLinks(const Settings& s, const NodeContainer& nodes)
{
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> towards(nodes.GetN());
    uint32_t network = kSwitchBase;
    for (const Edge& e : g_edges)
    {
        Ptr<PointToPointChannel> link;
        if (s.arrivalFirst)
        {
            link = CreateObject<PointToPointChannel>();
        }
        else
        {
            link = CreateObject<Link>();
        }
        link->SetAttribute("Delay", TimeValue(NanoSeconds(e.delayNs)));
        const bool isHost = e.a < s.hosts;
        const uint32_t base = isHost ? kHostBase + 4 * e.a : (network += 4);
        Ptr<PointToPointNetDevice> port = CreateObject<PointToPointNetDevice>();
        if (isHost && s.jitterNs > 0)
        {
            port = CreateObject<HostPort>(s.jitterNs);
        }
        Address4(AddPort(port, nodes.Get(e.a), link, e, isHost ? kHostFrames : e.frames), base + 2);
        port = CreateObject<PointToPointNetDevice>();
        Address4(AddPort(port, nodes.Get(e.b), link, e, e.frames), base + 1);
        towards[e.a].emplace_back(e.b, towards[e.a].size() + 1); // interface 0 is the loopback
        towards[e.b].emplace_back(e.a, towards[e.b].size() + 1);
    }
    return towards;
}

void
AddFlow(const NodeContainer& nodes, uint32_t index)
{
    Flow& f = g_flows[index];
    const uint16_t port = kFirstPort + index % 50000;
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(nodes.Get(f.destination)).Get(0)->TraceConnectWithoutContext("Rx", MakeBoundCallback(&OnReceived, &f));
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(Ipv4Address(kHostBase + 4 * f.destination + 2), port));
    source.SetAttribute("MaxBytes", UintegerValue(f.bytes));
    source.SetAttribute("SendSize", UintegerValue(1460));
    ApplicationContainer sender = source.Install(nodes.Get(f.source));
    sender.Start(NanoSeconds(f.startNs));
    Simulator::Schedule(NanoSeconds(f.startNs + 1), &WatchSender, &f, DynamicCast<BulkSendApplication>(sender.Get(0)));
}

void
Build(const Settings& s)
{
    NodeContainer nodes(NodeCount());
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.InstallAll();
    const auto towards = BuildLinks(s, nodes);
    const NextHops next = ShortestPaths(nodes.GetN(), s.hosts);
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        std::vector<std::vector<uint32_t>> interfaces(s.hosts);
        for (uint32_t host = 0; host < s.hosts; ++host)
        {
            for (const uint32_t to : next[n][host])
            {
                for (const auto& [neighbour, interface] : towards[n])
                {
                    if (neighbour == to)
                    {
                        interfaces[host].push_back(interface);
                    }
                }
            }
        }
        nodes.Get(n)->GetObject<Ipv4>()->SetRoutingProtocol(
            CreateObject<GraphRouting>(n, s.seed, std::move(interfaces)));
    }
    for (uint32_t i = 0; i < g_flows.size(); ++i)
    {
        AddFlow(nodes, i);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Settings s;
    CommandLine cmd(__FILE__);
    cmd.AddValue("graph", "file of links", s.graph);
    cmd.AddValue("hosts", "nodes below this number are hosts", s.hosts);
    cmd.AddValue("flows", "CSV file of flows", s.flows);
    cmd.AddValue("tcp", "TcpNewReno, TcpCubic, or FlightNewReno: halves what is not acknowledged", s.tcp);
    cmd.AddValue("recovery", "TcpClassicRecovery or TcpPrrRecovery", s.recovery);
    cmd.AddValue("sack", "selective acknowledgements", s.sack);
    cmd.AddValue("receive-window", "bytes", s.receiveWindow);
    cmd.AddValue("min-rto-ms", "least retransmission timeout", s.minRtoMs);
    cmd.AddValue("initial-rto-ms", "timeout of a SYN", s.initialRtoMs);
    cmd.AddValue("initial-window", "segments", s.initialWindow);
    cmd.AddValue("seed", "of the hashes of switches and of random loss", s.seed);
    cmd.AddValue("arrival-first", "an arrival precedes what has been sent at the same instant, as ns-3 has it", s.arrivalFirst);
    cmd.AddValue("jitter-ns", "each frame of a host is delayed by a random time up to this", s.jitterNs);
    cmd.Parse(argc, argv);

    Time::SetResolution(Time::PS);
    RngSeedManager::SetRun(s.seed);
    ReadGraph(s.graph);
    ReadFlows(s.flows, s.hosts);
    SetTcp(s);
    Build(s);
    Simulator::Stop(ns3::Seconds(kNever));
    const auto start = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    for (size_t i = 0; i < g_flows.size(); ++i)
    {
        const Flow& f = g_flows[i];
        std::printf("%zu %.3f %.3f %.3f\n", i, f.fctUs, f.silence.ToDouble(Time::US), f.silentFrom.ToDouble(Time::US));
    }
    std::printf("drops %llu\nrecoveries %llu\ntimeouts %llu\nwall_s %.3f\n",
                static_cast<unsigned long long>(g_drops),
                static_cast<unsigned long long>(g_recoveries),
                static_cast<unsigned long long>(g_timeouts),
                wall.count());
    Simulator::Destroy();
    return g_finished == g_flows.size() ? 0 : 1;
}
