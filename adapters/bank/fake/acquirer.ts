import { failure } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import { always, eq, isIn } from '../../../core/kernel/records/where.ts'
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
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { type ChargedCard, chargedCards } from './books.ts'
import { UNAVAILABLE, UNKNOWN, withFaults } from './faults.ts'

/** The card numbers that are not approved at once. */
export const DECLINED_CARD = '4000000000000002'
export const PENDING_CARD = '4000000000000259'

/** Why a card is declined here. */
export const DECLINE_REASON = 'Não autorizado pelo emissor.'

/**
 * The embedded acquirer: it approves every card but one that it declines and one that it leaves pending until its console
 * decides. Its books live in the store, and hold no number. Source: decisions.md §3 and §8.
 */
export const fakeAcquirer = (runtime: Runtime): Acquirer => ({
  charge: (order, card) => withFaults(runtime, 'charge_card', () => charge(runtime, order, card)),
  find: (id) => find(runtime, id),
  void: (id) => withFaults(runtime, 'cancel_title', () => voidCard(runtime, id)),
})

const decisionOf = ({ status, token, reason }: ChargedCard): CardDecision => ({ status, token, reason })

const statusFor = ({ number }: Pick<CardNumber, 'number'>): 'approved' | 'pending' | 'declined' => {
  if (number === DECLINED_CARD) return 'declined'
  return number === PENDING_CARD ? 'pending' : 'approved'
}

const charge = async (
  runtime: Runtime,
  { id, valueCents }: CardOrder,
  card: CardNumber,
): Promise<BankAnswer<CardDecision>> => {
  const status = statusFor(card)
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(chargedCards, id)),
    (known, fresh) => {
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
    },
  )
  // A commit whose answer was lost may have happened.
  return isLeft(answer) ? UNKNOWN : { outcome: 'done', value: decisionOf(answer.right) }
}

const find = async ({ store }: Runtime, id: string): Promise<BankAnswer<CardDecision | null>> => {
  try {
    const known = await store.find(byId(chargedCards, id))
    return { outcome: 'done', value: known && decisionOf(known) }
  } catch (error) {
    if (error instanceof StoreUnavailable) return UNAVAILABLE
    throw error
  }
}

const VOIDED = { status: 'voided', dueAt: null } as const

const voidCard = async (runtime: Runtime, id: string): Promise<BankAnswer<null>> => {
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(chargedCards, id)),
    (known) => {
      if (!known) return left(failure('not-found', 'charge.unknown'))
      if (known.status === 'declined' || known.status === 'voided') return accept(null)
      return accept(null, patch(chargedCards, id, { set: VOIDED, when: isIn('status', ['approved', 'pending']) }))
    },
  )
  if (!isLeft(answer)) return { outcome: 'done', value: null }
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: 'Pagamento desconhecido.' } : UNAVAILABLE
}

const FIRST_WAIT_SECONDS = 5
const LEASE_SECONDS = 30
const AT_ONCE = 8

/** How a card that was left pending ends. */
export interface CardOutcome {
  /** The charge's public code. */
  readonly code: string
  readonly outcome: 'approve' | 'decline'
}

/** What can be done at the console of the fake acquirer, as tasks. Source: decisions.md §8. */
export interface FakeAcquirerConsole {
  /** Decides a card that was left pending and tells the platform, now or later. Fails: `charge.unknown`, where there is none. */
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
          const told = { dueAt: addSeconds(steady, FIRST_WAIT_SECONDS), attempts: 0 }
          const set = { ...OUTCOMES[outcome], ...told }
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

/** Tells the platform what was decided; what it could not hear it is told again later. */
const notify = async ({ store }: Runtime, notifications: AcquirerNotifications, card: ChargedCard): Promise<void> => {
  const { id, status, token, reason } = card
  if (status !== 'pending') {
    const told = await notifications.decided({ id, status, token, reason })()
    if (isLeft(told) && told.left.tag === 'unavailable') return
  }
  await store.commit([patch(chargedCards, id, { set: { dueAt: null }, when: always })])
}

/** What was decided and the platform has not taken yet: it is told again until it does. */
export const fakeAcquirerQueues = (runtime: Runtime, notifications: AcquirerNotifications): readonly Queue[] => [
  queueOf({
    collection: chargedCards,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: (card) => notify(runtime, notifications, card),
  }),
]

/** What the fake acquirer keeps and tells, for the worker of whoever it tells. */
export const fakeAcquirerPart = (notifications: AcquirerNotifications): PaymentsPart => ({
  collections: [chargedCards],
  queues: (ports) => fakeAcquirerQueues(ports, notifications),
})
