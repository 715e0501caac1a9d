// SPDX-License-Identifier: Apache-2.0
// The ns-3 side of the speed benchmark.
//
// Fat-tree with ports of 100 packets, permutation traffic: host i sends --bytes to host (i + N/2) mod N over TCP
// NewReno with SACK, one ACK per segment, initial window 10, minimum RTO 10 ms. ns-3 has no per-flow ECMP, so this file adds
// a routing protocol for it, which is faster than ns-3's own table lookups (--routing=global).
// A packet-hop is one packet whose transmission a device has finished, as in heddle's engine.packet_hops.
//
// bench/run compiles and runs it beside heddle. By hand, with Debian's libns3-dev (ns-3.37):
//   g++ -O3 -march=native -std=c++17 bench/peers/ns3_fattree.cc -o ns3_fattree -lns3-core -lns3-network -lns3-internet
//     -lns3-point-to-point -lns3-applications -lns3-traffic-control -lns3-stats -lns3-bridge
//   taskset -c 0 ./ns3_fattree --k=8 --bytes=1000000

#include "ns3_routing.hh"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace ns3;
using namespace peer;

namespace
{

uint32_t g_hosts;
uint32_t g_done;
uint64_t g_bytes;
std::vector<uint64_t> g_received; // bytes, for each receiving host
std::vector<double> g_fctUs;      // for each receiving host
std::vector<Time> g_start;        // for each receiving host

/// Up-down routing in a k-ary fat-tree: downlinks follow the destination, uplinks a hash of the flow's five-tuple.
/// ns-3.37 itself has no per-flow ECMP (Ipv4GlobalRouting::RandomEcmpRouting draws for each packet).
class FatTreeRouting : public LinkRouting
{
  public:
    enum Level
    {
        HOST,
        EDGE,
        AGGREGATION,
        CORE
    };

    /// index: the node's place among the nodes of its level.
    /// A switch's interfaces (0 is the loopback) are 1..k/2 downwards, then k/2+1..k upwards.
    FatTreeRouting(Level level, uint32_t index, uint32_t k)
        : m_level(level),
          m_index(index),
          m_half(k / 2)
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
        if (m_level == HOST)
        {
            deliver(packet, header, m_ipv4->GetInterfaceForDevice(device));
            return true;
        }
        forward(Route(OutInterface(packet, header)), packet, header);
        return true;
    }

  private:
    uint32_t OutInterface(Ptr<const Packet> packet, const Ipv4Header& header) const
    {
        const uint32_t host = DestinationHost(header);
        const uint32_t edge = host / m_half;
        const uint32_t pod = edge / m_half;
        switch (m_level)
        {
        case EDGE:
            return edge == m_index ? 1 + host % m_half : Up(packet, header);
        case AGGREGATION:
            return pod == m_index / m_half ? 1 + edge % m_half : Up(packet, header);
        default:
            return 1 + pod;
        }
    }

    uint32_t Up(Ptr<const Packet> packet, const Ipv4Header& header) const
    {
        const uint64_t salt = (uint64_t{m_level} << 8) ^ (uint64_t{m_index} << 40);
        return 1 + m_half + FlowHash(packet, header, salt) % m_half;
    }

    Level m_level;
    uint32_t m_index;
    uint32_t m_half;
};

void
OnTransmitted(uint64_t* count, Ptr<const Packet>)
{
    ++*count;
}

void
OnReceived(uint32_t host, Ptr<const Packet> packet, const Address&)
{
    g_received[host] += packet->GetSize();
    if (g_received[host] == g_bytes)
    {
        g_fctUs[host] = (Simulator::Now() - g_start[host]).ToDouble(Time::US);
        if (++g_done == g_hosts)
        {
            Simulator::Stop();
        }
    }
}

