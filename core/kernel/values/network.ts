/**
 * Parses a URL; null for any other text. Does not use `URL.canParse`: once optimized, that of Node 20 and 22 refuses
 * hosts with letters such as `ã`.
 */
export const parseUrl = (text: string): URL | null => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** The groups of an IPv6 address that identify the network: providers assign at least a /64 to one customer. */
const NETWORK_GROUPS = 4
const ALL_GROUPS = 8

/** An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2), with a dotted or a hexadecimal end. */
const MAPPED =
  /^(?:(?:0{1,4}:){5}|(?:0{1,4}(?::0{1,4})*)?::(?:0{1,4}:)*)ffff:(?:([\d.]+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i

const unmapped = (address: string): string => {
  const [, dotted, high = '', low = ''] = MAPPED.exec(address) ?? [address]
  if (dotted !== undefined) return dotted
  if (low === '') return address
  const [front, back] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [front >> 8, front & 0xff, back >> 8, back & 0xff].join('.')
}

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/** Counts groups; an IPv4 address at the end counts as two. */
const widthOf = (groups: readonly string[]): number =>
  groups.reduce((width, group) => width + (group.includes('.') ? 2 : 1), 0)

/**
 * Returns the network that identifies a caller: an IPv4 address itself, or the /64 of an IPv6 address
 * (`2001:db8:0:1::/64`), since one customer has all addresses of a /64. An IPv4-mapped address is its IPv4 address. The
 * address must be well-formed.
 */
export const networkOf = (ip: string): string => {
  if (!ip.includes(':')) return ip
  const address = unmapped(ip)
  if (!address.includes(':')) return address
  const [before = '', after] = address.split('::')
  const [front, back] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = after === undefined ? 0 : ALL_GROUPS - widthOf(front) - widthOf(back)
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back].slice(0, NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
