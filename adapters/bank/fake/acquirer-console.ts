import { failure } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import { patch } from '../../../core/kernel/records/change.ts'
import { always, eq } from '../../../core/kernel/records/where.ts'
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
import type { AcquirerNotifications } from '../../../core/ports/acquirer.ts'
import { byId } from '../../../core/ports/store.ts'
import { type ChargedCard, chargedCards } from './card-books.ts'
import { DECLINE } from './fake-acquirer.ts'

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
          const set = { ...ENDS[outcome], ...told }
          return accept({ ...known, ...set }, patch(chargedCards, code, { set, when: eq('status', 'pending') }))
        },
        hooks?.completed,
      )
      if (!isLeft(card)) await tell(runtime, notifications, card.right)
      return card
    },
})

const ENDS = {
  approve: { status: 'approved', reason: null },
  decline: { status: 'declined', reason: DECLINE },
} as const

/** Tells the platform what was decided; what it could not hear it is told again later. */
const tell = async ({ store }: Runtime, notifications: AcquirerNotifications, card: ChargedCard): Promise<void> => {
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
    handle: (card) => tell(runtime, notifications, card),
  }),
]

/** What the fake acquirer keeps and tells, for the worker of whoever it tells. */
export const fakeAcquirerPart = (notifications: AcquirerNotifications): PaymentsPart => ({
  collections: [chargedCards],
  queues: (ports) => fakeAcquirerQueues(ports, notifications),
})
