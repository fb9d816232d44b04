import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { URL } from 'node:url'
import ipaddr from 'ipaddr.js'
import { parseUrl } from '../../core/kernel/values/text.ts'
import { FaultError } from './exchange.ts'

/** Ports of shells, mail, directories, files, databases and queues: some execute what they receive. */
const REFUSED_PORTS = new Set(
  [
    '21 22 23 25 53 69 110 111 135 139 143 389 445 465 513 514 587 636 993 995 1433 1521 2049 2375 2376 2379 3306 3389',
    '4369 5432 5672 5900 5984 6000 6379 6667 9042 9092 9200 9300 11211 27017 27018 27019',
  ].flatMap((ports) => ports.split(' ')),
)

/** Parses and checks the URL of a webhook. Host names are checked when they are resolved. Throws `FaultError`. */
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

/** The global unicast addresses that IANA allocates; all others are special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** NAT64 (RFC 6052): the last four bytes are an IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Deprecated (RFC 4291 §2.5.5.1): the library reads it as IPv4-mapped, sockets do not. */
const COMPATIBLE = /^::\d+\./

const unwrapIpv4 = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (address instanceof ipaddr.IPv4) return address
  const inside = address.isIPv4MappedAddress() || address.match(NAT64)
  return inside ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address
}

/** Reports whether a literal address, without brackets, is public. False for any other text. */
export const isPublicAddress = (text: string): boolean => {
  if (isIP(text) === 0 || COMPATIBLE.test(text)) return false
  const address = unwrapIpv4(ipaddr.parse(text))
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}

/** Shorter than the time limit of a webhook. */
const DNS_TIMEOUT_MS = 3_000
const TRIES = 2

/** Errors of an unknown name, or without name servers: the hosts file may contain the name. */
const UNKNOWN: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

export type NameServers = Pick<Resolver, 'resolve4' | 'resolve6'>

const nameServers: NameServers = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: TRIES })

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Resolves all addresses of a host name. A lookup of the system occupies one of the few threads of the process, and a
 * few names whose servers never answer would occupy them all. So name servers are queried first, which needs no thread,
 * and the system only for names that they do not know, such as `localhost`.
 */
export const resolveHost = async (hostname: string, servers: NameServers = nameServers): Promise<readonly string[]> => {
  const answers = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const failed = answers.find((answer) => answer.status === 'rejected' && !UNKNOWN.has(codeOf(answer.reason)))
  if (failed?.status === 'rejected') throw failed.reason
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
