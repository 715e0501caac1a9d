// SPDX-License-Identifier: Apache-2.0
// Parts of ns-3 replaced by ones that behave as heddle's: links, hosts' ports and NewReno. docs/peers.md and
// docs/decisions/0013-ns3-dumbbell.md say why each is needed.
#pragma once

#include "ns3/data-rate.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"

#include <algorithm>

namespace peer
{

const uint64_t kFrameBytes = 1502; // ns-3's frame of a full segment
const uint64_t kWireBytes = 1538;  // heddle's, with preamble and gap

/// The rate at which ns-3 takes as long for a full frame as heddle does at `bps`.
inline ns3::DataRate
SameTimeRate(uint64_t bps)
{
    return ns3::DataRate(bps * kFrameBytes / kWireBytes);
}

/// A link that handles an arrival after the end of a transmission at the same instant, as heddle does. ns-3 takes the
/// arrival first. ACK-clocked senders meet this tie in frame after frame once the queue has run empty; when the queue is
/// full again, the order decides which of two frames is dropped.
class Link : public ns3::PointToPointChannel
{
  public:
    bool TransmitStart(ns3::Ptr<const ns3::Packet> packet,
                       ns3::Ptr<ns3::PointToPointNetDevice> from,
                       ns3::Time sendTime) override
    {
        ns3::Ptr<ns3::PointToPointNetDevice> to = GetDestination(from == GetSource(0) ? 0 : 1);
        ns3::Simulator::ScheduleWithContext(to->GetNode()->GetId(), sendTime + GetDelay(), &Arrive, to, packet->Copy());
        return true;
    }

  private:
    static void Arrive(ns3::Ptr<ns3::PointToPointNetDevice> to, ns3::Ptr<ns3::Packet> packet)
    {
        ns3::Simulator::ScheduleNow(&ns3::PointToPointNetDevice::Receive, to, packet);
    }
};

/// A host's port that delays each frame by a random time, uniform from 0 to the jitter, and keeps their order
/// (heddle's host.jitter).
class HostPort : public ns3::PointToPointNetDevice
{
  public:
    explicit HostPort(uint64_t jitterNs)
        : m_jitterPs(1000 * jitterNs),
          m_random(ns3::CreateObject<ns3::UniformRandomVariable>())
    {
    }

    bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& to, uint16_t protocol) override
    {
        const ns3::Time delay = ns3::PicoSeconds(m_random->GetValue(0, m_jitterPs));
        m_last = std::max(m_last, ns3::Simulator::Now() + delay);
        ns3::Simulator::Schedule(m_last - ns3::Simulator::Now(), &HostPort::SendNow, this, packet, to, protocol);
        return true;
    }

  private:
    void SendNow(ns3::Ptr<ns3::Packet> packet, ns3::Address to, uint16_t protocol)
    {
        PointToPointNetDevice::Send(packet, to, protocol);
    }

    double m_jitterPs;
    ns3::Ptr<ns3::UniformRandomVariable> m_random;
    ns3::Time m_last; // when the last frame leaves
};

/// NewReno that halves FlightSize at a loss: all bytes sent and not acknowledged (RFC 5681 equation 4, RFC 6675 5 (4.2)).
/// ns-3's own NewReno halves the pipe, which leaves out SACKed and lost segments.
class FlightNewReno : public ns3::TcpNewReno
{
  public:
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId tid =
            ns3::TypeId("ns3::FlightNewReno").SetParent<ns3::TcpNewReno>().AddConstructor<FlightNewReno>();
        return tid;
    }

    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t) override
    {
        const uint32_t flight = tcb->m_nextTxSequence.Get() - tcb->m_lastAckedSeq;
        return std::max(2 * tcb->m_segmentSize, flight / 2);
    }

    ns3::Ptr<ns3::TcpCongestionOps> Fork() override
    {
        return ns3::CopyObject<FlightNewReno>(this);
    }
};

} // namespace peer
