import type { Member } from '../../../../core/payments/access/authenticate.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import { STATISTIC_CARDS } from '../../../../core/payments/statements/statistics.ts'
import { PAYER, right, type World } from '../world.ts'
import { callAll } from './told.ts'

type Business = Pick<World, 'pay' | 'clock' | 'drain' | 'paid' | 'every'>

const ORDER = { valueCents: 10_000, dueDate: '2026-12-23', payer: PAYER } as const
const DAYS = { from: '2026-11-23', to: '2026-11-23' }
const PLAN = { description: 'Em partes', interval: 1, intervalType: 'months' } as const

const tellings = async (pay: Payments, member: Member, id: number) => {
  right(await pay.charges.listPublic({ client: PAYER.document })())
  const plan = right(await pay.plans.create(member, { ...PLAN, installmentsCount: 2 })())
  const asked = { ...ORDER, valueCents: 1_000, paymentMethod: 'PIX', paymentPlanId: plan.id } as const
  const [part] = right(await pay.charges.issueWithPlan(member, asked)())
  right(await pay.charges.resumePlan(`${part?.charge.id}`)())
  right(await pay.charges.simulatePayment(member, `${part?.charge.id}`)())
  const pix = right(await pay.instantPix.issue(member, { valueCents: 100 })())
  right(await pay.instantPix.resume(pix.charge.txid ?? '')())
  right(await pay.instantPix.read(member, pix.charge.txid ?? '')())
  right(await pay.instantPix.list(member, {})())
  right(await pay.instantPix.openCode(member)())
  right(await pay.reminders.mail(member, `${id}`)())
  right(await pay.reminders.notify(member, { ids: [id], channels: ['email'] })())
}

const charges = async ({ pay, clock, drain }: Business, member: Member) => {
  const order = { ...ORDER, paymentMethod: 'PIX' } as const
  const [paid, cancelled] = await Promise.all(
    ['paid', 'cancelled'].map(async (key) =>
      right(await pay.charges.issue(member, order)({ key: `${key} ${clock.now()}` })),
    ),
  )
  const txidOf = (detail: typeof paid) => detail?.charge.txid ?? ''
  right(await pay.charges.resume(paid?.charge.id ?? 0)())
  right(await pay.charges.list(member, {})())
  right(await pay.charges.summarize(member, {})())
  right(await pay.exports.downloadCharges(member, { format: 'csv' })())
  await tellings(pay, member, paid?.charge.id ?? 0)
  right(await pay.charges.update(member, cancelled?.charge.id ?? 0, { description: 'Outra' })())
  right(await pay.charges.history(member, paid?.charge.id ?? 0)())
  right(await pay.charges.payments(member, paid?.charge.id ?? 0)())
  right(await pay.charges.terms(member, paid?.charge.id ?? 0)())
  right(await pay.charges.readFull(right(await pay.charges.read(member, `${paid?.charge.id}`)()))())
  right(await pay.charges.readPublic({ code: paid?.charge.code ?? '' })())
  right(await pay.bank.amountDue(txidOf(paid))())
  const payment = { endToEndId: 'E01181521202611231305ABCDEFGHIJK', method: 'pix', paidAt: clock.now() } as const
  right(await pay.bank.paid({ ...payment, txid: txidOf(paid), valueCents: 10_000, payer: null })())
  const received = { endToEndId: 'E01181521202611231305AAAAAAAAAAA', txid: null, paidAt: clock.now(), payer: null }
  right(await pay.bank.received({ ...received, pixKey: member.account.pixKey ?? '', valueCents: 100 })())
  right(await pay.bank.unreadable({ kind: 'pix', id: 'E1', txid: null, pixKey: member.account.pixKey })())
  right(await pay.bank.cancelled(txidOf(cancelled))())
  right(await pay.charges.delete(member, cancelled?.charge.id ?? 0)())
  const card = { cardNumber: '4000000000000259', cvv: '987', expiryMonth: 12, expiryYear: 30, cardholderName: 'JOÃO' }
  const address = { street: 'Rua A', number: '1', district: 'Sé', city: 'São Paulo', state: 'SP', zipcode: '01001000' }
  const byCard = { ...order, paymentMethod: 'CREDIT_CARD', card, address } as const
  const { charge } = right(await pay.charges.issue(member, byCard)())
  right(await pay.cards.decided({ id: charge.code, status: 'approved', token: null, reason: null })())
  await drain()
}

const boletos = async ({ pay }: Business, member: Member) => {
  const detail = right(await pay.charges.issue(member, { ...ORDER, paymentMethod: 'BOLETO' })())
  right(await pay.charges.readInvoice(detail)())
  right(await pay.charges.readBoletoInvoice(detail.charge.txid ?? '')())
  right(await pay.charges.readPublicBoleto({ code: detail.charge.code })())
  right(await pay.charges.searchBoletos({ code: 'busca', nossoNumero: detail.charge.nossoNumero })())
}