double
WallSeconds()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t k = 4;
    uint32_t queuePackets = 100;
    uint32_t delAckCount = 1;
    double delayUs = 1;
    double stopSeconds = 100;
    std::string rate = "10Gbps";
    std::string tcp = "TcpNewReno";
    std::string routing = "hash";
    std::string scheduler = "ns3::MapScheduler";
    g_bytes = 10000000;

    CommandLine cmd(__FILE__);
    cmd.AddValue("k", "ports of a switch (even)", k);
    cmd.AddValue("rate", "rate of every link", rate);
    cmd.AddValue("bytes", "bytes of each flow", g_bytes);
    cmd.AddValue("delay-us", "propagation delay of every link", delayUs);
    cmd.AddValue("tcp", "TcpNewReno or TcpDctcp", tcp);
    cmd.AddValue("routing", "hash (ECMP for each flow) or global (RandomEcmpRouting)", routing);
    cmd.AddValue("queue", "packets a port can hold", queuePackets);
    cmd.AddValue("del-ack", "data packets for each ACK", delAckCount);
    cmd.AddValue("stop", "simulated seconds at most", stopSeconds);
    cmd.AddValue("scheduler", "ns-3's event queue", scheduler);
    cmd.Parse(argc, argv);
    if (k < 2 || k % 2 || (tcp != "TcpNewReno" && tcp != "TcpDctcp") ||
        (routing != "hash" && routing != "global"))
    {
        std::fprintf(stderr,
                     "ns3_fattree: --k must be even, --tcp TcpNewReno or TcpDctcp, --routing hash or "
                     "global\n");
        return 2;
    }

    const double setupStart = WallSeconds();
    const bool dctcp = tcp == "TcpDctcp";
    const bool hash = routing == "hash";
    const uint32_t half = k / 2;
    const uint32_t edges = k * half;
    g_hosts = edges * half;
    g_received.assign(g_hosts, 0);
    g_fctUs.assign(g_hosts, 0);
    g_start.assign(g_hosts, Time());

    GlobalValue::Bind("SchedulerType", StringValue(scheduler));
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + tcp));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448)); // 1500-byte IP packets
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(delAckCount));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(2 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(2 << 20));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(1)));
    Config::SetDefault("ns3::Ipv4GlobalRouting::RandomEcmpRouting", BooleanValue(true));

    NodeContainer hosts(g_hosts);
    NodeContainer edge(edges);
    NodeContainer aggregation(edges);
    NodeContainer core(half * half);
    if (hash)
    {
        InternetStackHelper stack;
        const NodeContainer* levels[] = {&hosts, &edge, &aggregation, &core};
        stack.SetIpv6StackInstall(false);
        stack.InstallAll();
        for (int level = 0; level < 4; ++level)
        {
            for (uint32_t i = 0; i < levels[level]->GetN(); ++i)
            {
                const auto l = static_cast<FatTreeRouting::Level>(level);
                levels[level]->Get(i)->GetObject<Ipv4>()->SetRoutingProtocol(
                    CreateObject<FatTreeRouting>(l, i, k));
            }
        }
    }
    else
    {
        InternetStackHelper stack;
        stack.SetRoutingHelper(Ipv4GlobalRoutingHelper());
        stack.SetIpv6StackInstall(false);
        stack.InstallAll();
    }

    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue(rate));
    const Time delay = NanoSeconds(std::llround(delayUs * 1000));
    link.SetChannelAttribute("Delay", TimeValue(delay));
    TrafficControlHelper marking;
    if (dctcp)
    {
        const double mark = std::round(65 * DataRate(rate).GetBitRate() / 10e9); // 65 at 10 Gb/s
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
        Config::SetDefault("ns3::RedQueueDisc::UseEcn", BooleanValue(true));
        Config::SetDefault("ns3::RedQueueDisc::UseHardDrop", BooleanValue(false));
        Config::SetDefault("ns3::RedQueueDisc::MeanPktSize", UintegerValue(1500));
        Config::SetDefault("ns3::RedQueueDisc::QW", DoubleValue(1));
        marking.SetRootQueueDisc("ns3::RedQueueDisc",
                                 "MinTh", DoubleValue(mark),
                                 "MaxTh", DoubleValue(mark),
                                 "MaxSize", QueueSizeValue(QueueSize(PACKETS, queuePackets)),
                                 "LinkBandwidth", StringValue(rate),
                                 "LinkDelay", TimeValue(delay));
    }
    else
    {
        // Without flow control ns-3 adds no default queue discipline: a plain drop-tail port.
        link.DisableFlowControl();
        link.SetQueue("ns3::DropTailQueue",
                      "MaxSize", QueueSizeValue(QueueSize(PACKETS, queuePackets)));
    }

    const uint32_t links = 3 * g_hosts;
    std::vector<uint64_t> transmitted(2 * links, 0); // packets, for each device
    uint32_t made = 0;
    auto connect = [&](Ptr<Node> lower, Ptr<Node> upper, uint32_t network) {
        const NetDeviceContainer devices = link.Install(lower, upper);
        if (dctcp)
        {
            marking.Install(devices);
        }
        for (uint32_t end = 0; end < 2; ++end)
        {
            devices.Get(end)->TraceConnectWithoutContext(
                "PhyTxEnd", MakeBoundCallback(&OnTransmitted, &transmitted[made++]));
            Ptr<Ipv4> ipv4 = devices.Get(end)->GetNode()->GetObject<Ipv4>();
            const uint32_t interface = ipv4->AddInterface(devices.Get(end));
            // the upper end is .1, the lower end .2
            ipv4->AddAddress(interface,
                             Ipv4InterfaceAddress(Ipv4Address(network + 2 - end), "/30"));
            ipv4->SetUp(interface);
        }
    };
    // This order gives a switch its downlinks before its uplinks.
    for (uint32_t h = 0; h < g_hosts; ++h)
    {
        connect(hosts.Get(h), edge.Get(h / half), kHostBase + 4 * h);
    }
    uint32_t network = kSwitchBase;
    for (uint32_t e = 0; e < edges; ++e)
    {
        for (uint32_t a = 0; a < half; ++a, network += 4)
        {
            connect(edge.Get(e), aggregation.Get(e / half * half + a), network);
        }
    }
    for (uint32_t a = 0; a < edges; ++a)
    {
        for (uint32_t c = 0; c < half; ++c, network += 4)
        {
            connect(aggregation.Get(a), core.Get(a % half * half + c), network);
        }
    }
    if (!hash)
    {
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    const uint16_t port = 5000;
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    for (uint32_t src = 0; src < g_hosts; ++src)
    {
        const uint32_t dst = (src + g_hosts / 2) % g_hosts;
        const Ipv4Address address(kHostBase + 4 * dst + 2);
        BulkSendHelper source("ns3::TcpSocketFactory", InetSocketAddress(address, port));
        source.SetAttribute("MaxBytes", UintegerValue(g_bytes));
        source.SetAttribute("SendSize", UintegerValue(1448));
        g_start[dst] = NanoSeconds(src);
        source.Install(hosts.Get(src)).Start(g_start[dst]);
        sink.Install(hosts.Get(dst)).Get(0)->TraceConnectWithoutContext(
            "Rx", MakeBoundCallback(&OnReceived, dst));
    }

    Simulator::Stop(ns3::Seconds(stopSeconds));
    const double runStart = WallSeconds();
    Simulator::Run();
    const double runEnd = WallSeconds();

    uint64_t hops = 0;
    for (const uint64_t n : transmitted)
    {
        hops += n;
    }
    std::vector<double> fct;
    for (const double us : g_fctUs)
    {
        if (us > 0)
        {
            fct.push_back(us);
        }
    }
    std::sort(fct.begin(), fct.end());
    double mean = 0;
    for (const double us : fct)
    {
        mean += us / fct.size();
    }
    const double p99 =
        fct.empty() ? 0 : fct[static_cast<size_t>(std::ceil(0.99 * fct.size())) - 1];
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);

    std::printf("k %u  hosts %u  rate %s  delay_us %g  bytes %llu  tcp %s  routing %s\n",
                k,
                g_hosts,
                rate.c_str(),
                delayUs,
                static_cast<unsigned long long>(g_bytes),
                tcp.c_str(),
                routing.c_str());
    std::printf("simulated_s %.6f\n", Simulator::Now().GetSeconds());
    std::printf("packet_hops %llu\n", static_cast<unsigned long long>(hops));
    std::printf("events %llu\n", static_cast<unsigned long long>(Simulator::GetEventCount()));
    std::printf("setup_s %.3f\n", runStart - setupStart);
    std::printf("wall_s %.3f\n", runEnd - runStart);
    std::printf("packet_hops_per_s %.4g\n", hops / (runEnd - runStart));
    std::printf("peak_rss_mib %.1f\n", usage.ru_maxrss / 1024.0);
    std::printf("flows_done %u  fct_mean_us %.1f  fct_p99_us %.1f\n", g_done, mean, p99);
    Simulator::Destroy();
    return g_done == g_hosts ? 0 : 1;
}
