import { isLeft } from '../../../core/fp.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { apiKeyOf } from '../../../core/payments/accounts/account-secrets.ts'
import { byId } from '../../../core/ports/store.ts'
import { ask } from '../environment/process.ts'
import { type Act, some } from './cast.ts'

const KEYS = ['ana@cliente.test', 'bia@cliente.test', 'inexistente@cliente.test'] as const
/** Some of them again within the hour, and some more than there is. */
const CENTS = [100, 100, 1_000, 2_500, 40_000] as const
const BANKS = ['341', '001'] as const

/** Somebody has money leave, by a key or by the data of an account: mostly there is some, and now and then the same again. */
export const withdraw: Act = async (environment, cast, process) => {
  const merchant = some(environment, cast.merchants)
  if (!merchant) return
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
}

const MOVED_CENTS = [100, 100, 700, 30_000] as const

/** Somebody sends money to another account of the platform, which may be their own. */
export const transfer: Act = async (environment, cast, process) => {
  const [from, to] = [some(environment, cast.merchants), some(environment, cast.merchants)]
  if (!from || !to) return
  const { dice, trace, store } = environment
  const valueCents = dice.pick(MOVED_CENTS)
  const receiver = await store.find(byId(accounts, to.accountId))
  if (!receiver) return
  const apiKey = apiKeyOf(process.ports.cipher, receiver)
  const outcome = await ask(process, process.pay.transfers.send(from, { apiKey, valueCents, description: null }))
  const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.status)
  trace.note(`${said === 'completed' ? 'moved' : 'move'} ${from.accountId} to ${to.accountId} ${valueCents}: ${said}`)
}

/** Somebody gives a payer their Pix back, or some of it, or more than is left. */
export const refund: Act = async (environment, _, process) => {
  const { bank, dice, trace } = environment
  const { charges } = await environment.snapshot()
  const charge = some(
    environment,
    charges.filter(({ paymentDate, card }) => paymentDate !== null && card === null).slice(-8),
  )
  if (!charge) return
  const valueCents = dice.pick([null, 1, 100, 5_000])
  const actor = { userId: charge.createdBy ?? 1, accountId: charge.accountId }
  const { payments } = await bank.books()
  // A charge may have got several: now and then nobody says which.
  const paid = dice.chance(0.8)
    ? some(
        environment,
        payments.filter(({ txid }) => txid === charge.pix?.txid),
      )
    : null
  const of = paid ? { endToEndId: paid.endToEndId } : {}
  const outcome = await ask(process, process.pay.charges.refund(actor, charge.id, { valueCents, ...of }))
  const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.isAnswered)
  trace.note(`${said === true ? 'refunded' : 'refund'} ${charge.id} ${valueCents}: ${said}`)
}

const CARD_CENTS = [1, 100, 5_000, 40_000] as const

/** Somebody moves what was sold by card to what can be spent, or asks for more than is there. */
export const withdrawSales: Act = async (environment, cast, process) => {
  const merchant = some(environment, cast.merchants)
  if (!merchant) return
  const amountCents = environment.dice.pick(CARD_CENTS)
  const outcome = await ask(process, process.pay.cardSales.withdraw(merchant, { amountCents }))
  const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.balanceCents)
  environment.trace.note(
    `${typeof said === 'number' ? 'settled' : 'settle'} ${merchant.accountId} ${amountCents}: ${said}`,
  )
}