const links = async ({ pay }: Business, member: Member) => {
  const asked = { title: 'Curso', paymentMethods: ['PIX'], amountCents: 10_000 } as const
  const { link, publicUrl } = right(await pay.links.create(member, asked)())
  const { id } = link
  const opening = { id, token: new URL(publicUrl).searchParams.get('token') }
  await callAll(pay, 'checkout.open checkout.payee', opening)
  const payer = { name: 'Rita', email: 'rita@example.com', document: '52998224725' }
  const { charge } = right(await pay.checkout.pay(opening, { paymentMethod: 'PIX', payer })())
  await callAll(pay, 'checkout.status checkout.read', charge.code)
  right(await pay.links.list(member, {})())
  right(await pay.links.update(member, id, { maxUses: 3 })())
  await callAll(pay, 'links.read links.payments links.pause links.resume links.remove', member, id)
}

const withdrawals = async ({ pay, clock, every }: Business, member: Member) => {
  const [key, valueCents] = ['maria@example.com', 100]
  const looked = right(await pay.withdrawals.lookUp(member, { key, valueCents })())
  right(await pay.withdrawals.confirm(member, { internalId: looked.withdrawal.id, key, valueCents })())
  right(await pay.withdrawals.payKey(member, { key, valueCents: 200 })({ key: `saque ${clock.now()}` }))
  const to = { name: 'Maria', document: '12345678909', ispb: '341', branch: '0001', account: '12345-6' }
  right(await pay.withdrawals.payAccount(member, { ...to, valueCents })())
  const { id } = right(await pay.withdrawals.list(member)()).records[0] ?? { id: 0 }
  right(await pay.withdrawals.read(member, id)())
  const [first] = right(await pay.withdrawals.frequentRecipients(member)())
  right(await pay.withdrawals.readRecipient(member, first?.id ?? 0)())
  right(await pay.withdrawals.listPaidParties(member)())
  right(await pay.withdrawals.readLimits(member)())
  const added = right(await pay.withdrawals.addRecipient(member, { key: 'rui@example.com' })())
  right(await pay.withdrawals.removeRecipient(member, added.id)())
  for (const { id: intent, kind } of await every(bankOperations))
    if (kind === 'pay-out') right(await pay.withdrawals.resume(intent)())
}

const refunds = async ({ pay, paid, every }: Business, member: Member) => {
  const { id } = await paid({ member }, 10_000)
  right(await pay.charges.refund(member, id, { valueCents: 100, reason: 'Desistência' })())
  for (const { id: intent, kind } of await every(bankOperations))
    if (kind === 'refund') right(await pay.charges.resumeRefund(intent)())
}

const cardSales = async ({ pay }: Business, member: Member) => {
  await callAll(pay, 'cardSales.list cardSales.summarize cardSales.listEntries cardSales.readBalance', member, {})
  right(await pay.cardSales.withdraw(member, { amountCents: 100 })())
}

const statements = async ({ pay }: Business, member: Member) => {
  const days = `statements.extract statements.extractDays statements.listStatementDays statements.reportSales
    statements.readTotals statements.sumByType`
  await callAll(pay, days, member, DAYS)
  right(await pay.statements.readBalances(member)())
  await callAll(pay, 'statements.readBalance statements.listBalanceDays statements.chartSales', member, {})
  await callAll(pay, 'statements.listTransactions statements.listSummed statements.readSettlement', member, {})
  const [line] = right(await pay.statements.listSummed(member, {})()).records
  right(await pay.statements.readTransaction(member, line?.id ?? 0)())
  right(await pay.statements.summarizePeriods(member, { ...DAYS, groupBy: 'days' })())
}

const extracts = async ({ pay }: Business, member: Member) => {
  const [entry] = right(await pay.extracts.list(member, {})()).records
  const reads = 'extracts.listConfirmed extracts.byDay extracts.byType extracts.byMethod statistics.countBoletos'
  await callAll(pay, reads, member, {})
  await callAll(pay, 'extracts.read exports.readReceipt', member, `${entry?.id}`)
  right(await pay.statistics.read(member, { cards: STATISTIC_CARDS })())
}

const exports = async ({ pay, drain }: Business, member: Member) => {
  right(await pay.exports.downloadTransactions(member, { format: 'csv' })())
  const { notificationId } = right(await pay.exports.exportTransactions(member, { format: 'csv' })())
  right(await pay.exports.exportStatement(member, DAYS)())
  await drain()
  right(await pay.exports.read(member, notificationId)())
  right(await pay.exports.open(notificationId)())
}

/** Moves money in, out and back, and calls every member that concerns money. */
export const moneyStory = async (business: Business, member: Member): Promise<void> => {
  await charges(business, member)
  await refunds(business, member)
  await boletos(business, member)
  await links(business, member)
  await cardSales(business, member)
  await withdrawals(business, member)
  await statements(business, member)
  await extracts(business, member)
  await exports(business, member)
  right(await business.pay.reconciliation.reconcile({ day: '2026-11-22' })())
}
