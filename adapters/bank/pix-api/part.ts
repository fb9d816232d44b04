import { sweepOf } from '../../../core/kernel/running/jobs.ts'
import { applyOutcome, type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import type { BankNotifications } from '../../../core/ports/bank.ts'
import type { PixApi } from './client/pix-api.ts'
import { believe } from './notices/believe.ts'
import { forgottenAt, type Notice, notices, pixApiCollections } from './notices/notices.ts'
import { sweepJob } from './notices/sweep.ts'
import { noWebhook, type PixApiWebhook } from './notices/webhook.ts'

/** Longer than all the exchanges that one notice takes. */
const LEASE_SECONDS = 60
const AT_ONCE = 4
const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 3_600

/** The notifications that this bank sends. */
type Notified = Pick<BankNotifications, 'paid' | 'received' | 'unreadable'>

/** What the adapter keeps and does beside what it is asked: it believes notices, and sweeps for what was not told. */
export const pixApiPart = (
  api: PixApi,
  notifications: Notified,
  { register }: PixApiWebhook = noWebhook,
): PaymentsPart => ({
  collections: pixApiCollections,
  sweeps: [sweepOf(notices)],
  queues: (ports) => [noticeQueue(api, ports, notifications)],
  jobs: ({ store }) => [sweepJob({ api, store, notifications, before: register })],
})

/** Notices of which the bank is asked. */
const noticeQueue = (api: PixApi, { store, clock }: Pick<Runtime, 'store' | 'clock'>, notifications: Notified): Queue =>
  queueOf({
    collection: notices,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (notice) => {
      const outcome = await believe(api, notifications, notice)
      const steady = clock.steady()
      const ended = { outcome, dueAt: null, expiresAt: forgottenAt(steady) }
      await applyOutcome(store, notices, notice, outcome === null ? { dueAt: nextAsk(notice, steady) } : ended)
    },
  })

const nextAsk = ({ attempts }: Notice, steady: string): string =>
  addSeconds(steady, Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, 12)))
