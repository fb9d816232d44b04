import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What IANA has opened to global unicast; all outside of it is special, whether or not it has a name yet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** IPv4 addresses as machines without IPv4 see them (NAT64, RFC 6052): the last four bytes say who is called. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Long abandoned (RFC 4291 §2.5.5.1); the library takes it for an IPv4-mapped one, sockets do not. */
const COMPATIBLE = /^::\d+\./

const unwrapped = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (address instanceof ipaddr.IPv4) return address
  const inside = address.isIPv4MappedAddress() || address.match(NAT64)
  return inside ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address
}

/**
 * Whether a literal address, without brackets, is one of the public internet: no loopback, private, link-local, shared,
 * multicast, unspecified, translated or reserved one. False for what is no address.
 */
export const isPublicAddress = (text: string): boolean => {
  if (isIP(text) === 0 || COMPATIBLE.test(text)) return false
  const address = unwrapped(ipaddr.parse(text))
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}
