import { isLeft } from '../../../core/failure.ts'
import { eq } from '../../../core/kernel/records/record.ts'
import { addDays, dayOf } from '../../../core/kernel/values/day.ts'
import { accounts, apiKeyOf } from '../../../core/payments/accounts/account.ts'
import type { ChargeChange } from '../../../core/payments/charges/change.ts'
import type { PaymentMethod } from '../../../core/payments/charges/charge.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { CARD, CONFIRMED } from '../../../core/payments/ledger/ledger.ts'
import type { SplitReceiver } from '../../../core/payments/splits/split.ts'
import { byId, listOf } from '../../../core/ports/store.ts'
import type { Environment } from '../environment/environment.ts'
import { ask } from '../environment/process.ts'
import { DEAD_HOST, GONE_HOST } from '../environment/receivers.ts'
import { type Act, type Merchant, ONE_REQUEST, ofMerchant, some } from './cast.ts'
import { someCard } from './payers.ts'

const DOCUMENTS = ['12345678909', '11144477735', '52998224725'] as const
const HOSTS = ['um.test', 'tres.test', null, null] as const
const METHODS = ['PIX', 'PIX', 'PIX', 'BOLETO', 'BOLEPIX', 'BOLEPIX', 'CREDIT_CARD'] as const
const EVERYTHING = { page: 1, perPage: 500 }

/** Draws a new charge: mostly valid, sometimes due yesterday. */
export const someCharge = async (
  environment: Environment,
  { accountId }: Merchant,
  given: PaymentMethod | null = null,
): Promise<NewCharge> => {
  const { dice, agenda, store } = environment
  const today = dayOf(new Date(agenda.nowMs()).toISOString())
  const own = await store.list(listOf(clients, { where: eq('accountId', accountId), limit: 10 }))
  const client = dice.chance(0.3) ? some(environment, own.records) : null
  const document = dice.pick(DOCUMENTS)
  const host = dice.pick([...HOSTS, ...HOSTS, ...HOSTS, DEAD_HOST, GONE_HOST])
  const paymentMethod = given ?? dice.pick(METHODS)
  return {
    valueCents: dice.between(1, 50_000),
    paymentMethod,
    ...(paymentMethod === 'CREDIT_CARD' ? someCard(dice) : {}),
    dueDate: addDays(today, dice.pick([-1, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 5])),
    payer: client ? { clientId: client.id } : { name: 'Fulano', email: 'fulano@cliente.test', document },
    webhook: host && `https://${host}/pedidos/${dice.below(3)}`,
    amountRateHundredths: dice.pick([null, 100]),
    discountHundredths: dice.pick([null, 500]),
    daysDiscount: dice.pick([null, null, null, null, 0, 1]),
  }
}

const PERCENTS = [333, 3_333, 3_333, 5_000, 10_000] as const
const SHARED_CENTS = [1, 99, 500, 5_000] as const
const BEARERS = ['ISSUER', 'RECEIVER'] as const

/** Draws the splits of a charge: some of them of keys that do not serve, or of more than the value. */
const someSplits = async ({ dice, snapshot }: Environment, { accountId }: Merchant): Promise<Partial<NewCharge>> => {
  const { splitReceivers } = await snapshot()
  const serves = (each: SplitReceiver) => each.accountId !== accountId && each.revokedAt === null
  const receivers = splitReceivers.filter((each) => serves(each) || dice.chance(0.03)).slice(-6)
  const first = some({ dice }, receivers)
  if (!first || dice.chance(0.15)) return {}
  const others = receivers.filter((each) => each.accountId !== first.accountId || dice.chance(0.05))
  const second = dice.chance(0.3) ? some({ dice }, others) : null
  const splits = [first, ...(second ? [second] : [])].map(({ key }) => {
    const percentHundredths = dice.chance(0.05) ? 1 : dice.pick(PERCENTS)
    const share = dice.chance(0.6) ? { percentHundredths } : { amountCents: dice.pick(SHARED_CENTS) }
    return { key, ...share, feeBearer: dice.pick(BEARERS) }
  })
  return { splits }
}

const issuing = (method: PaymentMethod | null): Act =>
  ofMerchant(async (merchant, environment, cast, process) => {
    cast.requests += 1
    const description = `${ONE_REQUEST} ${cast.requests}`
    const splits = await someSplits(environment, merchant)
    const input = { ...(await someCharge(environment, merchant, method)), ...splits, description }
    const outcome = await ask(process, process.pay.charges.issue(merchant, input))
    const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.charge.id)
    environment.trace.note(`issue ${merchant.accountId} ${input.paymentMethod} ${input.valueCents}: ${said}`)
  })

export const issueCharge: Act = issuing(null)
export const issueCard: Act = issuing('CREDIT_CARD')

/** Lists or searches the charges of an account. */
export const listCharges = ofMerchant(async (merchant, { dice, broken }, _cast, process) => {
  const actor = { ...merchant, roleId: 1, permissions: [] }
  const search = dice.chance(0.7) ? dice.pick(DOCUMENTS) : undefined
  const page = await ask(process, process.pay.charges.list(actor, { ...EVERYTHING, search }))
  if (!page || isLeft(page)) return
  const { records, total } = page.right
  if (total < records.length) broken.push(`a page of ${records.length} charges has a total of ${total}`)
  if (records.some(({ charge }) => charge.accountId !== merchant.accountId)) broken.push('a charge of another account')
})

