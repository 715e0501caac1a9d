// SPDX-License-Identifier: Apache-2.0
// The flows of a CSV file through htsim's TcpSrc and TcpSink, over the graph that heddle and ns-3 are given.
//
//   htsim_flows GRAPH FLOWS.csv HOSTS SEED JITTER_NS
//
// GRAPH has a line "A B BITS_PER_S DELAY_NS FRAMES LOSS" for each link, hosts numbered first. Prints "FLOW FCT_US" for each
// flow: from its arrival to the arrival of its last byte. bench/peers/compare --htsim builds and runs it.
//
// A frame with 1,460 B of payload takes the time of 1,538 B, as in heddle; htsim counts these as payload. htsim sends whole
// segments only, its TCP is NewReno without SACK, and an acknowledgement takes the time of 40 B.

#include "config.h"
#include "eventlist.h"
#include "network.h"
#include "pipe.h"
#include "queue.h"
#include "tcp.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <vector>

namespace
{

constexpr uint64_t kPayload = 1460;
constexpr int kWire = 1538;

std::mt19937_64 g_random;

/// Splitmix64's finaliser; hashes a flow at a node, to choose among equal next hops.
uint64_t Mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Delays each packet by a random time up to the jitter, in order, and drops the share `loss` of packets.
class Entrance : public PacketSink, public EventSource
{
  public:
    Entrance(EventList& events, simtime_picosec jitter, double loss)
        : EventSource(events, "entrance"),
          m_jitter(jitter),
          m_loss(loss)
    {
    }

    void receivePacket(Packet& packet) override
    {
        if (m_loss > 0 && std::uniform_real_distribution<double>(0, 1)(g_random) < m_loss)
        {
            packet.free();
            return;
        }
        if (m_jitter == 0)
        {
            packet.sendOn();
            return;
        }
        m_last = std::max(m_last, eventlist().now() + g_random() % m_jitter);
        m_waiting.push_back(&packet);
        eventlist().sourceIsPending(*this, m_last);
    }

    void doNextEvent() override
    {
        Packet* packet = m_waiting.front();
        m_waiting.pop_front();
        packet->sendOn();
    }

    const string& nodename() override
    {
        return m_name;
    }

  private:
    simtime_picosec m_jitter, m_last = 0;
    double m_loss;
    std::list<Packet*> m_waiting;
    string m_name = "entrance";
};

/// One direction of a link: the queue at its start, jitter and loss, and the propagation delay.
struct Direction
{
    int to;
    std::unique_ptr<Queue> queue;
    std::unique_ptr<Entrance> entrance;
    std::unique_ptr<Pipe> pipe;
};

class Graph
{
  public:
    Graph(const char* path, int hosts, simtime_picosec jitter, EventList& events)
    {
        std::ifstream in(path);
        int a, b;
        uint64_t bps, delayNs, frames;
        double loss;
        while (in >> a >> b >> bps >> delayNs >> frames >> loss)
        {
            for (int from : {a, b})
            {
                const bool isHost = from < hosts;
                const mem_b room = isHost ? mem_b(1) << 40 : mem_b(frames + 1) * kWire;
                Direction d;
                d.to = from == a ? b : a;
                d.queue = std::make_unique<Queue>(bps, room, events, nullptr);
                d.entrance = std::make_unique<Entrance>(events, isHost ? jitter : 0, loss);
                d.pipe = std::make_unique<Pipe>(delayNs * 1000, events);
                m_out[from].push_back(std::move(d));
            }
        }
    }

    /// Appends a shortest path to the route. A hash of flow, node and seed chooses among several next hops.
    void Append(Route& route, int source, int destination, uint64_t flow, uint64_t seed)
    {
        const std::map<int, int>& distance = DistanceTo(destination);
        for (int node = source; node != destination;)
        {
            std::vector<Direction*> choice;
            for (Direction& d : m_out[node])
            {
                if (distance.at(d.to) + 1 == distance.at(node))
                {
                    choice.push_back(&d);
                }
            }
            Direction* next = choice[Mix(flow ^ (uint64_t(node) << 40) ^ (seed << 52)) % choice.size()];
            route.push_back(next->queue.get());
            route.push_back(next->entrance.get());
            route.push_back(next->pipe.get());
            node = next->to;
        }
    }

