import { sweepOf } from '../../../core/kernel/running/jobs.ts'
import { applyOutcome, type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import type { Bank, BankNotifications } from '../../../core/ports/bank.ts'
import type { PixApi } from './client.ts'
import { pixApiMovements } from './movements.ts'
import { checkNotice, expiryFrom, type Notice, notices, pixApiCollections } from './notices.ts'
import { pixApiRefunds } from './refunds.ts'
import { noWebhook, type PixApiWebhook, sweepJob } from './sweep.ts'
import { cancelTitle, createTitle, findTitle } from './titles.ts'

/** The API reports neither the bank nor the account: these placeholders belong to none. */
const NO_COMPE = '000'
const NO_ACCOUNT = { agency: '0000', account: '0' } as const
/** The length of a UUID without hyphens; the API accepts 26 to 35. */
const TXID_LENGTH = 32

/** A bank by the API Pix 2.9.0 (BCB): Pix charges, refunds and movements on the account of one Pix key. */
export const pixApiBank =
  (api: PixApi) =>
  (runtime: Pick<Runtime, 'clock'>): Bank => ({
    compe: NO_COMPE,
    can: ['pix'],
    txidLength: TXID_LENGTH,
    openAccount: async () => ({ outcome: 'done', value: { ...NO_ACCOUNT, pixKey: api.pixKey } }),
    createTitle: (order) => createTitle(api, runtime, order),
    findTitle: (txid) => findTitle(api, txid),
    cancelTitle: (txid) => cancelTitle(api, txid),
    refunds: pixApiRefunds(api),
    movements: pixApiMovements(api),
  })

/** Longer than all exchanges of one check. */
const LEASE_SECONDS = 60
const AT_ONCE = 4
const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 3_600

type PixApiNotifications = Pick<BankNotifications, 'paid' | 'received' | 'unreadable'>

/** The collections and background work of the adapter: it checks notices, and sweeps the list for missed ones. */
export const pixApiPart = (
  api: PixApi,
  notifications: PixApiNotifications,
  { register }: PixApiWebhook = noWebhook,
): PaymentsPart => ({
  collections: pixApiCollections,
  sweeps: [sweepOf(notices)],
  queues: (ports) => [noticeQueue(api, ports, notifications)],
  jobs: ({ store }) => [sweepJob({ api, store, notifications, registerWebhook: register })],
})

const noticeQueue = (
  api: PixApi,
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  notifications: PixApiNotifications,
): Queue =>
  queueOf({
    collection: notices,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (notice) => {
      const outcome = await checkNotice(api, notifications, notice)
      const steady = clock.steady()
      const ended = { outcome, dueAt: null, expiresAt: expiryFrom(steady) }
      await applyOutcome(store, notices, notice, outcome === null ? { dueAt: nextAttempt(notice, steady) } : ended)
    },
  })

const nextAttempt = ({ attempts }: Notice, steady: string): string =>
  addSeconds(steady, Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, 12)))
