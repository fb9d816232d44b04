import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { at, orNull, type Rec, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { Cipher } from '../../ports/runtime.ts'

const operation = record({
  /** Our own id at the bank: what is asked twice by it is done once. */
  id: t.string,
  /** Null where the account is only being opened. */
  accountId: orNull(t.number),
  /** By which its handler is found: `create-title`. */
  kind: t.string,
  /** What it is about: collection and id of the record that keeps it. */
  subject: t.tuple([t.string, t.union([t.string, t.number])]),
  /** What was decided to ask, sealed: whoever asks, and when, orders the same. Null where an earlier release decided it. */
  order: orNull(t.string),
  /** Withdrawn: its subject had ended before the bank knew of it. */
  state: word('asking', 'done', 'refused', 'withdrawn'),
  /** When somebody else is to ask; null once it has ended. */
  dueAt: orNull(t.string),
  /** How often somebody else than who began it has taken it up. */
  attempts: t.number,
  /** Until when an order that nobody wants any more, or that counts as lost, may still arrive there. */
  inFlightUntil: orNull(t.string),
  /** Why the bank refused it. */
  reason: orNull(t.string),
  createdAt: t.string,
  /** When it is forgotten; null while it is asked. */
  expiresAt: orNull(t.string),
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** One thing that a bank is asked, from its order to its answer. */
export type Operation = t.TypeOf<typeof operation>

export const bankOperations: Collection<Operation> = {
  name: 'payments.bank-operations',
  ids: 'text',
  codec: operation,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [
    // Each kind has places of its own: none is looked for among the others.
    { eq: 'kind', sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['accountId'] },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

/** How long what is sent may be on its way to the bank: the time-out of one call. */
export const CALL_SECONDS = 30

/** How long one that has ended is kept: longer than a key that names it. */
const KEPT_SECONDS = 30 * 86_400

/** The moment at which an operation that ends now is forgotten. */
export const forgottenAt = ({ steady }: Pick<Fresh, 'steady'>): string => addSeconds(steady, KEPT_SECONDS)

/** What it is asked about, by the name of its collection. */
export const subjectOf = <R extends Rec>({ name }: Pick<Collection<R>, 'name'>, id: R['id']): Operation['subject'] => [
  name,
  id,
]

const contextOf = (id: string): string => at(bankOperations, id).join('/')

/** What a new one is made of; `O` is what the bank is ordered, as JSON. */
export interface Ordered<O> extends Pick<Operation, 'id' | 'accountId' | 'kind' | 'subject'> {
  readonly order: O
  /** When somebody else than who begins it may ask: now, where nobody else does. */
  readonly dueAt: string
}

/** An operation whose order is what is decided now. */
export const newOperation = <O>(
  cipher: Pick<Cipher, 'seal'>,
  { order, dueAt, ...given }: Ordered<O>,
  { now, mark, trace = null }: Pick<Fresh, 'now' | 'mark' | 'trace'>,
): Operation => ({
  ...given,
  // In the hands of the request that begins it until then.
  dueAt: mark && dueAt > now ? mark(dueAt) : dueAt,
  order: cipher.seal(JSON.stringify(order), contextOf(given.id)),
  ...UNANSWERED,
  createdAt: now,
  trace,
})

/** What it was decided to ask; null where an earlier release did not write it down. */
export const orderIn = <O>(cipher: Pick<Cipher, 'open'>, { id, order }: Pick<Operation, 'id' | 'order'>): O | null =>
  order === null ? null : JSON.parse(cipher.open(order, contextOf(id)))

const UNANSWERED = { state: 'asking', attempts: 0, inFlightUntil: null, reason: null, expiresAt: null } as const

/** One that an earlier release has begun: its order is found in its subject, and the bank may have heard of it. */
export const earlierOperation = (
  given: Pick<Operation, 'id' | 'accountId' | 'kind' | 'subject' | 'dueAt' | 'createdAt'>,
): Operation => ({ ...UNANSWERED, ...given, order: null, attempts: 1, trace: null })
