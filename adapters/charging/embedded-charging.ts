import { insert, patch, remove } from '../../core/kernel/records/change.ts'
import { always } from '../../core/kernel/records/where.ts'
import {
  type ApiKeyAccount,
  boletoOf,
  type ChargeDetail,
  chargePageUrl,
  chargeStatusAt,
  isLeft,
  type KeyHooks,
  type NewCharge,
  type Payments,
  pixOf,
} from '../../core/mod.ts'
import type { BankAnswer } from '../../core/ports/bank.ts'
import type { ChargeOrder, Charging, IssuedCharge } from '../../core/ports/charging.ts'
import { byId, StoreUnavailable } from '../../core/ports/store.ts'
import { done, failureAnswer, GONE, NO_KEY, PAID, refused, UNKNOWN } from './answers.ts'
import { type ChargedOrder, chargedOrders } from './charged-orders.ts'

type Core = Pick<Payments, 'access' | 'charges' | 'ports'>

/** What rides in the commits of the payments core: whoever begins an issue under a reference is the only one. */
const hooksOf = (
  { id, accountId }: Pick<ChargedOrder, 'id' | 'accountId'>,
  begunAt: string,
): KeyHooks<ChargeDetail> => ({
  completed: () => [],
  started: (intent) => [
    insert(chargedOrders, {
      ...{ id, accountId, intent, begunAt },
      ...{ chargeId: null, received: null, dueAt: null, attempts: 0, trace: null },
    }),
  ],
  succeeded: ({ charge }) => [patch(chargedOrders, id, { set: { chargeId: charge.id }, when: always })],
  refused: () => [remove(chargedOrders, id, always)],
  unresolved: () => [],
})

/** Nothing rejects: a store that is away is nobody who answers. */
const unlessAway = async <T>(ask: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StoreUnavailable) return UNKNOWN
    throw error
  }
}

/**
 * Charges on the accounts of a payments core in the same process, whose store is opened with `chargingCollections` too. What was
 * issued under a reference is kept in the commits by which it is issued, and so never twice.
 */
export const embeddedCharging = ({ access, charges, ports: { store, clock } }: Core): Charging => {
  const ownerOf = async (apiKey: string): Promise<BankAnswer<ApiKeyAccount | null>> => {
    const found = await access.findByApiKey(apiKey)()
    if (!isLeft(found)) return done(found.right)
    return found.left.code === 'key.wrong' ? done(null) : UNKNOWN
  }
  const orderOf = (reference: string) => store.find(byId(chargedOrders, reference))
  const readCharge = async ({ accountId }: ChargedOrder, chargeId: number): Promise<ChargeDetail | null> => {
    const found = await charges.read({ accountId }, `${chargeId}`)()
    return isLeft(found) ? null : found.right
  }

  /** An issue that was begun, as it is now. */
  const carryOn = async (order: ChargedOrder): Promise<BankAnswer<ChargeDetail>> => {
    const known = order.chargeId === null ? null : await readCharge(order, order.chargeId)
    if (known && !isAsked(known)) return done(known)
    // Whatever became of its account, somebody may still pay it.
    if (!known && order.chargeId !== null) return refused(GONE)
    const resumed = await charges.resume(order.intent)({ ...hooksOf(order, order.begunAt), started: () => [] })
    return isLeft(resumed) ? failureAnswer(resumed.left) : done(resumed.right)
  }
  const begin = async (owner: ApiKeyAccount, order: ChargeOrder): Promise<BankAnswer<ChargeDetail>> => {
    const { accountId } = owner
    const hooks = hooksOf({ id: order.reference, accountId }, clock.steady())
    const issued = await charges.issue(owner, newChargeOf(order))(hooks)
    if (!isLeft(issued)) return done(issued.right)
    // Somebody else orders the same at the same time.
    const known = issued.left.code === 'key.conflict' ? await orderOf(order.reference) : null
    return known ? carryOn(known) : failureAnswer(issued.left)
  }
  const answerOf = (asked: BankAnswer<ChargeDetail>): BankAnswer<IssuedCharge> =>
    asked.outcome === 'done' ? issueAnswer(asked.value) : asked

  const close = async ({ accountId }: ChargedOrder, { charge }: ChargeDetail): Promise<BankAnswer<null>> => {
    if (charge.paymentDate !== null) return refused(PAID)
    const deleted = await charges.delete({ accountId }, charge.id)()
    if (isLeft(deleted)) return deleted.left.code === 'charge.unknown' ? done(null) : failureAnswer(deleted.left)
    if (!deleted.right.isAnswered) return UNKNOWN
    // Who was faster than the cancellation has paid.
    return deleted.right.charge.paymentDate === null ? done(null) : refused(PAID)
  }

  return {
    account: (apiKey) =>
      unlessAway(async () => {
        const owner = await ownerOf(apiKey)
        return owner.outcome === 'done' ? done(owner.value && { name: owner.value.name }) : owner
      }),
    issue: (order) =>
      unlessAway(async () => {
        const owner = await ownerOf(order.apiKey)
        if (owner.outcome !== 'done') return owner
        if (!owner.value) return refused(NO_KEY)
        const known = await orderOf(order.reference)
        if (known && known.accountId !== owner.value.accountId) return refused(NO_KEY)
        return answerOf(known ? await carryOn(known) : await begin(owner.value, order))
      }),
    // A reference is enough: nobody guesses it, and the key may open nothing by now.
    find: ({ reference }) =>
      unlessAway(async () => {
        const order = await orderOf(reference)
        if (!order) return done(null)
        const answer = answerOf(await carryOn(order))
        return answer.outcome === 'refused' && order.chargeId === null ? done(null) : answer
      }),
    cancel: ({ reference }) =>
      unlessAway(async () => {
        const order = await orderOf(reference)
        if (!order) return done(null)
        const asked = await carryOn(order)
        if (asked.outcome === 'refused' && order.chargeId === null) return done(null)
        if (asked.outcome !== 'done') return asked
        return isAsked(asked.value) ? UNKNOWN : close(order, asked.value)
      }),
  }
}

