import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import {
  boletoOf,
  chargePageUrl,
  chargeStatusAt,
  dayOf,
  dueOn,
  linkStatusAt,
  payments,
  pixOf,
} from '../../../../core/mod.ts'
import { readPixCode } from '../../../../core/payments/pix/br-code.ts'
import { right } from '../access/test-ports.ts'

const ORIGIN = { address: '127.0.0.1', device: null }
const ANA = { name: 'Ana Souza', email: 'ana@example.com', phone: null, password: 'segredo-123' }
const SCHOOL = { name: 'Escola Aurora', email: null, document: '11222333000181' }
const MARIA = { name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909' }

test('who embeds the core has all that a payer is shown: code, line, what is due, and how charge and link stand', async (t) => {
  const clock = setClock('2026-11-23T13:05:09.123Z')
  const pay = payments(memoryPorts({ clock }))
  const { user } = right(await pay.people.register(ANA, ORIGIN)())
  const account = right(await pay.openings.open({ userId: user.id }, SCHOOL)())
  const actor = { userId: user.id, accountId: account.id }
  const order = { valueCents: 10_000, paymentMethod: 'BOLEPIX', dueDate: '2026-11-24', payer: MARIA } as const
  const interest = { amountRateHundredths: 100, typeRate: 'ABSOLUTE' } as const
  const { charge, publicUrl } = right(await pay.charges.issue(actor, { ...order, ...interest })())
  const offer = { title: 'Curso', paymentMethods: ['PIX'], amountCents: 100, expiresAt: '2026-11-24' } as const
  const made = right(await pay.links.create(actor, offer)())
  t.is(linkStatusAt(made.link, made.asOf), 'active')
  t.is(chargePageUrl(publicUrl, charge), `http://localhost/pay/charge/${charge.code}`)

  clock.set('2026-11-26T13:00:00.000Z')
  const late = right(await pay.charges.read(actor, charge.code)())
  t.is(dueOn(late.charge, dayOf(late.asOf)), 10_200)
  const pix = pixOf(late)
  t.like(right(readPixCode(pix?.qrcode ?? '')), { txid: charge.txid, amountCents: 10_200 })
  t.is(pix?.status, 'pending')
  t.like(boletoOf(late), {
    digitableLine: charge.boleto?.digitableLine,
    status: 'issued',
    pathPdf: `http://localhost/storage/boletos/boleto_${charge.txid}.pdf`,
  })
  const ended = right(await pay.links.read(actor, made.link.id)())
  t.is(linkStatusAt(ended.link, ended.asOf), 'expired')

  clock.set('2026-12-26T13:00:00.000Z')
  const over = right(await pay.charges.read(actor, charge.code)())
  t.is(chargeStatusAt(over.charge, over.asOf), 'expired')
  t.is(pixOf(over)?.status, 'cancelled')
})
