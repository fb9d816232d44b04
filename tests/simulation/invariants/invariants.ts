import { digest } from '../../../adapters/crypto/cipher.ts'
import { fromEpochMs } from '../../../core/kernel/values/day.ts'
import { CHAIN_START, checkChainEnd, followEntry } from '../../../core/office/audit.ts'
import { type Cast, isOneKey } from '../actors/cast.ts'
import type { Environment } from '../environment/environment.ts'
import { DEAD_HOST, GONE_HOST } from '../environment/receivers.ts'
import { MOST_TRIES } from '../environment/watch.ts'
import { openedOnce, registeredOnce } from './accounts.ts'
import { cardsAnswered, cardsReconciled, linksKept, postedAsTaken, salesWithdrawn } from './cards.ts'
import { askedUntilAnswered, chargedOnce, inTime, paidAsPosted, restAsPaid, toldOnce } from './charges.ts'
import { deliveredAsAnswered, fannedOutOnce, mailedOrTried } from './deliveries.ts'
import { groupBy, type Invariant, type Judged, unless } from './judged.ts'
import { booksFold, journalsBalance, postedAsPaid } from './ledger.ts'
import { givenBackOnce, moneyOutEnds, movedOnce, paidOutOnce, waitingCounted } from './money-out.ts'
import {
  amountsAsPromised,
  returnsPosted,
  sharesAsDue,
  sharesAsPaid,
  sharesReleased,
  sharesTakenBack,
} from './splits.ts'

const ALWAYS: readonly Invariant[] = [
  ...[journalsBalance, booksFold, postedAsPaid, postedAsTaken, salesWithdrawn],
  ...[paidOutOnce, waitingCounted, movedOnce, givenBackOnce],
  ...[sharesAsPaid, sharesAsDue, amountsAsPromised, sharesTakenBack, returnsPosted],
  ...[paidAsPosted, restAsPaid, askedUntilAnswered, cardsAnswered, linksKept, toldOnce, chargedOnce],
  ...[openedOnce, registeredOnce, fannedOutOnce, deliveredAsAnswered, mailedOrTried, inTime],
]

export const judgedNow = async (environment: Environment, cast: Cast): Promise<Judged> => ({
  held: await environment.snapshot(),
  bank: await environment.bank.books(),
  acquirer: environment.acquirer.books(),
  environment,
  cast,
  now: fromEpochMs(environment.agenda.nowMs()),
})

/** Returns the current violations and those noted since the last call. */
export const brokenNow = async (
  environment: Environment,
  cast: Cast,
  more: readonly Invariant[] = [],
): Promise<readonly string[]> => {
  const judged = await judgedNow(environment, cast)
  return [...environment.broken.splice(0), ...[...ALWAYS, ...more].flatMap((invariant) => invariant(judged))]
}

/**
 * The most look-ups of one order at the bank after the faults end: an order unknown to the bank is looked up for the
 * three hours in which it may still arrive, and on three more days.
 */
const MOST_POLLS = 10

/** No work is due on either side. */
export const nothingWaits: Invariant = ({ held, bank }) => [
  ...held.operations.filter(({ dueAt }) => dueAt !== null).map(({ id, kind }) => `${kind} ${id} waits`),
  ...held.events.filter(({ dueAt }) => dueAt !== null).map(({ id }) => `event ${id} waits`),
  ...held.restTitles.filter(({ dueAt }) => dueAt !== null).map(({ id }) => `the title of charge ${id} waits`),
  ...held.deliveries.filter(({ dueAt }) => dueAt !== null).map(({ id }) => `delivery ${id} waits`),
  ...held.mails.filter(({ dueAt }) => dueAt !== null).map(({ id }) => `mail ${id} waits`),
  ...held.auditChains.filter(({ dueAt }) => dueAt !== null).map(({ id }) => `chain ${id} waits`),
  ...held.messages.filter(({ dueAt }) => dueAt !== null).map(({ id }) => `message ${id} waits`),
  ...unless([[bank.untold === 0, `the bank has ${bank.untold} notices not accepted`]]),
]

/** Each operation ends, and a charge that accepts no payment has no open title at the bank. */
export const everyIntentEnds: Invariant = ({ held, bank }) => {
  const open = new Set(bank.titles.filter(({ cancelled }) => !cancelled).map(({ txid }) => txid))
  const paid = new Set(bank.payments.map(({ txid }) => txid))
  return [
    ...held.operations.flatMap(({ id, kind, state, dueAt, expiresAt }) =>
      unless([[state !== 'asking' && dueAt === null && expiresAt !== null, `${kind} ${id} is ${state} at the end`]]),
    ),
    ...held.charges
      .filter(({ operationId }) => operationId !== null)
      .map(({ id, operationId }) => `charge ${id} waits for ${operationId}`),
    ...held.openings.map(({ id }) => `opening ${id} has not ended`),
    ...held.charges
      .filter(({ status, txid }) => CLOSED.includes(status) && open.has(txid ?? '') && !paid.has(txid ?? ''))
      .map(({ id, status }) => `charge ${id} is ${status}, and its title is open`),
  ]
}