const METHODS = { Pix: 'PIX', Boleto: 'BOLETO' } as const
/** Steps of a number of percent, which has at most 4 decimals, and of them in a hundredth. */
const STEPS = 10_000
const STEPS_IN_HUNDREDTH = 100

/** Hundredths of a percent, as the payments core knows them: never more than was agreed. */
const truncatedHundredths = (percent: number): number => Math.floor(Math.round(percent * STEPS) / STEPS_IN_HUNDREDTH)

/** What is asked of the payments core; 0 asks for no interest and no discount, where nothing would mean the account's own. */
export const newChargeOf = (order: ChargeOrder): NewCharge => ({
  valueCents: order.valueCents,
  paymentMethod: METHODS[order.method],
  dueDate: order.dueDate,
  description: order.description,
  amountRateHundredths: truncatedHundredths(order.interestPercentage ?? 0),
  typeRate: 'PERCENTAGE',
  discountHundredths: order.discountCents ?? 0,
  typeDiscount: 'ABSOLUTE',
  payer: { name: order.payer.name, email: order.payer.email, document: order.payer.taxId },
})

const statusOf = ({ charge, asOf }: ChargeDetail): IssuedCharge['status'] => {
  // A paid one that was deleted was paid all the same.
  if (charge.paymentDate !== null) return 'Paid'
  return chargeStatusAt(charge, asOf) === 'pending' ? 'Open' : 'Ended'
}

/** A charge of the payments core as whoever ordered it knows it. */
export const issuedCharge = (detail: ChargeDetail): IssuedCharge => {
  const boleto = boletoOf(detail)
  return {
    id: detail.charge.code,
    status: statusOf(detail),
    valueCents: detail.charge.valueCents,
    dueDate: detail.charge.dueDate,
    pixText: pixOf(detail)?.qrcode ?? null,
    digitableLine: boleto?.digitableLine ?? null,
    boletoUrl: boleto?.pathPdf ?? null,
    url: chargePageUrl(detail.publicUrl, detail.charge),
  }
}

/** Whether the bank has said nothing of its title yet. */
export const isAsked = ({ charge: { status, pix, boleto } }: ChargeDetail): boolean =>
  status === 'pending' && pix === null && boleto === null

const REFUSED = 'A conta de pagamentos recusou a cobrança.'

/** What came of an issue. */
export const issueAnswer = (detail: ChargeDetail): BankAnswer<IssuedCharge> => {
  if (isAsked(detail)) return { outcome: 'unknown' }
  const { status, failure } = detail.charge
  if (status === 'failed') return { outcome: 'refused', reason: failure ?? REFUSED }
  return { outcome: 'done', value: issuedCharge(detail) }
}
