import { lookup, Resolver } from 'node:dns/promises'

/** Shorter than whoever waits for it does. */
const SERVERS_ANSWER_WITHIN_MS = 3_000
const TRIES = 2

/** With these the name servers know no such name, or there are none: this machine's own list may know it. */
const UNKNOWN: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** What name servers are asked by: a part of `Resolver`. */
export type NameServers = Pick<Resolver, 'resolve4' | 'resolve6'>

const nameServers: NameServers = new Resolver({ timeout: SERVERS_ANSWER_WITHIN_MS, tries: TRIES })

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Every address of a host name. The system's own look-up holds one of the few threads of the process for as long as it takes,
 * and some names of one account whose servers never answer would hold all: name servers are asked without a thread, and the
 * system only about what they do not know, as `localhost`.
 */
export const hostAddresses = async (
  hostname: string,
  servers: NameServers = nameServers,
): Promise<readonly string[]> => {
  const asked = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)])
  const addresses = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const failed = asked.find((answer) => answer.status === 'rejected' && !UNKNOWN.has(codeOf(answer.reason)))
  if (failed?.status === 'rejected') throw failed.reason
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
