import { always, insert, patch, remove } from '../../core/kernel/records/record.ts'
import {
  type ApiKeyAccount,
  boletoOf,
  type ChargeDetail,
  type ChargeMoney,
  chargePageUrl,
  chargeStatusAt,
  dayOf,
  type Failure,
  isLeft,
  type KeyHooks,
  type NewCharge,
  type Payments,
  pixOf,
  readChargeMoney,
} from '../../core/mod.ts'
import type { BankAnswer } from '../../core/ports/bank.ts'
import type { ChargeOrder, Charging, EndedCharge, IssuedCharge } from '../../core/ports/charging.ts'
import { byId, StoreUnavailable } from '../../core/ports/store.ts'
import { type ChargedOrder, chargedOrders } from './charged-orders.ts'

type Core = Pick<Payments, 'access' | 'charges' | 'ports'>

/** Stores the order in the commits of the payments core. Its insert fails for a second issue of a reference. */
const orderHooks = (
  { id, accountId }: Pick<ChargedOrder, 'id' | 'accountId'>,
  begunAt: string,
): KeyHooks<ChargeDetail> => ({
  completed: () => [],
  started: (intent) => [
    insert(chargedOrders, {
      ...{ id, accountId, intent, begunAt },
      ...{ chargeId: null, received: null, keptCents: null, dueAt: null, attempts: 0, trace: null },
    }),
  ],
  succeeded: ({ charge }) => [patch(chargedOrders, id, { set: { chargeId: charge.id }, when: always })],
  refused: () => [remove(chargedOrders, id, always)],
  unresolved: () => [],
})

/** Runs a method of the port; `unknown` while the store is unavailable. */
const whileAvailable = async <T>(run: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StoreUnavailable) return UNKNOWN
    throw error
  }
}

/**
 * Issues charges on accounts of a payments core in the same process. Open its store with `chargingCollections` too. The
 * order is stored in the commits that issue its charge, so a reference is issued once.
 */
