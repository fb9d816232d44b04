import type { BankAnswer, UnreadableRecord } from '../../../../core/ports/bank.ts'
import { listIn, type Told, textIn, toldIn } from './json.ts'
import type { PixApiReply } from './pix-api.ts'

const NOT_FOUND: readonly number[] = [404, 410]
const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429

/** Whether the bank says that there is no such thing. */
export const isNotFound = (reply: PixApiReply): boolean => typeof reply !== 'string' && NOT_FOUND.includes(reply.status)

/**
 * The port's answer for a reply. Status 429 carried out nothing, and a failure of the server leaves it unknown; so does a
 * success that cannot be read, which is named. Source: RFC 7807; BCB, API Pix, Tratamento de erros.
 */
export const answerOf = <T>(
  reply: PixApiReply,
  read: (body: Told) => T | null,
  unreadable: (body: Told) => UnreadableRecord,
): BankAnswer<T> => {
  if (reply === 'unsent') return { outcome: 'unavailable' }
  if (reply === 'lost') return { outcome: 'unknown' }
  const { status, body } = reply
  if (status >= 200 && status < 300) {
    const value = read(body)
    return value === null ? { outcome: 'unknown', unreadable: unreadable(body) } : { outcome: 'done', value }
  }
  if (status === TOO_MANY_REQUESTS) return { outcome: 'unavailable' }
  if (status >= 400 && status < 500 && status !== REQUEST_TIMEOUT)
    return { outcome: 'refused', reason: reasonIn(body, status) }
  return { outcome: 'unknown' }
}

/** The same for a reply of which only the status counts. */
export const doneOf = (reply: PixApiReply): BankAnswer<null> => {
  const answer = answerOf(
    reply,
    () => true,
    () => NOTHING_READ,
  )
  return answer.outcome === 'done' ? { outcome: 'done', value: null } : answer
}

const NOTHING_READ = { kind: 'title', id: '', txid: null, pixKey: null } as const

/** Why, in the bank's own words: the detail of the problem, and what it violates. */
const reasonIn = ({ detail, title, violacoes }: Told, status: number): string => {
  const why = textIn(detail) ?? textIn(title) ?? `O banco respondeu ${status}.`
  const violations = listIn(violacoes).map((each) => violationIn(toldIn(each)))
  return [why, ...violations.filter((text) => text !== '')].join(' ')
}

const violationIn = ({ razao, propriedade }: Told): string => {
  const [reason, property] = [textIn(razao), textIn(propriedade)]
  if (reason === null) return ''
  return property === null ? reason : `${reason} (${property})`
}
