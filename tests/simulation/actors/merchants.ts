import { isLeft } from '../../../core/fp.ts'
import { eq } from '../../../core/kernel/records/where.ts'
import { addDays, dayOf } from '../../../core/kernel/values/day.ts'
import type { PaymentMethod } from '../../../core/payments/charges/charge.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { CARD, CONFIRMED } from '../../../core/payments/ledger/ledger.ts'
import { listOf } from '../../../core/ports/store.ts'
import type { Environment } from '../environment/environment.ts'
import { ask } from '../environment/process.ts'
import { DEAD_HOST, GONE_HOST } from '../environment/receivers.ts'
import { someCard } from './cards.ts'
import { type Act, type Merchant, ONE_REQUEST, some } from './cast.ts'

const DOCUMENTS = ['12345678909', '11144477735', '52998224725'] as const
const HOSTS = ['um.test', 'tres.test', null, null] as const
const METHODS = ['PIX', 'PIX', 'PIX', 'PIX', 'BOLETO', 'BOLEPIX', 'CREDIT_CARD'] as const
const EVERYTHING = { page: 1, perPage: 500 }

/** What somebody asks to be paid: mostly right, sometimes due yesterday. */
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
    dueDate: addDays(today, dice.pick([-1, 0, 0, 0, 1, 2, 5])),
    payer: client ? { clientId: client.id } : { name: 'Fulano', email: 'fulano@cliente.test', document },
    webhook: host && `https://${host}/pedidos/${dice.below(3)}`,
    amountRateHundredths: dice.pick([null, 100]),
    discountHundredths: dice.pick([null, 500]),
    daysDiscount: dice.pick([null, 0, 1]),
  }
}

const issuing =
  (method: PaymentMethod | null): Act =>
  async (environment, cast, process) => {
    const merchant = some(environment, cast.merchants)
    if (!merchant) return
    cast.requests += 1
    const description = `${ONE_REQUEST} ${cast.requests}`
    const input = { ...(await someCharge(environment, merchant, method)), description }
    const outcome = await ask(process, process.pay.charges.issue(merchant, input))
    const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.charge.id)
    environment.trace.note(`issue ${merchant.accountId} ${input.paymentMethod} ${input.valueCents}: ${said}`)
  }

export const issueCharge: Act = issuing(null)
/** The same by a card. */
export const issueCard: Act = issuing('CREDIT_CARD')

/** Somebody looks for a payer's charges: the bank is asked what became of them. */
export const listCharges: Act = async ({ dice, broken }, cast, process) => {
  const merchant = some({ dice }, cast.merchants)
  if (!merchant) return
  const actor = { ...merchant, roleId: 1, permissions: [] }
  const search = dice.chance(0.7) ? dice.pick(DOCUMENTS) : undefined
  const page = await ask(process, process.pay.charges.list(actor, { ...EVERYTHING, search }))
  if (!page || isLeft(page)) return
  const { records, total } = page.right
  if (total < records.length) broken.push(`a page of ${records.length} charges has a total of ${total}`)
  if (records.some(({ charge }) => charge.accountId !== merchant.accountId)) broken.push('a charge of another account')
}

/** Somebody reads a statement: it is what it says it is, whoever posts meanwhile. */
export const readStatement: Act = async ({ dice, broken }, cast, process) => {
  const merchant = some({ dice }, cast.merchants)
  if (!merchant) return
  // Each book has a balance of its own.
  const filter = { ...EVERYTHING, status: dice.pick([CONFIRMED, CONFIRMED, CARD]) }
  const page = await ask(process, process.pay.statements.listTransactions(merchant, filter))
  if (!page || isLeft(page)) return
  const { records, total, incomeCents, expensesCents } = page.right
  const balanceCents = records[0]?.balanceCents ?? 0
  if (total !== records.length) broken.push(`a statement of ${records.length} lines has a total of ${total}`)
  if (incomeCents - expensesCents !== balanceCents) broken.push(`a statement's sums are not its balance`)
}
