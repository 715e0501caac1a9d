// SPDX-License-Identifier: Apache-2.0
// The ns-3 side of bench/dumbbell: two senders of TCP NewReno or Cubic share one bottleneck.
//
//     sender 0 --+                    +-- receiver 0
//                left ------------ right
//     sender 1 --+                    +-- receiver 1
//
// --runs is a list of runs START_US:DELAY_NS: flow 0 starts at 0, flow 1 at START_US, and the bottleneck has the propagation
// delay DELAY_NS. docs/decisions/0013-ns3-dumbbell.md lists the settings that make heddle and ns-3 do the same work. Output:
// a line `start_us delay_ns fct0_us fct1_us drops recoveries timeouts` for each run. The FCT ends when the last byte reaches
// the receiving application.
//
// bench/dumbbell compiles and runs it. By hand, with Debian's libns3-dev (ns-3.37):
//   g++ -O2 -std=c++17 bench/peers/ns3_dumbbell.cc -o ns3_dumbbell -lns3-core -lns3-network -lns3-internet
//     -lns3-point-to-point -lns3-applications -lns3-stats -lns3-traffic-control -lns3-bridge
//   ./ns3_dumbbell --tcp=TcpCubic --bytes=10000000 --runs=0:30000,250:30007

#include "ns3_parts.hh"

#include "ns3/boolean.h"
#include "ns3/bulk-send-application.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/mac48-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace peer;

namespace
{

const int kFlows = 2;
const double kNever = 1000; // seconds after which a run is given up

struct Settings
{
    uint64_t hostBps = 10000000000;
    uint64_t bottleneckBps = 1000000000;
    double hostDelayUs = 10;
    uint64_t queuePackets = 100;
    uint64_t bytes = 1000000;
    uint64_t receiveWindow = 16776960;
    double minRtoMs = 10;
    std::string tcp = "TcpNewReno";
    std::string recovery = "TcpClassicRecovery";
    bool traceWindow = false;
};

struct Case
{
    double startUs;
    double delayNs;
};

struct Flow
{
    Time start;
    uint64_t received;
    double fctUs; // 0 until it has finished
};

struct Run
{
    Flow flow[kFlows];
    uint64_t bytes;
    uint64_t drops;
    uint64_t recoveries;
    uint64_t timeouts;
};

void
OnReceived(Run* run, int i, Ptr<const Packet> packet, const Address&)
{
    Flow& flow = run->flow[i];
    flow.received += packet->GetSize();
    if (flow.received < run->bytes)
    {
        return;
    }
    flow.fctUs = (Simulator::Now() - flow.start).ToDouble(Time::US);
    for (const Flow& other : run->flow)
    {
        if (other.fctUs == 0)
        {
            return;
        }
    }
    Simulator::Stop();
}

void
OnDropped(Run* run, Ptr<const Packet>)
{
    ++run->drops;
}

void
OnCongestionState(Run* run, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state)
{
    run->recoveries += state == TcpSocketState::CA_RECOVERY;
    run->timeouts += state == TcpSocketState::CA_LOSS;
}

void
OnWindow(int i, uint32_t, uint32_t bytes)
{
    std::fprintf(stderr, "%.3f flow %d cwnd %u\n", Simulator::Now().ToDouble(Time::US), i, bytes);
}

/// Attaches the traces; it runs after the application has started, since only then is there a socket.
void
WatchSender(Run* run, int i, Ptr<BulkSendApplication> sender, bool window)
{
    Ptr<Socket> socket = sender->GetSocket();
    socket->TraceConnectWithoutContext("CongState", MakeBoundCallback(&OnCongestionState, run));
    if (window)
    {
        socket->TraceConnectWithoutContext("CongestionWindow", MakeBoundCallback(&OnWindow, i));
    }
}

void
SetTcp(const Settings& s)
{
    const uint64_t sendBuffer = 2 * s.receiveWindow; // never the limit
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + s.tcp));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::" + s.recovery));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(sendBuffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(s.receiveWindow));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(MilliSeconds(1000)));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MicroSeconds(s.minRtoMs * 1000)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(1)));
    Config::SetDefault("ns3::TcpCubic::HyStart", BooleanValue(false));
}

struct LinkSettings
{
    uint64_t bps;
    Time delay;
    uint64_t frames; // full frames that a port holds
};

/// Adds a drop-tail port without a queue discipline above it. Its limit is in bytes, as heddle's, so that a small frame may fit
/// when a full one does not.
Ptr<PointToPointNetDevice>
AddPort(Ptr<Node> node, Ptr<Link> link, const LinkSettings& l)
{
    Ptr<DropTailQueue<Packet>> queue = CreateObject<DropTailQueue<Packet>>();
    queue->SetMaxSize(QueueSize(BYTES, l.frames * kFrameBytes + kFrameBytes - 1));
    Ptr<PointToPointNetDevice> port = CreateObject<PointToPointNetDevice>();
    port->SetAddress(Mac48Address::Allocate());
    port->SetDataRate(SameTimeRate(l.bps));
    port->SetQueue(queue);
    node->AddDevice(port);
    port->Attach(link);
    return port;
}

