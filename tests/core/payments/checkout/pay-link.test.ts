import test from 'ava'
import { boletoOf, chargePageUrl, chargeStatusAt, dayOf, dueOn, linkStatusAt, pixOf } from '../../../../core/mod.ts'
import { type CheckedPayment, linkIssues } from '../../../../core/payments/checkout/pay-link.ts'
import type { PaymentLink } from '../../../../core/payments/links/link.ts'
import { readPixCode } from '../../../../core/payments/pix/br-code.ts'
import { aNotice } from '../records.ts'
import { NOW, openPayments, PAYER, right } from '../world.ts'

/** An account with a link, through the facade. */
const opened = async () => {
  const { pay } = openPayments()
  const rita = { name: 'Rita', email: 'rita@example.com', document: '11222333000181', password: 'segredo-123' }
  right(await pay.registrations.registerFull(rita, { address: '203.0.113.7', device: 'programa' })())
  const actor = { userId: 1, accountId: 1, roleId: 1, permissions: [] }
  const asked = { title: 'Curso', paymentMethods: ['PIX'], amountCents: 10_000, maxUses: 1 } as const
  const { link, publicUrl } = right(await pay.links.create(actor, asked)())
  return { pay, actor, by: { id: link.id, token: new URL(publicUrl).searchParams.get('token') } }
}

test('returns the payee only for the token of the link, also once it is paid', async (t) => {
  const { pay, actor, by } = await opened()
  const payee = {
    title: 'Curso',
    account: { name: 'Rita', email: 'rita@example.com', document: '11222333000181' },
    logoUrl: null,
  }
  t.deepEqual(right(await pay.checkout.payee(by)()), payee)
  const { charge } = right(await pay.checkout.pay(by, { paymentMethod: 'PIX', payer: PAYER })())
  right(await pay.bank.paid(aNotice({ txid: charge.txid ?? '', valueCents: 10_000 }))())
  t.like(await pay.checkout.open(by)(), { left: { code: 'link.paid' } })
  t.deepEqual(right(await pay.checkout.payee(by)()), payee)
  for (const token of [null, '', 'x'])
    t.like(await pay.checkout.payee({ ...by, token })(), { left: { code: 'link.token' } })
  t.like(await pay.checkout.payee({ ...by, id: 'nenhum' })(), { left: { code: 'link.unknown' } })
  right(await pay.links.remove(actor, by.id)())
  t.like(await pay.checkout.payee(by)(), { left: { code: 'link.unknown' } })
})

test('gives an embedder every value that payers see: Pix code, boleto line, amount due and statuses', async (t) => {
  const { pay, clock, merchant } = openPayments()
  const { member: actor } = await merchant()
  const order = { valueCents: 10_000, paymentMethod: 'BOLEPIX', dueDate: '2026-11-24', payer: PAYER } as const
  const late = { amountRateHundredths: 100, typeRate: 'ABSOLUTE', fineHundredths: 150, typeFine: 'ABSOLUTE' } as const
  const { charge, publicUrl } = right(await pay.charges.issue(actor, { ...order, ...late })())
  const offer = { title: 'Curso', paymentMethods: ['PIX'], amountCents: 100, expiresAt: '2026-11-24' } as const
  const made = right(await pay.links.create(actor, offer)())
  t.is(linkStatusAt(made.link, made.asOf), 'active')
  t.is(chargePageUrl(publicUrl, charge), `http://localhost/pay/charge/${charge.code}`)

  clock.set('2026-11-26T13:00:00.000Z')
  const read = right(await pay.charges.read(actor, charge.code)())
  t.is(dueOn(read.charge, dayOf(read.asOf)), 10_350)
  const pix = pixOf(read)
  t.like(right(readPixCode(pix?.qrcode ?? '')), { txid: charge.txid, amountCents: 10_350 })
  t.is(pix?.status, 'pending')
  t.like(boletoOf(read), {
    digitableLine: charge.boleto?.digitableLine,
    status: 'issued',
    pathPdf: `http://localhost/storage/boletos/boleto_${charge.txid}.pdf`,
  })
  const ended = right(await pay.links.read(actor, made.link.id)())
  for (const pausedAt of [null, NOW]) t.is(linkStatusAt({ ...ended.link, pausedAt }, ended.asOf), 'expired')

  clock.set('2026-12-26T13:00:00.000Z')
  const over = right(await pay.charges.read(actor, charge.code)())
  t.is(chargeStatusAt(over.charge, over.asOf), 'expired')
  t.is(pixOf(over)?.status, 'cancelled')
})

test('accepts any amount from the least to the greatest of the link', (t) => {
  const amounts = { isVariableAmount: true, minAmountCents: 100, maxAmountCents: 200 } as const
  const link = { paymentMethods: ['PIX'], installments: 1, ...amounts } as unknown as PaymentLink
  const codes = [99, 100, 200, 201].map((amountCents) =>
    linkIssues(link, { paymentMethod: 'PIX', amountCents } as CheckedPayment).map(({ code }) => code),
  )
  t.deepEqual(codes, [['money.min'], [], [], ['money.max']])
})
