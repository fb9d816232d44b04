import { isIP } from 'node:net'
import type { URL } from 'node:url'
import { parseUrl } from '../../core/kernel/values/network.ts'
import { Refused } from './fault.ts'
import { isPublicAddress } from './public-address.ts'

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
export const targetOf = (text: string, allowPrivate: boolean): URL => {
  const url = parseUrl(text)
  if (!url) throw new Refused('bad url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Refused('bad url')
  if (url.username !== '' || url.password !== '') throw new Refused('bad url')
  if (allowPrivate) return url
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) throw new Refused('private address')
  if (REFUSED_PORTS.has(url.port)) throw new Refused('refused port')
  return url
}