  private:
    const std::map<int, int>& DistanceTo(int destination)
    {
        std::map<int, int>& distance = m_distance[destination];
        if (!distance.empty())
        {
            return distance;
        }
        std::list<int> next{destination};
        distance[destination] = 0;
        while (!next.empty())
        {
            const int node = next.front();
            next.pop_front();
            for (const Direction& d : m_out[node])
            {
                if (distance.emplace(d.to, distance[node] + 1).second)
                {
                    next.push_back(d.to);
                }
            }
        }
        return distance;
    }

    std::map<int, std::vector<Direction>> m_out;
    std::map<int, std::map<int, int>> m_distance;
};

int g_open;

/// Records the arrival of the last byte.
class Sink : public TcpSink
{
  public:
    void receivePacket(Packet& packet) override
    {
        TcpSink::receivePacket(packet);
        if (!done && _cumulative_ack >= wanted)
        {
            done = EventList::getTheEventList().now();
            g_open--;
        }
    }

    uint64_t wanted = 0;
    simtime_picosec start = 0, done = 0;
};

std::vector<std::unique_ptr<Sink>> Flows(const char* path, Graph& graph, uint64_t seed, TcpRtxTimerScanner& timers,
                                         EventList& events)
{
    std::vector<std::unique_ptr<Sink>> sinks;
    std::ifstream in(path);
    std::string line;
    std::getline(in, line); // the header
    while (std::getline(in, line))
    {
        uint64_t startNs, bytes;
        int source, destination;
        char comma;
        std::istringstream(line) >> startNs >> comma >> source >> comma >> destination >> comma >> bytes;
        const uint64_t packets = (bytes + kPayload - 1) / kPayload, flow = sinks.size();
        auto* tcp = new TcpSrc(nullptr, nullptr, events); // lives to the end
        auto sink = std::make_unique<Sink>();
        auto *there = new Route, *back = new Route;
        graph.Append(*there, source, destination, 2 * flow, seed);
        graph.Append(*back, destination, source, 2 * flow + 1, seed);
        there->push_back(sink.get());
        back->push_back(tcp);
        tcp->set_ssthresh(0xffffffff);
        tcp->_rto = timeFromMs(MIN_RTO_MS);
        tcp->_flow_size = packets * kWire - 1; // set_flowsize() would send a segment more
        sink->wanted = packets * kWire;
        sink->start = startNs * 1000;
        tcp->connect(*there, *back, *sink, sink->start);
        timers.registerTcp(*tcp);
        sinks.push_back(std::move(sink));
    }
    return sinks;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 6)
    {
        std::fprintf(stderr, "usage: htsim_flows GRAPH FLOWS.csv HOSTS SEED JITTER_NS\n");
        return 2;
    }
    const uint64_t seed = std::strtoull(argv[4], nullptr, 10);
    EventList& events = EventList::getTheEventList();
    g_random.seed(seed);
    std::cout.setstate(std::ios::failbit); // htsim tells its own
    Packet::set_packet_size(kWire);
    TcpRtxTimerScanner timers(timeFromUs(uint32_t(10)), events);
    Graph graph(argv[1], std::atoi(argv[3]), std::strtoull(argv[5], nullptr, 10) * 1000, events);
    const auto sinks = Flows(argv[2], graph, seed, timers, events);
    g_open = int(sinks.size());
    while (g_open > 0 && events.doNextEvent())
    {
    }
    for (size_t i = 0; i < sinks.size(); i++)
    {
        if (!sinks[i]->done)
        {
            std::fprintf(stderr, "flow %zu did not finish\n", i);
            return 1;
        }
        std::printf("%zu %.6f\n", i, double(sinks[i]->done - sinks[i]->start) / 1e6);
    }
    return 0;
}