const CLOSED = ['paid', 'paidwithpix', 'cancelled', 'failed', 'DELETED']

/** Payments, titles and accounts of the bank are known to the platform, and each order was settled in few look-ups. */
export const reconciled: Invariant = ({ held, bank, environment }) => {
  const posted = new Set(held.journals.map(({ cause }) => cause))
  const titled = held.charges.filter(({ pix, boleto }) => pix !== null || boleto !== null)
  const made = new Set(titled.map(({ txid }) => txid))
  const paid = new Set(bank.payments.map(({ txid }) => txid))
  const opened = new Set(held.accounts.map(({ uuid }) => uuid))
  return [
    ...bank.payments
      .filter(({ endToEndId }) => !['pix-in', 'boleto-in'].some((kind) => posted.has(`${kind}:${endToEndId}`)))
      .map(({ endToEndId }) => `${endToEndId} is not posted`),
    ...bank.titles
      .filter(({ txid, cancelled }) => !cancelled && !made.has(txid) && !paid.has(txid))
      .map(({ txid }) => `title ${txid} is lost`),
    ...bank.accounts.filter((id) => !opened.has(id)).map((id) => `account ${id} is lost`),
    ...[...environment.asked.polls]
      .filter(([, polls]) => polls > MOST_POLLS)
      .map(([id, polls]) => `${id} asked ${polls} times`),
  ]
}

/** Each reachable receiver was notified, the others were tried as often as specified. */
export const allNotified: Invariant = ({ held, environment }) => [
  ...held.deliveries.flatMap(({ id, url, status, attempts, webhookId }) => {
    const { host } = new URL(url)
    const received = environment.receivers.received.get(webhookId)
    return unless([
      [status !== 'failed' || received?.gone === true || attempts >= MOST_TRIES, `${id} was given up`],
      [host !== DEAD_HOST || status === 'failed', `delivery ${id} to a dead host is ${status}`],
      [
        host !== GONE_HOST || (status === 'failed' && received?.gone === true),
        `delivery ${id} to ${host} is ${status}`,
      ],
    ])
  }),
  ...held.users
    .filter(({ email }) => !environment.watch.mailed.has(email))
    .map(({ email }) => `no mail was queued for ${email}`),
]

/** Each charge answered under a key exists, once. */
export const keysKept: Invariant = ({ held, environment, cast }) => {
  const made = groupBy(
    held.charges.filter(({ failure }) => failure === null),
    ({ description }) => description,
  )
  return cast.orders
    .filter((order) => isOneKey(order, environment.agenda.nowMs()))
    .flatMap(({ key, answers, last }) => {
      const own = made.get(key) ?? []
      const promised = answers.map((body) => (JSON.parse(body) as { id: number }).id)
      const isKept = promised.every((id) =>
        held.charges.some((charge) => charge.id === id && charge.description === key),
      )
      return unless([
        [isKept, `${key} was answered ${promised} and has ${own.map(({ id }) => id)}`],
        [last !== 'key.running', `${key} runs at the end`],
        [own.length <= 1, `${key} has ${own.length} charges`],
      ])
    })
}

/** Each organization answered under a key exists, once, and the key is not left running. */
const openingsKept: Invariant = ({ held, cast }) =>
  cast.openings.flatMap(({ key, input, answers, last }) => {
    const own = held.accounts.filter(({ document }) => document === input.document)
    return unless([
      [own.length <= 1, `${key} has ${own.length} accounts`],
      [answers.every((uuid) => own.some((account) => account.uuid === uuid)), `${key} was answered ${answers}`],
      [last !== 'key.running', `${key} runs at the end`],
    ])
  })

/** Each audit chain is complete and linked to its end. */
const linked: Invariant = ({ held }) => {
  const entries = groupBy(held.auditEntries, ({ chain }) => chain)
  const counted = held.auditChains.reduce((sum, { seq }) => sum + seq, 0)
  return [
    ...held.auditChains.flatMap((chain) => {
      const own = (entries.get(chain.id) ?? []).toSorted((a, b) => a.seq - b.seq)
      const followed = own.reduce(followEntry(digest), CHAIN_START)
      return [
        ...checkChainEnd(chain, followed),
        ...unless([[followed.linkedSeq === chain.seq, `${chain.id} is not linked`]]),
      ]
    }),
    ...unless([
      [counted === held.auditEntries.length, `${counted} audited of ${held.auditEntries.length}`],
      [held.users.every(({ id }) => entries.has(`user:${id}`)), 'a registration was not audited'],
      [held.accounts.every(({ id }) => entries.has(`account:${id}`)), 'an opening was not audited'],
    ]),
  ]
}

export const QUIET: readonly Invariant[] = [
  nothingWaits,
  moneyOutEnds,
  sharesReleased,
  everyIntentEnds,
  openingsKept,
  reconciled,
  cardsReconciled,
  allNotified,
  keysKept,
  linked,
]
