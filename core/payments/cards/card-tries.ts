import { isLeft, left, right, throttled } from '../../failure.ts'
import {
  all,
  type Change,
  ensure,
  eq,
  expiringCollection,
  insert,
  lt,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import { accept, type Fresh, type Runtime, type UseCase, useCase } from '../../kernel/running/use-case.ts'
import { addDays, addSeconds, dayOf, type Instant, secondsBetween, startOfDay } from '../../kernel/values/day.ts'
import { DECLINED_TRIES } from '../../limits.ts'
import { byId, type Store } from '../../ports/store.ts'
import { notifyAdmins } from '../events.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

const cardTries = record({
  /** The account, the kind and a digest of the payer, card or address: `7|card|9f2c…`. */
  id: t.string,
  accountId: t.number,
  /** Declined and undecided tries: a try is counted before the request to the acquirer. */
  tries: t.number,
  declined: t.number,
  /** The start of the window: a try is settled in the window in which it was counted. */
  since: t.string,
  expiresAt: t.string,
})

/** The guard record of card tries: every card charge patches it before and after. */
export type CardTries = t.TypeOf<typeof cardTries>

export const cardTryCounts = expiringCollection('payments.card-tries', cardTries, 'accountId')

type Kind = keyof typeof DECLINED_TRIES

/** A count of tries, as read. */
interface Counted {
  readonly kind: Kind
  readonly id: string
  readonly known: CardTries | null
}

const WINDOW_SECONDS = 3_600
const WAITING_SECONDS = 5

const kindOf = (id: string): Kind => id.split('|')[1] as Kind

const readCounts = async (store: Store, ids: readonly string[]): Promise<readonly Counted[]> => {
  const found = await store.read(Object.fromEntries(ids.map((id) => [id, byId(cardTryCounts, id)])))
  return ids.map((id) => ({ kind: kindOf(id), id, known: found[id] ?? null }))
}

/** Reads the counts of a try: of the payer and the card, and of the address for a payment link's caller. */
export const readCardTries = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  store: Store,
  accountId: number,
  by: { readonly [K in Kind]: K extends 'address' ? string | null : string },
): Promise<readonly Counted[]> => {
  const idOf = (kind: Kind, text: string) =>
    `${accountId}|${kind}|${cipher.digest(text, `${cardTryCounts.name}/${accountId}/${kind}`)}`
  const ids = [idOf('document', by.document), idOf('card', by.card)]
  return readCounts(store, by.address === null ? ids : [...ids, idOf('address', by.address)])
}

/** A counted try, by the window of each count. */
const tryIn = ({ id }: Counted, since: Instant): string => `${since}|${id}`
const countIn = (counted: string): string => counted.slice(counted.indexOf('|') + 1)
const sinceIn = (counted: string): Instant => counted.slice(0, counted.indexOf('|'))

/**
 * Counts a try before the request to the acquirer. Fails: `card.throttled` after too many declined tries within the
 * hour; `card.waiting` while as many tries wait for the acquirer as may still be declined.
 */
export const countTry = (counts: readonly Counted[], accountId: number, { steady }: Pick<Fresh, 'steady'>) => {
  const counted = counts.map((count) => ({
    current: count.known && count.known.expiresAt > steady ? count.known : null,
    ...count,
  }))
  const full = counted.filter(({ kind, current }) => (current?.declined ?? 0) >= DECLINED_TRIES[kind])
  if (full.length > 0) {
    const ends = full.map(({ current }) => secondsBetween(steady, current?.expiresAt ?? steady))
    return left(throttled('card.throttled', Math.max(...ends)))
  }
  if (counted.some(({ kind, current }) => (current?.tries ?? 0) >= DECLINED_TRIES[kind]))
    return left(throttled('card.waiting', WAITING_SECONDS))
  const empty = { tries: 0, declined: 0, since: steady, expiresAt: addSeconds(steady, WINDOW_SECONDS) }
  return right({
    tries: counted.map((count) => tryIn(count, count.current?.since ?? steady)),
    changes: counted.flatMap(({ kind, id, known, current }): readonly Change[] => {
      if (known !== null && current === null) {
        const when = eq('expiresAt', known.expiresAt)
        return [patch(cardTryCounts, id, { set: { ...empty, tries: 1 }, when })]
      }
      const when = all(lt('tries', DECLINED_TRIES[kind]), eq('since', current?.since ?? steady))
      return [ensure(cardTryCounts, { id, accountId, ...empty }), patch(cardTryCounts, id, { add: { tries: 1 }, when })]
    }),
  })
}

