import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { all, always, type Change, eq, insert, newRecord, patch, remove } from '../../kernel/records/record.ts'
import { tenantKey } from '../../kernel/resources/queries.ts'
import {
  accept,
  countingUseCase,
  type FactsOf,
  type Fresh,
  unavailable,
  useCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { type Instant, startOfDay } from '../../kernel/values/day.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { statusAt } from '../charges/charge.ts'
import { type Client, clients, clientTokens } from '../customers/client.ts'
import { auditInAccount } from '../office.ts'
import { type AccountActor, findOwn, type PaymentsPorts } from '../payments-ports.ts'
import {
  type Erasure,
  eraseRecord,
  erasureId,
  erasures,
  keptUntil,
  paidDayOf,
  TREATMENTS,
  withLatePayments,
} from './erasure.ts'
import { chargesOf } from './payer-records.ts'

export const UNKNOWN_CLIENT = failure('not-found', 'client.unknown')

/** Finds a client of the account, also a removed one: its data is stored until it is erased. */
export const findPayer = (store: Store, accountId: number, id: number | null): Promise<Client | null> =>
  findOwn(store, clients, accountId, id)

/** The most open charges that the failure names. */
const MAX_NAMED = 100

/** Reads the charges that block an erasure, and the day of the payer's last payment; null without one. */
const surveyCharges = async (store: Store, client: Client, steady: Instant) => {
  const open: number[] = []
  let lastPaid: string | null = null
  for await (const slice of chargesOf(store, client))
    for (const charge of slice) {
      const isOpen = statusAt(charge, steady) === 'pending' || charge.operationId !== null
      if (isOpen && open.length < MAX_NAMED) open.push(charge.id)
      const paid = paidDayOf(charge)
      if (paid !== null && (lastPaid === null || paid > lastPaid)) lastPaid = paid
    }
  return { open, lastPaid }
}

const readFacts = async (store: Store, accountId: number, id: number | null, steady: Instant) => {
  const client = await findPayer(store, accountId, id)
  if (!client) return null
  const { erasure, token } = await store.read({
    erasure: byId(erasures, erasureId(client.id)),
    token: byId(clientTokens, client.id),
  })
  return { client, erasure, token, ...(await surveyCharges(store, client, steady)) }
}

type ErasureFacts = FactsOf<typeof readFacts>

/**
 * Erases a client in two commits. The first closes the client, so that no charge is issued between the second read and
 * commit.
 */
export const eraseClient = (ports: PaymentsPorts) => (actor: AccountActor, id: number | null) =>
  useCaseOf<Erasure>()(async (hooks) => {
    const read = (store: Store) => readFacts(store, actor.accountId, id, ports.clock.steady())
    const closed = await useCase(ports, read, decideClosing)()
    if (isLeft(closed)) return closed
    const readAgain = async (store: Store) => {
      const facts = await read(store)
      return facts && { ...facts, holder: await findHolder(store, facts) }
    }
    return countingUseCase(ports, readAgain, (facts, fresh) => decideErasure(facts, actor, fresh))(hooks)
  })

/** Reports whether an unfinished erasure has closed the client. A removed client has the status `DELETED` too. */
const isClosed = ({ removedAt, status }: Client): boolean => removedAt !== null && status !== 'DELETED'

/** Finds the client that has taken the document of a closed one. */
const findHolder = async (store: Store, { client }: ErasureFacts): Promise<Client | null> =>
  isClosed(client) && client.document !== null
    ? store.find(byKey(clients, 'document', tenantKey(client.accountId, client.document)))
    : null

/** Closes a client without open charges: as for a removed client, no charge is issued for it, and none is changed. */
const decideClosing = (facts: ErasureFacts | null, { now }: Fresh) => {
  if (!facts) return left(UNKNOWN_CLIENT)
  const { client, erasure, open } = facts
  if (erasure || client.erasureAt !== null) return accept(null)
  // The second commit reopens a client that an earlier release closed.
  if (open.length > 0) return client.removedAt === null ? left(blockedBy(open)) : accept(null)
  const set = { erasureAt: now, removedAt: client.removedAt ?? now }
  return accept(null, patch(clients, client.id, { set, when: eq('removedAt', client.removedAt) }))
}

const blockedBy = (open: readonly number[]) =>
  invalid(
    open.map((id) => issue(`charges.${id}`, 'client.charges-open')),
    'client.charges-open',
  )

/** Reopens a closed client. If another client has taken its document, the closed one stays removed. */
const reopen = (client: Client, holder: Client | null): readonly Change[] => {
  if (!isClosed(client) && client.erasureAt === null) return []
  const removal: Partial<Client> = isClosed(client) ? (holder ? { status: 'DELETED' } : { removedAt: null }) : {}
  return [patch(clients, client.id, { set: { ...removal, erasureAt: null }, when: eq('removedAt', client.removedAt) })]
}

const decideErasure = (
  facts: (ErasureFacts & { readonly holder: Client | null }) | null,
  actor: AccountActor,
  fresh: Fresh,
) => {
  if (!facts) return left(UNKNOWN_CLIENT)
  const { client, erasure: known, token, open, lastPaid } = facts
  if (known) return accept(right<never, Erasure>(withLatePayments(known, [lastPaid])))
  if (open.length > 0) return accept(left(blockedBy(open)), ...reopen(client, facts.holder))
  // Another request for the erasure has reopened the client.
  if (client.erasureAt === null) return left(unavailable('store.busy'))
  const until = lastPaid === null ? null : keptUntil(lastPaid)
  const erasure = newRecord(erasures, {
    id: erasureId(client.id),
    accountId: client.accountId,
    clientId: client.id,
    status: 'processing',
    payerName: until === null ? null : client.name,
    payerDocument: until === null ? null : client.document,
    keptUntil: until,
    requestedBy: actor.userId,
    requestedAt: fresh.now,
    dueAt: fresh.steady,
    attempts: 0,
    expiresAt: until && startOfDay(until),
  })
  const unchanged = all(eq('updatedAt', client.updatedAt), eq('erasureAt', client.erasureAt))
  return accept(
    right<never, Erasure>(erasure),
    insert(erasures, erasure),
    ...eraseRecord(TREATMENTS.clients, client),
    patch(clients, client.id, { set: { status: 'DELETED', updatedAt: fresh.now }, when: unchanged }),
    ...(token ? [remove(clientTokens, token.id, always)] : []),
    ...auditInAccount(fresh, actor, actor.accountId, 'personal-data.erased', `client:${client.id}`),
  )
}
