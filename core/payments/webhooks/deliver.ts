import { patch } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { applyOutcome, leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { accept, decideAndCommit, orThrow } from '../../kernel/running/use-case.ts'
import { addSeconds, epochSeconds, type Instant } from '../../kernel/values/day.ts'
import { decodeBase64 } from '../../kernel/values/encoding.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import type { WebhookAnswer } from '../../ports/messaging.ts'
import type { Digest } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { webhookSecretOf } from '../accounts/account-secrets.ts'
import { teamOf } from '../members/membership.ts'
import { notify } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Delivery, deliveries } from './delivery.ts'

/** Longer than the 15 s that a receiver has. */
export const DELIVERY_LEASE_SECONDS = 60
/** Enough that some receivers that never answer hold up nobody else. */
const DELIVERIES_AT_ONCE = 128

/** The `error` of a try that failed on our own side. */
const INTERNAL_ERROR = 'internal'
const GONE = 410

/** The queue of deliveries: each try posts, and records what came of it. Source: decisions.md §3, Events. */
export const deliveryQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: deliveries,
    leaseSeconds: DELIVERY_LEASE_SECONDS,
    atOnce: DELIVERIES_AT_ONCE,
    host: 'host',
    // However many hosts an account names.
    owner: 'accountId',
    handle: async (delivery) => {
      const { answer, fault } = await postDelivery(ports, delivery)
      const { clock } = ports
      const outcome = outcomeOf(delivery, answer, { now: clock.now(), steady: clock.steady() })
      if (outcome.status === 'failed') await failAndNotify(ports, delivery, outcome)
      else await applyOutcome(ports.store, deliveries, delivery, outcome)
      // Recorded as a failed try and yet an error of ours: the worker reports it.
      if (fault !== null) throw fault
    },
  })

/** The end of a delivery that reached nobody, told to those who work in the account, in one commit. */
const failAndNotify = async (ports: PaymentsPorts, claimed: Delivery, outcome: Outcome): Promise<void> => {
  const given = await decideAndCommit(
    ports,
    (store) => store.read({ delivery: byId(deliveries, claimed.id), memberships: teamOf(claimed.accountId) }),
    ({ delivery, memberships }, fresh) => {
      // Where somebody else has claimed it since, theirs counts.
      if (delivery?.dueAt !== claimed.dueAt) return accept(null)
      const { accountId, id, url, event } = claimed
      const data = { delivery_id: id, event, url }
      return accept(
        null,
        patch(deliveries, id, { set: outcome, when: leaseGuard(claimed) }),
        ...notify(fresh, memberships.records, { accountId, type: 'webhook.failed', data }),
      )
    },
  )
  orThrow(given)
}

interface PostResult {
  readonly answer: WebhookAnswer
  readonly fault: unknown
}

const postDelivery = async (ports: PaymentsPorts, delivery: Delivery): Promise<PostResult> => {
  const account = await ports.store.find(byId(accounts, delivery.accountId))
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

/** What a try comes to: any 2xx delivers; 410 ends it; all else, redirects too, is tried again as long as steps are left. */
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

/** Seconds between one failed try and the next: ten tries in three days. Source: decisions.md §3, Events. */
export const RETRY_STEPS_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/**
 * When to try again after so many tries, or null to give up. What the receiver asked for (`retryAfterSeconds`) counts
 * where it is longer than the next step.
 */
export const nextAttempt = (attempts: number, now: Instant, retryAfterSeconds: number | null): Instant | null => {
  const stepSeconds = RETRY_STEPS_SECONDS[attempts - 1]
  if (stepSeconds === undefined) return null
  return addSeconds(now, Math.max(stepSeconds, retryAfterSeconds ?? 0))
}

const PREFIX = 'whsec_'

interface SignedParts {
  /** `whsec_` and base64. */
  readonly secret: string
  readonly webhookId: string
  readonly now: Instant
  readonly payload: string
}

/**
 * The headers by which a receiver knows that a webhook is ours, and when it was sent.
 * Source: the Standard Webhooks specification, Signature scheme.
 */
export const signedHeaders = (
  digest: Pick<Digest, 'hmacSha256'>,
  { secret, webhookId, now, payload }: SignedParts,
): Readonly<Record<string, string>> => {
  const key = decodeBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  const timestamp = epochSeconds(now)
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest.hmacSha256(key, `${webhookId}.${timestamp}.${payload}`)}`,
  }
}