export const embeddedCharging = ({ access, charges, ports: { store, clock } }: Core): Charging => {
  const findAccount = async (apiKey: string): Promise<BankAnswer<ApiKeyAccount | null>> => {
    const found = await access.findByApiKey(apiKey)()
    if (!isLeft(found)) return done(found.right)
    return found.left.code === 'key.wrong' ? done(null) : UNKNOWN
  }
  const findOrder = (reference: string) => store.find(byId(chargedOrders, reference))
  const readCharge = async ({ accountId }: ChargedOrder, chargeId: number): Promise<ChargeDetail | null> => {
    const found = await charges.read({ accountId }, `${chargeId}`)()
    return isLeft(found) ? null : found.right
  }

  const resumeIssue = async (order: ChargedOrder): Promise<BankAnswer<ChargeDetail>> => {
    const known = order.chargeId === null ? null : await readCharge(order, order.chargeId)
    if (known && !isIssuing(known)) return done(known)
    // The charge may still be payable although its account is gone.
    if (!known && order.chargeId !== null) return refused(NO_ACCOUNT)
    const resumed = await charges.resume(order.intent)({ ...orderHooks(order, order.begunAt), started: () => [] })
    return isLeft(resumed) ? failureAnswer(resumed.left) : done(resumed.right)
  }
  const beginIssue = async (owner: ApiKeyAccount, order: ChargeOrder): Promise<BankAnswer<ChargeDetail>> => {
    const { accountId } = owner
    const hooks = orderHooks({ id: order.reference, accountId }, clock.steady())
    const issued = await charges.issue(owner, buildNewCharge(order))(hooks)
    if (!isLeft(issued)) return done(issued.right)
    // A concurrent order of the same reference was first.
    const known = issued.left.code === 'key.conflict' ? await findOrder(order.reference) : null
    return known ? resumeIssue(known) : failureAnswer(issued.left)
  }
  const moneyOf = ({ charge, asOf }: ChargeDetail): Promise<ChargeMoney> => readChargeMoney(store, charge, dayOf(asOf))
  const answerOf = async (answer: BankAnswer<ChargeDetail>): Promise<BankAnswer<IssuedCharge>> =>
    answer.outcome === 'done' ? issueAnswer(answer.value, await moneyOf(answer.value)) : answer

  const cancelCharge = async ({ accountId }: ChargedOrder, detail: ChargeDetail): Promise<BankAnswer<EndedCharge>> => {
    if ((await moneyOf(detail)).isSettled) return refused(ALREADY_PAID)
    const deleted = await charges.delete({ accountId }, detail.charge.id)()
    if (isLeft(deleted)) return deleted.left.code === 'charge.unknown' ? done(UNPAID) : failureAnswer(deleted.left)
    if (!deleted.right.isAnswered) return UNKNOWN
    // The payment may have been faster than the cancellation.
    const { keptCents, isSettled } = await moneyOf(deleted.right)
    return isSettled ? refused(ALREADY_PAID) : done({ receivedCents: keptCents })
  }

  /**
   * Closes an open charge of a removed account: a payment would be out of reach. A charge that the bank does not close
   * stays.
   */
  const closeIfRemoved = async (
    { accountId }: ChargedOrder,
    answer: BankAnswer<ChargeDetail>,
  ): Promise<BankAnswer<ChargeDetail>> => {
    if (answer.outcome !== 'done' || chargeStatusAt(answer.value.charge, answer.value.asOf) !== 'pending') return answer
    const account = await access.readAccount({ accountId, permissions: [] })()
    if (!isLeft(account) || account.left.code !== 'account.unknown') return answer
    const closed = await charges.delete({ accountId }, answer.value.charge.id)()
    if (isLeft(closed)) return closed.left.code === 'bank.refused' ? answer : failureAnswer(closed.left)
    return closed.right.isAnswered ? done(closed.right) : UNKNOWN
  }

  return {
    account: (apiKey) =>
      whileAvailable(async () => {
        const owner = await findAccount(apiKey)
        return owner.outcome === 'done' ? done(owner.value && { name: owner.value.name }) : owner
      }),
    issue: (order) =>
      whileAvailable(async () => {
        const owner = await findAccount(order.apiKey)
        if (owner.outcome !== 'done') return owner
        if (!owner.value) return refused(NO_KEY)
        const known = await findOrder(order.reference)
        if (known && known.accountId !== owner.value.accountId) return refused(NO_KEY)
        return answerOf(known ? await resumeIssue(known) : await beginIssue(owner.value, order))
      }),
    // The reference is enough: it cannot be guessed, and the API key may have been deleted since.
    find: ({ reference }) =>
      whileAvailable(async () => {
        const order = await findOrder(reference)
        if (!order) return done(null)
        const answer = await answerOf(await closeIfRemoved(order, await resumeIssue(order)))
        return answer.outcome === 'refused' && order.chargeId === null ? done(null) : answer
      }),
    cancel: ({ reference }) =>
      whileAvailable(async () => {
        const order = await findOrder(reference)
        if (!order) return done(UNPAID)
        const issued = await resumeIssue(order)
        if (issued.outcome === 'refused' && order.chargeId === null) return done(UNPAID)
        if (issued.outcome !== 'done') return issued
        return isIssuing(issued.value) ? UNKNOWN : cancelCharge(order, issued.value)
      }),
  }
}

const UNPAID: EndedCharge = { receivedCents: 0 }

const METHODS = { Pix: 'PIX', Boleto: 'BOLETO' } as const
/** A percentage has at most 4 decimals. */
const STEPS_PER_PERCENT = 10_000
const STEPS_PER_HUNDREDTH = 100

/** Hundredths of a percent, rounded down: never more interest than agreed. */
const truncatedHundredths = (percent: number): number =>
  Math.floor(Math.round(percent * STEPS_PER_PERCENT) / STEPS_PER_HUNDREDTH)

/**
 * Interest and discount are 0 if there are none, and so is the fine, which the agency adds to a late rent itself:
 * absent ones would mean the defaults of the account.
 */
