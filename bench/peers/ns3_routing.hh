// SPDX-License-Identifier: Apache-2.0
// What the routing of ns3_flows and ns3_fattree shares: addresses, a hash of the flow, and one route object for each interface.
//
// Each link is a /30 whose lower end is .2 and whose upper end is .1. The link of host i is 10.0.0.0 + 4 i; links between
// switches count up from 172.16.0.0. A subclass adds RouteInput, which picks an interface.
#pragma once

#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <vector>

namespace peer
{

const uint32_t kHostBase = 0x0a000000;   // 10.0.0.0
const uint32_t kSwitchBase = 0xac100000; // 172.16.0.0

class LinkRouting : public ns3::Ipv4RoutingProtocol
{
  public:
    void SetIpv4(ns3::Ptr<ns3::Ipv4> ipv4) override
    {
        m_ipv4 = ipv4;
    }

    /// Only hosts originate packets, and a host has one link.
    ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet>,
                                         const ns3::Ipv4Header&,
                                         ns3::Ptr<ns3::NetDevice>,
                                         ns3::Socket::SocketErrno& error) override
    {
        error = ns3::Socket::ERROR_NOTERROR;
        return Route(1);
    }

    void NotifyInterfaceUp(uint32_t) override
    {
    }

    void NotifyInterfaceDown(uint32_t) override
    {
    }

    void NotifyAddAddress(uint32_t, ns3::Ipv4InterfaceAddress) override
    {
    }

    void NotifyRemoveAddress(uint32_t, ns3::Ipv4InterfaceAddress) override
    {
    }

    void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper>, ns3::Time::Unit) const override
    {
    }

  protected:
    /// The number of the host that a packet goes to.
    static uint32_t DestinationHost(const ns3::Ipv4Header& header)
    {
        return (header.GetDestination().Get() - kHostBase) / 4;
    }

    /// Hashes the five-tuple of a TCP packet; each switch passes a salt of its own.
    static uint64_t FlowHash(ns3::Ptr<const ns3::Packet> packet, const ns3::Ipv4Header& header, uint64_t salt)
    {
        uint32_t ports = 0; // the TCP ports are the first four bytes
        packet->CopyData(reinterpret_cast<uint8_t*>(&ports), sizeof(ports));
        uint64_t x = (uint64_t{header.GetSource().Get()} << 32) | header.GetDestination().Get();
        x ^= (uint64_t{ports} << 16) ^ salt;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u; // splitmix64's finaliser
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }

    /// Returns the route of an interface; makes it on first use.
    ns3::Ptr<ns3::Ipv4Route> Route(uint32_t interface)
    {
        if (m_routes.size() <= interface)
        {
            m_routes.resize(interface + 1);
        }
        if (!m_routes[interface])
        {
            const uint32_t own = m_ipv4->GetAddress(interface, 0).GetLocal().Get();
            ns3::Ptr<ns3::Ipv4Route> route = ns3::Create<ns3::Ipv4Route>();
            route->SetSource(ns3::Ipv4Address(own));
            route->SetGateway(ns3::Ipv4Address(own ^ 3)); // the two ends of a /30 are .1 and .2
            route->SetOutputDevice(m_ipv4->GetNetDevice(interface));
            m_routes[interface] = route;
        }
        return m_routes[interface];
    }

    ns3::Ptr<ns3::Ipv4> m_ipv4;

  private:
    std::vector<ns3::Ptr<ns3::Ipv4Route>> m_routes; // by interface; null until first used
};

} // namespace peer
