import { isLeft } from '../../../core/failure.ts'
import { apiKeyOf } from '../../../core/payments/accounts/account.ts'
import type { Charge } from '../../../core/payments/charges/charge.ts'
import type { NewRefund } from '../../../core/payments/charges/refund.ts'
import { PAYMENT_TYPE_IDS } from '../../../core/payments/ledger/ledger.ts'
import type { SplitShare } from '../../../core/payments/splits/share.ts'
import type { Environment } from '../environment/environment.ts'
import { ask, type Process } from '../environment/process.ts'
import { type Act, over, some } from './cast.ts'
import { suspendAccount } from './sharers.ts'

const CENTS = [null, 1, 100, 5_000] as const

const refunding =
  ({ id, accountId, createdBy }: Charge, request: NewRefund): Act =>
  async (environment, _, process) => {
    const { accounts } = await environment.snapshot()
    const actor = { userId: createdBy ?? 1, accountId }
    if (accounts.some((each) => each.id === accountId && each.status === 'INACTIVE'))
      await ask(process, process.pay.organizations.update(actor, { status: 'ACTIVE' }))
    const outcome = await ask(process, process.pay.charges.refund(actor, id, request))
    const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.isAnswered)
    environment.trace.note(`refund ${id} ${request.valueCents}: ${said}`)
  }

/** Refunds a Pix in full, in part, or beyond the remaining amount. */
export const refund: Act = async (environment, cast, process) => {
  const { bank, dice } = environment
  const { charges } = await environment.snapshot()
  const received = charges.filter(({ amountPaidCents, card }) => amountPaidCents !== null && card === null)
  const charge = some(environment, received.slice(-8))
  if (!charge) return
  const { payments } = await bank.books()
  // A charge may have several payments: the request does not always name one.
  const own = payments.filter(({ txid }) => txid === charge.pix?.txid)
  const named = dice.chance(0.8) ? some(environment, own) : null
  const of = named ? { endToEndId: named.endToEndId } : {}
  await refunding(charge, { valueCents: dice.pick(CENTS), ...of })(environment, cast, process)
}

/** Refunds an over-payment, in full or in part. */
export const refundOverpaid: Act = async (environment, cast, process) => {
  const { charges } = await environment.snapshot()
  const overpaid = charges.filter(({ overpaidCents }) => (overpaidCents ?? 0) > 0)
  const charge = some(environment, overpaid)
  const request = { valueCents: environment.dice.pick(CENTS), isOfOverpaid: true }
  if (charge) await refunding(charge, request)(environment, cast, process)
}

/**
 * Refunds a payment whose shares were credited: in full, in part, or in two parts at once. Before it, the receiver of a
 * share spends what it has or is suspended, at times.
 */
export const refundShared: Act = async (environment, cast, process) => {
  const { dice } = environment
  const { charges, entries, splitShares } = await environment.snapshot()
  const titled = new Set(charges.flatMap(({ id, pix }) => (pix === null ? [] : [id])))
  const callable = splitShares.filter(
    ({ chargeId, creditedCents, calledCents }) => titled.has(chargeId) && calledCents < creditedCents,
  )
  const share = some(environment, callable.slice(-10))
  const charge = charges.find(({ id }) => id === share?.chargeId)
  const paid = entries.find(
    ({ journalId, typeId }) => journalId === share?.journalId && PAYMENT_TYPE_IDS.includes(typeId),
  )
  if (!share || !charge || !paid) return
  const spends = process.ports.bank.payOuts ? [spend, spend, spend] : []
  const before = dice.pick([null, suspendReceiver, suspendReceiver, ...spends])
  if (before) await before(environment, process, share)
  const valueCents = dice.chance(0.45) ? null : dice.between(1, paid.valueCents)
  const values = valueCents !== null && dice.chance(0.5) ? [valueCents, paid.valueCents - valueCents] : [valueCents]
  await Promise.all(
    values.map((cents) => over(environment, cast, refunding(charge, { valueCents: cents, endToEndId: paid.endToEnd }))),
  )
  const after = await environment.snapshot()
  const isSuspended = after.accounts.some(({ id, status }) => id === share.accountId && status === 'SUSPENDED')
  const isCalled = after.splitShares.some(({ id, calledCents }) => id === share.id && calledCents > share.calledCents)
  if (isSuspended && isCalled) environment.trace.note(`called-suspended ${share.id}`)
}

type BeforeRefund = (environment: Environment, process: Process, share: SplitShare) => Promise<void>

/** Transfers all that the receiver of a share has to the issuer, but for some cents at times. */
const spend: BeforeRefund = async (environment, process, { accountId, issuerId }) => {
  const { accounts, books } = await environment.snapshot()
  const issuer = accounts.find(({ id }) => id === issuerId)
  const { availableCents = 0 } = books.find(({ id }) => id === `${accountId}:main`) ?? {}
  const valueCents = availableCents - environment.dice.pick([0, 1, 50])
  if (!issuer || valueCents <= 0) return
  const actor = { userId: 1, accountId }
  await ask(process, process.pay.organizations.update(actor, { status: 'ACTIVE' }))
  const order = { apiKey: apiKeyOf(process.ports.cipher, issuer), valueCents, description: null }
  const outcome = await ask(process, process.pay.transfers.send(actor, order))
  const said = outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.status)
  environment.trace.note(`spend ${accountId} ${valueCents}: ${said}`)
}

const suspendReceiver: BeforeRefund = (environment, process, { accountId }) =>
  suspendAccount(environment, process, accountId)
