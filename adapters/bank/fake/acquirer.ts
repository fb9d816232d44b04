import { failure, isLeft, left } from '../../../core/failure.ts'
import { always, eq, insert, isIn, patch } from '../../../core/kernel/records/record.ts'
import { type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import {
  accept,
  decideAndCommit,
  type RunnerCode,
  type Runtime,
  type UseCase,
} from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import type {
  Acquirer,
  AcquirerNotifications,
  CardDecision,
  CardNumber,
  CardOrder,
} from '../../../core/ports/acquirer.ts'
import type { BankAnswer } from '../../../core/ports/bank.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { type ChargedCard, chargedCards } from './books.ts'
import { readBooks, UNAVAILABLE, UNKNOWN, withFaults } from './faults.ts'

/** The card numbers that are not approved. */
export const DECLINED_CARD = '4000000000000002'
export const PENDING_CARD = '4000000000000259'

const DECLINE_REASON = 'Não autorizado pelo emissor.'

/**
 * The embedded acquirer: approves every card except `DECLINED_CARD`, and leaves `PENDING_CARD` pending until the
 * console decides. Its books are records of the store, without card numbers.
 */
export const fakeAcquirer = (runtime: Runtime): Acquirer => ({
  charge: (order, card) =>
    withFaults(runtime, 'charge_card', cardQuery(order.id), (facts) => charge(runtime, facts, order, card)),
  find: (id) =>
    readBooks(async () => {
      const known = await runtime.store.find(byId(chargedCards, id))
      return known && decisionOf(known)
    }),
  void: (id) => withFaults(runtime, 'cancel_title', cardQuery(id), (facts) => voidCard(runtime, facts, id)),
})

const cardQuery = (id: string) => ({ known: byId(chargedCards, id) })

type CardFacts = (store: Store) => Promise<{ readonly known: ChargedCard | null }>

const decisionOf = ({ status, token, reason }: ChargedCard): CardDecision => ({ status, token, reason })

const statusFor = ({ number }: Pick<CardNumber, 'number'>): 'approved' | 'pending' | 'declined' => {
  if (number === DECLINED_CARD) return 'declined'
  return number === PENDING_CARD ? 'pending' : 'approved'
}

const charge = async (
  runtime: Runtime,
  facts: CardFacts,
  { id, valueCents }: CardOrder,
  card: CardNumber,
): Promise<BankAnswer<CardDecision>> => {
  const status = statusFor(card)
  const answer = await decideAndCommit(runtime, facts, ({ known }, fresh) => {
    if (known) return accept(known)
    const charged: ChargedCard = {
      id,
      status,
      token: fresh.uuid(),
      reason: status === 'declined' ? DECLINE_REASON : null,
      valueCents,
      createdAt: fresh.now,
      dueAt: null,
      attempts: 0,
    }
    return accept(charged, insert(chargedCards, charged))
  })
  return isLeft(answer) ? UNKNOWN : { outcome: 'done', value: decisionOf(answer.right) }
}

const VOIDED = { status: 'voided', dueAt: null } as const

const voidCard = async (runtime: Runtime, facts: CardFacts, id: string): Promise<BankAnswer<null>> => {
  const answer = await decideAndCommit(runtime, facts, ({ known }) => {
    if (!known) return left(failure('not-found', 'charge.unknown'))
    if (known.status === 'declined' || known.status === 'voided') return accept(null)
    return accept(null, patch(chargedCards, id, { set: VOIDED, when: isIn('status', ['approved', 'pending']) }))
  })
  if (!isLeft(answer)) return { outcome: 'done', value: null }
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: 'Pagamento desconhecido.' } : UNAVAILABLE
}

const FIRST_WAIT_SECONDS = 5
const LEASE_SECONDS = 30
const AT_ONCE = 8

/** The decision on a pending card charge. */
export interface CardOutcome {
  /** The charge's public code. */
  readonly code: string
  readonly outcome: 'approve' | 'decline'
}

/** The console of the embedded acquirer. */
export interface FakeAcquirerConsole {
  /** Decides a pending charge and notifies the platform. Fails: `charge.unknown` if none is pending. */
  decide(outcome: CardOutcome): UseCase<ChargedCard, 'charge.unknown' | RunnerCode>
}

export const fakeAcquirerConsole = (runtime: Runtime, notifications: AcquirerNotifications): FakeAcquirerConsole => ({
  decide:
    ({ code, outcome }) =>
    async (hooks) => {
      const card = await decideAndCommit(
        runtime,
        (store) => store.find(byId(chargedCards, code)),
        (known, { steady }) => {
          if (known?.status !== 'pending') return left(failure('not-found', 'charge.unknown'))
          const set = { ...OUTCOMES[outcome], dueAt: addSeconds(steady, FIRST_WAIT_SECONDS), attempts: 0 }
          return accept({ ...known, ...set }, patch(chargedCards, code, { set, when: eq('status', 'pending') }))
        },
        hooks?.completed,
      )
      if (!isLeft(card)) await notify(runtime, notifications, card.right)
      return card
    },
})

const OUTCOMES = {
  approve: { status: 'approved', reason: null },
  decline: { status: 'declined', reason: DECLINE_REASON },
} as const

/** Notifies the platform of a decision. If it is unavailable, the queue sends the notification again. */
const notify = async ({ store }: Runtime, notifications: AcquirerNotifications, card: ChargedCard): Promise<void> => {
  const { id, status, token, reason } = card
  if (status !== 'pending') {
    const result = await notifications.decided({ id, status, token, reason })()
    if (isLeft(result) && result.left.tag === 'unavailable') return
  }
  await store.commit([patch(chargedCards, id, { set: { dueAt: null }, when: always })])
}

/** Repeats notifications of decisions until the platform accepts or refuses them. */
export const fakeAcquirerQueues = (runtime: Runtime, notifications: AcquirerNotifications): readonly Queue[] => [
  queueOf({
    collection: chargedCards,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: (card) => notify(runtime, notifications, card),
  }),
]

/** The collection of the embedded acquirer, and the worker's queue that repeats its notifications. */
export const fakeAcquirerPart = (notifications: AcquirerNotifications): PaymentsPart => ({
  collections: [chargedCards],
  queues: (ports) => fakeAcquirerQueues(ports, notifications),
})
