import { patch } from '../../kernel/records/record.ts'
import { applyOutcome, leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { accept, decideAndCommit, type Fresh, orThrow } from '../../kernel/running/use-case.ts'
import { addSeconds, epochSeconds, type Instant } from '../../kernel/values/day.ts'
import { decodeBase64 } from '../../kernel/values/encoding.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import { sharingFinds } from '../../office/outbox.ts'
import type { WebhookAnswer } from '../../ports/messaging.ts'
import type { Digest } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts, isExisting, webhookSecretOf } from '../accounts/account.ts'
import { notify } from '../inbox/inbox.ts'
import { teamOf } from '../members/membership.ts'
import { type PaymentsPorts, roleOf } from '../payments-ports.ts'
import { type Delivery, deliveries, mayRead } from './deliveries.ts'

/** Exceeds the time-out of 15 s of a receiver. */
export const DELIVERY_LEASE_SECONDS = 60
/** High, so that receivers that never answer do not delay other deliveries. */
const DELIVERIES_AT_ONCE = 128

/** The stored `error` of an attempt that failed in this process. */
const INTERNAL_ERROR = 'internal'
const GONE = 410

/**
 * The queue of deliveries: each attempt posts once and stores the response. The deliveries of a removed organization
 * fail without a further attempt.
 */
export const deliveryQueue = (ports: PaymentsPorts): Queue => {
  const shared = sharingFinds(ports.store)
  return queueOf({
    collection: deliveries,
    leaseSeconds: DELIVERY_LEASE_SECONDS,
    atOnce: DELIVERIES_AT_ONCE,
    host: 'host',
    owner: 'accountId',
    handle: async (delivery) => {
      const account = await shared.find(byId(accounts, delivery.accountId))
      const { clock } = ports
      if (account !== null && !isExisting(account)) {
        await applyOutcome(ports.store, deliveries, delivery, { status: 'failed', dueAt: null, updatedAt: clock.now() })
        return
      }
      const { answer, fault } = await postDelivery(ports, delivery, account)
      const outcome = outcomeOf(delivery, answer, { now: clock.now(), steady: clock.steady() })
      if (outcome.status === 'failed') await failAndNotify(ports, delivery, outcome)
      else await applyOutcome(ports.store, deliveries, delivery, outcome)
      // Stored as a failed attempt, and reported by the worker.
      if (fault !== null) throw fault
    },
  })
}

/** Stores the failure of a delivery and notifies those who may read it, in one commit. */
const failAndNotify = async (ports: PaymentsPorts, claimed: Delivery, end: Outcome): Promise<void> => {
  const outcome = await decideAndCommit(
    ports,
    (store) => store.read({ delivery: byId(deliveries, claimed.id), memberships: teamOf(claimed.accountId) }),
    ({ delivery, memberships }, fresh) => {
      // Another process has claimed the delivery since: its outcome counts.
      if (delivery?.dueAt !== claimed.dueAt) return accept(null)
      const { accountId, id, url, event } = claimed
      const readers = memberships.records.filter(({ roleId }) => mayRead(roleOf(roleId), event))
      const data = { delivery_id: id, event, url }
      return accept(
        null,
        patch(deliveries, id, { set: end, when: leaseGuard(claimed) }),
        ...notify(fresh, readers, { accountId, type: 'webhook.failed', data }),
      )
    },
  )
  orThrow(outcome)
}

/** Posts a delivery; `fault` is the error of this process, if any. */
const postDelivery = async (
  ports: PaymentsPorts,
  delivery: Delivery,
  account: Account | null,
): Promise<{ readonly answer: WebhookAnswer; readonly fault: unknown }> => {
  const { webhookId, payload, url } = delivery
  try {
    if (!account) throw new Error(`no account ${delivery.accountId}`)
    const secret = webhookSecretOf(ports.cipher, account)
    const signed = signedHeaders(ports.digest, { secret, webhookId, now: ports.clock.now(), payload })
    const headers = { 'content-type': 'application/json', 'user-agent': 'Portico', ...signed }
    return { answer: await ports.webhooks.post({ url, headers, body: payload }), fault: null }
  } catch (fault) {
    return { answer: { error: INTERNAL_ERROR }, fault }
  }
}

type Outcome = Pick<Delivery, 'status' | 'response' | 'dueAt' | 'deliveredAt' | 'updatedAt'>

/** Returns the outcome of an attempt: 2xx is delivered, 410 is final, anything else, a redirect too, is retried. */
export const outcomeOf = (
  { attempts }: Pick<Delivery, 'attempts'>,
  answer: WebhookAnswer,
  { now, steady }: Pick<Fresh, 'now' | 'steady'>,
): Outcome => {
  const ended = { response: responseOf(answer), deliveredAt: null, updatedAt: now }
  if ('error' in answer) return retryOrFail(ended, nextAttempt(attempts, steady, null))
  const { status, retryAfterSeconds } = answer
  if (status >= 200 && status < 300) return { ...ended, status: 'delivered', dueAt: null, deliveredAt: now }
  return retryOrFail(ended, status === GONE ? null : nextAttempt(attempts, steady, retryAfterSeconds))
}

const retryOrFail = (ended: Omit<Outcome, 'status' | 'dueAt'>, dueAt: Instant | null): Outcome => ({
  ...ended,
  status: dueAt === null ? 'failed' : 'pending',
  dueAt,
})

const responseOf = (answer: WebhookAnswer): Delivery['response'] =>
  'error' in answer
    ? { status: null, body: null, error: answer.error }
    : { status: answer.status, body: replaceUnstorable(answer.body), error: null }

/** The seconds between an attempt and the next: ten attempts in three days. */
export const RETRY_STEPS_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/**
 * Returns the time of the next attempt; null after the last one. The receiver's `retryAfterSeconds` counts if it
 * exceeds the step of the schedule.
 */
const nextAttempt = (attempts: number, now: Instant, retryAfterSeconds: number | null): Instant | null => {
  const stepSeconds = RETRY_STEPS_SECONDS[attempts - 1]
  if (stepSeconds === undefined) return null
  return addSeconds(now, Math.max(stepSeconds, retryAfterSeconds ?? 0))
}

/**
 * Returns the headers that sign a webhook and its time, by the signature scheme of Standard Webhooks. `secret` is
 * base64, with the prefix `whsec_`.
 */
export const signedHeaders = (
  digest: Pick<Digest, 'hmacSha256'>,
  webhook: Pick<Delivery, 'webhookId' | 'payload'> & { readonly secret: string; readonly now: Instant },
): Readonly<Record<string, string>> => {
  const { secret, webhookId, now, payload } = webhook
  const key = decodeBase64(secret.replace(/^whsec_/, ''))
  const timestamp = epochSeconds(now)
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest.hmacSha256(key, `${webhookId}.${timestamp}.${payload}`)}`,
  }
}