/** A request waits up to 10 s for undecided tries, longer than an acquirer takes. */
const MAX_ATTEMPTS = 50
const WAIT_MS = 200

/**
 * Starts a card charge once earlier tries are decided, so that approved cards do not block each other. If tries are
 * throttled, the ADMINs are notified once a day.
 */
export const waitForCards =
  <V, C extends string, I extends string>(
    runtime: Runtime,
    accountId: number,
    start: UseCase<V, C, I>,
  ): UseCase<V, C, I> =>
  async (hooks) => {
    for (let attempt = 1; ; attempt += 1) {
      const started = await start(hooks)
      const code = isLeft(started) ? started.left.code : null
      if (code === 'card.throttled') await notifyDeclined(runtime, accountId)()
      if (code !== 'card.waiting' || attempt === MAX_ATTEMPTS) return started
      await runtime.clock.wait(WAIT_MS)
    }
  }

const notifyDeclined = (runtime: Runtime, accountId: number) => {
  const id = `${accountId}|told|${dayOf(runtime.clock.steady())}`
  return useCase(
    runtime,
    (store) => store.find(byId(cardTryCounts, id)),
    (notified, fresh) => {
      if (notified) return accept(null)
      const { steady, today } = fresh
      const { document, card, address } = DECLINED_TRIES
      const data = {
        ...{ day: today, document, card, address },
        message: `Cartões demais foram recusados em uma hora: ${document} de um mesmo pagador ou cartão, ou ${address} de um mesmo endereço por links de pagamento. Outras tentativas são recusadas até que a hora passe.`,
      }
      const first = { tries: 0, declined: 0, since: steady, expiresAt: startOfDay(addDays(today, 1)) }
      return accept(
        null,
        insert(cardTryCounts, { id, accountId, ...first }),
        notifyAdmins(fresh, accountId, 'cards.declined', data),
      )
    },
  )
}

/** The counts of a charge's card. */
export type TryFacts = readonly Counted[]

/** Reads the counts of a charge's card before its outcome is decided. */
export const readTryFacts = async (
  store: Store,
  { cardTries: tries }: { readonly cardTries: readonly string[] | null },
): Promise<TryFacts> => (tries === null ? [] : readCounts(store, tries.map(countIn)))

/** The changes that release a try that was not declined. */
export const releaseTry = (facts: TryFacts, tries: readonly string[] | null): readonly Change[] =>
  settle(facts, tries, { tries: -1 })

/**
 * The changes that count a declined try. The try of a card that was pending at the acquirer was released, so it is
 * counted in the current window.
 */
export const declineTry = (
  facts: TryFacts,
  { accountId, cardTries: tries }: { readonly accountId: number; readonly cardTries: readonly string[] | null },
  wasPending: boolean,
  { steady }: Pick<Fresh, 'steady'>,
): readonly Change[] =>
  wasPending ? facts.flatMap((count) => countAnew(count, accountId, steady)) : settle(facts, tries, { declined: 1 })

const countAnew = ({ id, known }: Counted, accountId: number, now: Instant): readonly Change[] => {
  const first = { tries: 1, declined: 1, since: now, expiresAt: addSeconds(now, WINDOW_SECONDS) }
  if (known === null) return [insert(cardTryCounts, { id, accountId, ...first })]
  const when = eq('since', known.since)
  if (known.expiresAt <= now) return [patch(cardTryCounts, id, { set: first, when })]
  return [patch(cardTryCounts, id, { add: { tries: 1, declined: 1 }, when })]
}

/** Adds to the counts of a try, in the window in which it was counted. */
const settle = (
  facts: TryFacts,
  tries: readonly string[] | null,
  add: { readonly tries: number } | { readonly declined: number },
): readonly Change[] =>
  (tries ?? []).flatMap((counted) => {
    const [id, since] = [countIn(counted), sinceIn(counted)]
    const known = facts.find((count) => count.id === id)?.known
    return known?.since === since ? [patch(cardTryCounts, id, { add, when: eq('since', since) })] : []
  })
