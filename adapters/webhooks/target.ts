import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { URL } from 'node:url'
import ipaddr from 'ipaddr.js'
import { parseUrl } from '../../core/kernel/values/network.ts'
import { FaultError } from './fault.ts'

/** Shells, mail, directories, files, databases and queues: no webhooks are awaited there, and some obey what they get. */
const REFUSED_PORTS = new Set(
  [
    '21 22 23 25 53 69 110 111 135 139 143 389 445 465 513 514 587 636 993 995 1433 1521 2049 2375 2376 2379 3306 3389',
    '4369 5432 5672 5900 5984 6000 6379 6667 9042 9092 9200 9300 11211 27017 27018 27019',
  ].flatMap((ports) => ports.split(' ')),
)

/**
 * The URL to call. Addresses written in it are never looked up, so they are judged here; names are judged as they are
 * dialled. Throws `Refused`.
 */
export const parseTarget = (text: string, allowPrivate: boolean): URL => {
  const url = parseUrl(text)
  if (!url) throw new FaultError('bad url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FaultError('bad url')
  if (url.username !== '' || url.password !== '') throw new FaultError('bad url')
  if (allowPrivate) return url
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) throw new FaultError('private address')
  if (REFUSED_PORTS.has(url.port)) throw new FaultError('refused port')
  return url
}

/** What IANA has opened to global unicast; all outside of it is special, whether or not it has a name yet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** IPv4 addresses as machines without IPv4 see them (NAT64, RFC 6052): the last four bytes say who is called. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Long abandoned (RFC 4291 §2.5.5.1); the library takes it for an IPv4-mapped one, sockets do not. */
const COMPATIBLE = /^::\d+\./

const unwrapIpv4 = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
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
  const address = unwrapIpv4(ipaddr.parse(text))
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}

/** Shorter than whoever waits for it does. */
const DNS_TIMEOUT_MS = 3_000
const TRIES = 2

/** With these the name servers know no such name, or there are none: this machine's own list may know it. */
const UNKNOWN: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** What name servers are asked by: a part of `Resolver`. */
export type NameServers = Pick<Resolver, 'resolve4' | 'resolve6'>

const nameServers: NameServers = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: TRIES })

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Every address of a host name. The system's own look-up holds one of the few threads of the process for as long as it takes,
 * and some names of one account whose servers never answer would hold all: name servers are asked without a thread, and the
 * system only about what they do not know, as `localhost`.
 */
export const resolveHost = async (hostname: string, servers: NameServers = nameServers): Promise<readonly string[]> => {
  const asked = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)])
  const addresses = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const failed = asked.find((answer) => answer.status === 'rejected' && !UNKNOWN.has(codeOf(answer.reason)))
  if (failed?.status === 'rejected') throw failed.reason
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
