/**
 * A text read as a URL; null for what is none. Not by `URL.canParse`: once it runs hot, that of Node 20 and 22 refuses hosts
 * with letters such as `ã`.
 */
export const parseUrl = (text: string): URL | null => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** Groups of an IPv6 address that name the network: a provider gives whole ones of them to one customer. */
const NETWORK_GROUPS = 4
const ALL_GROUPS = 8

/** An IPv4 address as IPv6 writes it, in either of its forms. Source: RFC 4291, 2.5.5.2. */
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

/** An IPv4 address at the end stands for two groups. */
const widthOf = (groups: readonly string[]): number =>
  groups.reduce((width, group) => width + (group.includes('.') ? 2 : 1), 0)

/**
 * Whose an address is, as far as it tells: an IPv4 address itself, of an IPv6 address its /64 (`2001:db8:0:1::/64`), since
 * whoever has one address of it has all. An IPv4 address that IPv6 carries is itself. Takes a well-formed address.
 */
export const networkOf = (sent: string): string => {
  if (!sent.includes(':')) return sent
  const address = unmapped(sent)
  if (!address.includes(':')) return address
  const [before = '', after] = address.split('::')
  const [front, back] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = after === undefined ? 0 : ALL_GROUPS - widthOf(front) - widthOf(back)
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back].slice(0, NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