/** Reads a statement and checks that its sums agree with its balance, also while entries are posted. */
export const readStatement = ofMerchant(async (merchant, { dice, broken }, _cast, process) => {
  // Each book has a balance of its own.
  const filter = { ...EVERYTHING, status: dice.pick([CONFIRMED, CONFIRMED, CARD]) }
  const page = await ask(process, process.pay.statements.listTransactions(merchant, filter))
  if (!page || isLeft(page)) return
  const { records, total, incomeCents, expensesCents } = page.right
  const balanceCents = records[0]?.balanceCents ?? 0
  if (total !== records.length) broken.push(`a statement of ${records.length} lines has a total of ${total}`)
  if (incomeCents - expensesCents !== balanceCents) broken.push(`a statement's sums are not its balance`)
})

/** Picks a charge, often one with a running bank operation, so that two operations meet. */
const someHeld = async (environment: Environment) => {
  const { charges: held } = await environment.snapshot()
  const asked = held.filter(({ operationId }) => operationId !== null)
  const recent = held.slice(-6)
  return some(environment, environment.dice.chance(0.5) && asked.length > 0 ? asked : recent)
}

export const deleteCharge: Act = async (environment, _, process) => {
  const charge = await someHeld(environment)
  if (!charge) return
  const outcome = await ask(process, process.pay.charges.delete(charge, charge.id))
  environment.trace.note(`delete ${charge.id}: ${outcome?._tag}`)
}

const TITLE_METHODS = ['PIX', 'BOLETO', 'BOLEPIX'] as const

/** Changes a charge, with or without replacing its title. */
export const changeCharge: Act = async (environment, _, process) => {
  const { agenda, dice, trace } = environment
  const charge = await someHeld(environment)
  if (!charge) return
  const today = dayOf(new Date(agenda.nowMs()).toISOString())
  const change: ChargeChange = dice.pick([
    { valueCents: dice.between(1, 50_000) },
    { dueDate: addDays(today, dice.pick([0, 1, 5])) },
    { paymentMethod: dice.pick(TITLE_METHODS) },
    { details: 'outro' },
  ])
  const outcome = await ask(process, process.pay.charges.update(charge, charge.id, change))
  trace.note(`change ${charge.id}: ${outcome?._tag}`)
}

const KEYS = ['ana@cliente.test', 'bia@cliente.test', 'inexistente@cliente.test'] as const
/** Some are repeated within the hour, and some exceed the balance. */
const CENTS = [100, 100, 1_000, 2_500, 40_000] as const
const BANKS = ['341', '001'] as const

/** Withdraws to a Pix key or to the data of an account; some withdrawals repeat an earlier one. */
export const withdraw = ofMerchant(async (merchant, environment, _cast, process) => {
  const { accountId } = merchant
  const { dice, trace } = environment
  const valueCents = dice.pick(CENTS)
  const [key, ispb] = [dice.pick(KEYS), dice.pick(BANKS)]
  const isByKey = dice.chance(0.6)
  const account = await environment.store.find(byId(accounts, accountId))
  if (account && account.status !== 'ACTIVE')
    await ask(process, process.pay.organizations.update(merchant, { status: 'ACTIVE' }))
  const to = { name: 'Fulano', document: '12345678909', ispb, branch: '1', account: '12345-6' }
  const { payKey, payAccount } = process.pay.withdrawals
  const outcome = isByKey
    ? await ask(process, payKey(merchant, { key, valueCents }))
    : await ask(process, payAccount(merchant, { ...to, valueCents }))
  const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.withdrawal.status)
  trace.note(`${said === 'completed' ? 'withdrawn' : 'withdraw'} ${accountId} ${valueCents}: ${said}`)
})

const MOVED_CENTS = [100, 100, 700, 30_000] as const

/**
 * Transfers money to an account of the platform: mostly of another merchant, if any, and now and then the same account.
 */
export const transfer: Act = async (environment, cast, process) => {
  const { dice, trace, store } = environment
  const { books } = await environment.snapshot()
  const funded = cast.merchants.filter(({ accountId }) =>
    books.some(({ id, availableCents }) => id === `${accountId}:main` && availableCents > 0),
  )
  const from = some(environment, funded.length > 0 && dice.chance(0.8) ? funded : cast.merchants)
  if (!from) return
  const others = cast.merchants.filter(({ accountId }) => accountId !== from.accountId)
  const to = some(environment, others.length > 0 && dice.chance(0.9) ? others : cast.merchants)
  if (!to) return
  if (dice.chance(0.5)) await ask(process, process.pay.organizations.update(from, { status: 'ACTIVE' }))
  const valueCents = dice.pick(MOVED_CENTS)
  const receiver = await store.find(byId(accounts, to.accountId))
  if (!receiver) return
  const apiKey = apiKeyOf(process.ports.cipher, receiver)
  const outcome = await ask(process, process.pay.transfers.send(from, { apiKey, valueCents, description: null }))
  const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.status)
  trace.note(`${said === 'completed' ? 'moved' : 'move'} ${from.accountId} to ${to.accountId} ${valueCents}: ${said}`)
}

const CARD_CENTS = [1, 100, 5_000, 40_000] as const

/** Withdraws card sales to the available balance; some requests exceed it. */
export const withdrawSales = ofMerchant(async (merchant, environment, _cast, process) => {
  const amountCents = environment.dice.pick(CARD_CENTS)
  const outcome = await ask(process, process.pay.cardSales.withdraw(merchant, { amountCents }))
  const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.balanceCents)
  environment.trace.note(
    `${typeof said === 'number' ? 'settled' : 'settle'} ${merchant.accountId} ${amountCents}: ${said}`,
  )
})