const buildNewCharge = (order: ChargeOrder): NewCharge => ({
  valueCents: order.valueCents,
  paymentMethod: METHODS[order.method],
  dueDate: order.dueDate,
  description: order.description,
  amountRateHundredths: truncatedHundredths(order.interestPercentage ?? 0),
  typeRate: 'PERCENTAGE',
  fineHundredths: 0,
  discountHundredths: order.discountCents ?? 0,
  typeDiscount: 'ABSOLUTE',
  payer: { name: order.payer.name, email: order.payer.email, document: order.payer.taxId },
})

const statusOf = ({ charge, asOf }: ChargeDetail, { isSettled }: ChargeMoney): IssuedCharge['status'] => {
  // A paid charge may have been deleted since, and a deleted one paid.
  if (isSettled) return 'Paid'
  return chargeStatusAt(charge, asOf) === 'pending' ? 'Open' : 'Ended'
}

const issuedCharge = (detail: ChargeDetail, money: ChargeMoney): IssuedCharge => {
  const boleto = boletoOf(detail)
  return {
    id: detail.charge.code,
    status: statusOf(detail, money),
    receivedCents: money.keptCents,
    valueCents: detail.charge.valueCents,
    dueDate: detail.charge.dueDate,
    pixText: pixOf(detail)?.qrcode ?? null,
    digitableLine: boleto?.digitableLine ?? null,
    boletoUrl: boleto?.pathPdf ?? null,
    url: chargePageUrl(detail.publicUrl, detail.charge),
  }
}

/** Reports whether the title of a charge is not registered yet. */
const isIssuing = ({ charge: { status, pix, boleto } }: ChargeDetail): boolean =>
  status === 'pending' && pix === null && boleto === null

const CHARGE_REFUSED = 'A conta de pagamentos recusou a cobrança.'

const issueAnswer = (detail: ChargeDetail, money: ChargeMoney): BankAnswer<IssuedCharge> => {
  if (isIssuing(detail)) return UNKNOWN
  const { status, failure } = detail.charge
  return status === 'failed' ? refused(failure ?? CHARGE_REFUSED) : done(issuedCharge(detail, money))
}

export const done = <T>(value: T): BankAnswer<T> => ({ outcome: 'done', value })
export const refused = (reason: string): BankAnswer<never> => ({ outcome: 'refused', reason })
const UNKNOWN: BankAnswer<never> = { outcome: 'unknown' }

export const NO_KEY = 'A chave de API não abre a conta de pagamentos.'
const NO_ACCOUNT = 'A conta de pagamentos não existe mais.'
export const ALREADY_PAID = 'A cobrança já foi paga.'

const REASONS: Readonly<Record<string, string>> = {
  'account.unknown': NO_ACCOUNT,
  'organization.inactive': 'A conta de pagamentos não aceita cobranças agora.',
  'bank.unsupported': 'O banco da conta de pagamentos não emite esta forma de cobrança.',
}

/** Reasons for invalid orders, by the first wrong field. */
const FIELDS: Readonly<Record<string, string>> = {
  valueCents: 'O valor não cabe nos limites ou no saldo da conta de pagamentos.',
  dueDate: 'O vencimento já passou.',
  discountHundredths: 'O desconto não deixa nada a pagar, ou é alto demais.',
  amountRateHundredths: 'Os juros são altos demais.',
}

const REFUSED = 'A conta de pagamentos recusou a operação.'

/** Codes of failures after which the charge may have been issued. */
const UNCERTAIN: readonly string[] = ['charge.busy', 'key.conflict']

const failureAnswer = (failure: Failure): BankAnswer<never> => {
  const { tag, code } = failure
  if (code === 'bank.unavailable') return { outcome: 'unavailable' }
  if (tag === 'unavailable' || UNCERTAIN.includes(code)) return UNKNOWN
  if ('reason' in failure && failure.reason !== undefined) return refused(failure.reason)
  const [wrong] = tag === 'invalid' ? failure.issues : []
  return refused((wrong && FIELDS[wrong.path]) ?? REASONS[code] ?? REFUSED)
}