/// Joins a and b by a link with a network of its own; returns the address of b.
Ipv4Address
Connect(const LinkSettings& l, Ptr<Node> a, Ptr<Node> b, Ipv4AddressHelper& addresses)
{
    Ptr<Link> link = CreateObject<Link>();
    link->SetAttribute("Delay", TimeValue(l.delay));
    NetDeviceContainer ports(AddPort(a, link, l));
    ports.Add(AddPort(b, link, l));
    const Ipv4InterfaceContainer ends = addresses.Assign(ports);
    addresses.NewNetwork();
    return ends.GetAddress(1);
}

void
WatchDrops(Run* run, Ptr<Node> node)
{
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        Ptr<PointToPointNetDevice> port = DynamicCast<PointToPointNetDevice>(node->GetDevice(i));
        if (port)
        {
            port->GetQueue()->TraceConnectWithoutContext("Drop", MakeBoundCallback(&OnDropped, run));
        }
    }
}

void
AddFlow(Run* run, int i, const Settings& s, Ptr<Node> from, Ptr<Node> to, Ipv4Address address)
{
    const uint16_t port = 5000;
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(to).Get(0)->TraceConnectWithoutContext("Rx", MakeBoundCallback(&OnReceived, run, i));
    BulkSendHelper source("ns3::TcpSocketFactory", InetSocketAddress(address, port));
    source.SetAttribute("MaxBytes", UintegerValue(s.bytes));
    source.SetAttribute("SendSize", UintegerValue(1460));
    ApplicationContainer sender = source.Install(from);
    sender.Start(run->flow[i].start);
    Simulator::Schedule(run->flow[i].start + NanoSeconds(1),
                        &WatchSender,
                        run,
                        i,
                        DynamicCast<BulkSendApplication>(sender.Get(0)),
                        s.traceWindow);
}

Run
Simulate(const Settings& s, const Case& c)
{
    Run run{};
    run.bytes = s.bytes;
    run.flow[1].start = NanoSeconds(c.startUs * 1000);

    NodeContainer senders(kFlows);
    NodeContainer receivers(kFlows);
    NodeContainer routers(2);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.InstallAll();

    const LinkSettings access = {s.hostBps, NanoSeconds(s.hostDelayUs * 1000), 1000000};
    const LinkSettings bottleneck = {s.bottleneckBps, NanoSeconds(c.delayNs), s.queuePackets};
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    Connect(bottleneck, routers.Get(0), routers.Get(1), addresses);
    for (int i = 0; i < kFlows; ++i)
    {
        Connect(access, senders.Get(i), routers.Get(0), addresses);
        const Ipv4Address to = Connect(access, routers.Get(1), receivers.Get(i), addresses);
        AddFlow(&run, i, s, senders.Get(i), receivers.Get(i), to);
    }
    WatchDrops(&run, routers.Get(0));
    WatchDrops(&run, routers.Get(1));
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    Simulator::Stop(ns3::Seconds(kNever));
    Simulator::Run();
    Simulator::Destroy();
    return run;
}

std::vector<Case>
CasesOf(const std::string& list)
{
    std::vector<Case> cases;
    std::stringstream stream(list);
    std::string item;
    while (std::getline(stream, item, ','))
    {
        Case c;
        if (std::sscanf(item.c_str(), "%lf:%lf", &c.startUs, &c.delayNs) != 2)
        {
            std::fprintf(stderr, "ns3_dumbbell: --runs=%s is not START_US:DELAY_NS,...\n", list.c_str());
            std::exit(2);
        }
        cases.push_back(c);
    }
    return cases;
}

} // namespace

int
main(int argc, char* argv[])
{
    Settings s;
    std::string runs = "0:30000";

    CommandLine cmd(__FILE__);
    cmd.AddValue("host-bps", "rate of the links of hosts", s.hostBps);
    cmd.AddValue("bottleneck-bps", "rate of the link between the switches", s.bottleneckBps);
    cmd.AddValue("host-delay-us", "propagation delay of the links of hosts", s.hostDelayUs);
    cmd.AddValue("queue", "full frames a port of the bottleneck holds, besides the one that it sends", s.queuePackets);
    cmd.AddValue("bytes", "bytes of each flow", s.bytes);
    cmd.AddValue("receive-window", "bytes", s.receiveWindow);
    cmd.AddValue("min-rto-ms", "least retransmission timeout", s.minRtoMs);
    cmd.AddValue("tcp", "TcpNewReno or TcpCubic", s.tcp);
    cmd.AddValue("recovery", "TcpClassicRecovery or TcpPrrRecovery", s.recovery);
    cmd.AddValue("runs", "START_US:DELAY_NS,...: start of flow 1 and delay of the bottleneck of each run", runs);
    cmd.AddValue("trace-window", "print every change of a congestion window", s.traceWindow);
    cmd.Parse(argc, argv);

    Time::SetResolution(Time::PS);
    SetTcp(s);
    for (const Case& c : CasesOf(runs))
    {
        const Run run = Simulate(s, c);
        std::printf("%.0f %.0f %.3f %.3f %llu %llu %llu\n",
                    c.startUs,
                    c.delayNs,
                    run.flow[0].fctUs,
                    run.flow[1].fctUs,
                    static_cast<unsigned long long>(run.drops),
                    static_cast<unsigned long long>(run.recoveries),
                    static_cast<unsigned long long>(run.timeouts));
        std::fflush(stdout);
        if (run.flow[0].fctUs == 0 || run.flow[1].fctUs == 0)
        {
            std::fprintf(stderr, "ns3_dumbbell: a flow has not finished in %g s\n", kNever);
            return 1;
        }
    }
    return 0;
}
