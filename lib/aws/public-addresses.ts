import { BlockList, isIP } from 'node:net'

/**
 * Networks of IPv4 that are not public: those that the IANA IPv4 Special-Purpose Address Registry (RFC 6890) does not call
 * globally reachable, and multicast.
 */
const closedV4 = [
  ['0.0.0.0', 8], // this network (RFC 791)
  ['10.0.0.0', 8], // private (RFC 1918)
  ['100.64.0.0', 10], // carrier-grade NAT (RFC 6598)
  ['127.0.0.0', 8], // loopback (RFC 1122)
  ['169.254.0.0', 16], // link-local (RFC 3927); cloud metadata
  ['172.16.0.0', 12], // private (RFC 1918)
  ['192.0.0.0', 24], // protocol assignments (RFC 6890)
  ['192.0.2.0', 24], // documentation (RFC 5737)
  ['192.88.99.0', 24], // 6to4 relays, deprecated (RFC 7526)
  ['192.168.0.0', 16], // private (RFC 1918)
  ['198.18.0.0', 15], // benchmarks (RFC 2544)
  ['198.51.100.0', 24], // documentation (RFC 5737)
  ['203.0.113.0', 24], // documentation (RFC 5737)
  ['224.0.0.0', 4], // multicast (RFC 5771)
  ['240.0.0.0', 4], // reserved, and broadcast (RFC 1112, RFC 919)
] as const

/**
 * Global unicast (RFC 4291), the only IPv6 addresses that can be public. This excludes loopback, link-local, unique local and
 * multicast addresses, and those that carry an IPv4 address: mapped (::ffff:0:0/96) and translated (64:ff9b::/96).
 */
const openV6 = ['2000::', 3] as const

/** Networks within global unicast that are not public (IANA IPv6 Special-Purpose Address Registry). */
const closedV6 = [
  ['2001::', 23], // protocol assignments, Teredo among them (RFC 2928, RFC 4380)
  ['2001:db8::', 32], // documentation (RFC 3849)
  ['2002::', 16], // 6to4, which carries an IPv4 address (RFC 3056)
  ['3fff::', 20], // documentation (RFC 9637)
] as const

const closed = new BlockList()
for (const [network, prefix] of closedV4) closed.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of closedV6) closed.addSubnet(network, prefix, 'ipv6')
const open = new BlockList()
open.addSubnet(...openV6, 'ipv6')

/** Returns whether a text is an IP address that is globally reachable on the internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !closed.check(address, 'ipv4')
  return version === 6 && open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}
