const IPV4_PART = /^(?:0|[1-9]\d{0,2})$/
const IPV6_GROUP = /^[\da-f]{1,4}$/i
const IPV4_BITS = 32
const IPV6_BITS = 128
const MAPPED_PREFIX = [...Array<number>(10).fill(0), 0xff, 0xff]
const MAPPED_BITS = 8 * MAPPED_PREFIX.length

const ipv4Bytes = (text: string): readonly number[] | null => {
  const parts = text.split('.')
  const isIpv4 = parts.length === 4 && parts.every((part) => IPV4_PART.test(part) && Number(part) <= 0xff)
  return isIpv4 ? parts.map(Number) : null
}

/** Returns the bytes of the groups between colons; an IPv4 address may be the last. */
const groupBytes = (text: string): readonly number[] | null => {
  const bytes: number[] = []
  const groups = text === '' ? [] : text.split(':')
  for (const [index, group] of groups.entries()) {
    const ipv4 = index === groups.length - 1 ? ipv4Bytes(group) : null
    if (ipv4) bytes.push(...ipv4)
    else if (!IPV6_GROUP.test(group)) return null
    else bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff)
  }
  return bytes
}

const ipv6Bytes = (text: string): readonly number[] | null => {
  const [before = '', after, ...more] = text.split('::')
  const [front, back] = [groupBytes(before), groupBytes(after ?? '')]
  if (!front || !back || more.length > 0 || (after !== undefined && before.includes('.'))) return null
  const zeros = IPV6_BITS / 8 - front.length - back.length
  // `::` replaces at least one group.
  if (after === undefined ? zeros !== 0 : zeros < 2) return null
  return [...front, ...Array<number>(zeros).fill(0), ...back]
}

const isMapped = (bytes: readonly number[]): boolean =>
  bytes.length * 8 === IPV6_BITS && MAPPED_PREFIX.every((byte, index) => bytes[index] === byte)

/** A block of addresses: those that begin with the first `prefix` bits of `bytes`. */
interface Network {
  readonly bytes: readonly number[]
  readonly prefix: number
}

/**
 * Parses an address or a network in CIDR notation (`10.0.0.0/8`, `2001:db8::/32`); null for any other text. An
 * IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) is its IPv4 address, and a network of such addresses is one of IPv4.
 */
export const parseNetwork = (text: string): Network | null => {
  const [address = '', length, ...more] = text.split('/')
  const bytes = address.includes(':') ? ipv6Bytes(address) : ipv4Bytes(address)
  if (!bytes || more.length > 0 || (length !== undefined && !IPV4_PART.test(length))) return null
  const bits = 8 * bytes.length
  const prefix = length === undefined ? bits : Number(length)
  if (prefix > bits) return null
  if (!isMapped(bytes) || prefix < MAPPED_BITS) return { bytes, prefix }
  return { bytes: bytes.slice(-IPV4_BITS / 8), prefix: prefix - MAPPED_BITS }
}

/** Reports whether an address is in a network; an address of the other version is not. */
const includesAddress = ({ bytes, prefix }: Network, address: readonly number[]): boolean =>
  bytes.length === address.length &&
  bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefix - 8 * index))
    return byte >> (8 - bits) === (address[index] ?? 0) >> (8 - bits)
  })

/** Reports whether an address, with or without a zone, is in one of these networks. False for any other text. */
export const isInNetworks = (networks: readonly string[], address: string): boolean => {
  const parsed = parseNetwork(address.replace(/%.*$/, ''))
  if (!parsed || address.includes('/')) return false
  return networks.some((text) => {
    const network = parseNetwork(text)
    return network !== null && includesAddress(network, parsed.bytes)
  })
}

/** The bytes of an IPv6 address that identify the network: providers assign at least a /64 to one customer. */
const NETWORK_BYTES = 8

/**
 * Returns the network that identifies a caller: an IPv4 address itself, or the /64 of an IPv6 address
 * (`2001:db8:0:1::/64`), since one customer has all addresses of a /64. An IPv4-mapped address is its IPv4 address. The
 * address must be well-formed.
 */
export const networkOf = (ip: string): string => {
  if (!ip.includes(':')) return ip
  const { bytes } = parseNetwork(ip.replace(/%.*$/, '')) ?? { bytes: [] }
  if (8 * bytes.length !== IPV6_BITS) return bytes.length === 0 ? ip : bytes.join('.')
  const groups = bytes.slice(0, NETWORK_BYTES).flatMap((byte, index) => {
    const low = bytes[index + 1] ?? 0
    return index % 2 === 0 ? [((byte << 8) | low).toString(16)] : []
  })
  return `${groups.join(':')}::/64`
}
