import test from 'ava'
import { plainText } from '../../../../core/office/mail.ts'
import { type Account, RULE_NAMES } from '../../../../core/payments/accounts/account.ts'
import { pixCodeOf } from '../../../../core/payments/charges/detail.ts'
import { emailFor, shortTextFor, targetsOf } from '../../../../core/payments/reminders/payer-messages.ts'
import { aCharge } from '../records.ts'
import { aPayer, aRule, aTrigger, PHONE } from './reminder-fixtures.ts'

const PAGE = `https://pay.example.com/pay/charge/${aCharge().code}`
const TODAY = '2026-11-23'
const codeOf = (charge = aCharge(), day = TODAY) => pixCodeOf(charge, day) ?? 'no code'

test('a new charge: shows the account, the amount, the due date and the Pix code', (t) => {
  const about = aTrigger('on_creation', { charge: aCharge({ description: 'Mensalidade de novembro' }) })
  const mail = emailFor(about)
  t.is(mail.subject, 'Nova cobrança de Escola Aurora')
  t.is(
    plainText(mail),
    `Olá, Maria da Silva!

Há uma nova cobrança para você.

Valor: R$ 150,50
Vencimento: 30/11/2026
Descrição: Mensalidade de novembro

Ver e pagar:
${PAGE}

Pix copia e cola:
${codeOf()}`,
  )
  t.is(
    shortTextFor(about),
    `Escola Aurora: Há uma nova cobrança para você.\nValor: R$ 150,50\nVencimento: 30/11/2026\nVer e pagar: ${PAGE}\nPix copia e cola:\n${codeOf()}`,
  )
})

test('sends the message of the account unchanged, and alone to a phone', (t) => {
  const message = 'Olá {nome}!  \n<b>Pague</b> até amanhã 🙏'
  for (const name of RULE_NAMES) {
    const about = aTrigger(name, { rule: aRule({ message }) })
    t.is(shortTextFor(about), message)
    const [greeting, body] = emailFor(about).blocks
    t.deepEqual(
      [greeting, body],
      [
        { kind: 'text', text: 'Olá, Maria da Silva!' },
        { kind: 'text', text: message },
      ],
    )
  }
})

test('a payment shows the paid amount and no way to pay', (t) => {
  const charge = aCharge({ status: 'paid', amountPaidCents: 20_000, paymentDate: '2026-11-22' })
  const about = aTrigger('on_payment', { charge, paidCents: 15_100 })
  t.is(
    shortTextFor(about),
    `Escola Aurora: Recebemos o seu pagamento. Obrigado!\nValor pago: R$ 151,00\nData do pagamento: 22/11/2026\nVer a cobrança: ${PAGE}`,
  )
  t.regex(plainText(emailFor({ ...about, paidCents: null })), /^Valor pago: R\$ 200,00$/m)
})

test('every message about a refunded payment shows the refund and the rest', (t) => {
  const paid = { status: 'paid', amountPaidCents: 15_050, paymentDate: '2026-11-22' } as const
  const part = aTrigger('on_update', { charge: aCharge({ ...paid, refundedCents: 5_000 }) })
  t.is(emailFor(part).subject, 'Devolução de Escola Aurora')
  const facts = 'Valor pago: R$ 150,50\nData do pagamento: 22/11/2026\nDevolvido: R$ 50,00\nRestam: R$ 100,50'
  const said = 'Devolvido R$ 50,00; restam R$ 100,50.'
  t.is(
    shortTextFor(part),
    `Escola Aurora: Houve uma devolução do seu pagamento. ${said}\n${facts}\nVer a cobrança: ${PAGE}`,
  )
  const all = plainText(emailFor({ ...part, name: 'notice', charge: aCharge({ ...paid, refundedCents: 15_050 }) }))
  t.true(all.includes('Recebemos o seu pagamento. Devolvido R$ 150,50; restam R$ 0,00.'))
  const late = aCharge({ status: 'cancelled', refundedCents: 5_000 })
  t.true(shortTextFor({ ...part, name: 'notice', charge: late }).includes('Devolvido R$ 50,00.\nValor: R$ 150,50'))
})

test('shows the code and the amount of the day of the message', (t) => {
  const charge = aCharge({ discountHundredths: 5_000, typeDiscount: 'ABSOLUTE', daysDiscount: 7 })
  const today = plainText(emailFor(aTrigger('before_due', { charge })))
  t.regex(today, /^Valor: R\$ 150,50\nValor hoje: R\$ 100,50$/m)
  t.true(today.endsWith(`\n${codeOf(charge)}`))
  const later = plainText(emailFor(aTrigger('before_due', { charge, today: '2026-11-24' })))
  t.notRegex(later, /Valor hoje/)
  t.true(later.endsWith(`\n${codeOf(charge, '2026-11-24')}`))
  t.not(codeOf(charge), codeOf(charge, '2026-11-24'))
})

test('shows no code for a charge that accepts no payment', (t) => {
  for (const status of ['paid', 'expired', 'cancelled', 'failed', 'DELETED'] as const) {
    for (const name of RULE_NAMES) t.notRegex(shortTextFor(aTrigger(name, { charge: aCharge({ status }) })), /Pix/)
  }
  // The charge has lapsed, and is not expired in the store yet.
  const steady = '2026-12-01T03:00:00.000Z'
  t.notRegex(shortTextFor(aTrigger('after_due', { steady, today: '2026-12-01' })), /Pix/)
  t.notRegex(shortTextFor(aTrigger('on_delete')), /Pix|http/)
})

test('names the account to a late payer if there is no code', (t) => {
  const lapsed = { steady: '2026-12-01T12:00:00.000Z', today: '2026-12-01' }
  t.regex(shortTextFor(aTrigger('after_due', lapsed)), /venceu em 30\/11\/2026.*Para pagar, fale com Escola Aurora\./)
  const charge = aCharge({ lapsesAt: '2026-12-31T03:00:00.000Z' })
  const open = shortTextFor(aTrigger('after_due', { ...lapsed, charge }))
  t.notRegex(open, /fale com/)
  t.true(open.endsWith(codeOf(charge, lapsed.today)))
})

test('asks a payer of a part for what is left, also after the charge lapsed', (t) => {
  const charge = aCharge({ received: [{ day: '2026-11-30', cents: 5_050 }], titlePaidCents: 5_050 })
  const facts = 'Valor: R$ 150,50\nJá pago: R$ 50,50\nFalta pagar: R$ 100,00\nVencimento: 30/11/2026'
  const due = shortTextFor({ ...aTrigger('after_due', { charge }), name: 'notice' })
  t.true(due.includes(`aguarda o pagamento do que falta. Se você já pagou, desconsidere este aviso.\n${facts}`))
  const late = shortTextFor(aTrigger('after_due', { charge, steady: '2026-12-02T12:00:00.000Z', today: '2026-12-02' }))
  t.regex(late, /ainda não recebemos o pagamento do que falta\. Para pagar, fale com Escola Aurora\./)
  t.true(late.includes(facts))
})

test('every rule has a text of its own', (t) => {
  const mails = RULE_NAMES.map((name) => emailFor(aTrigger(name, { today: '2026-12-01' })))
  t.is(new Set(mails.map(({ subject }) => subject)).size, RULE_NAMES.length)
  t.is(new Set(mails.map((mail) => plainText(mail).split('\n\n')[1])).size, RULE_NAMES.length)
  t.true(mails.every(({ subject }) => subject.includes('Escola Aurora' satisfies Account['name'])))
})

test('uses each channel once, if the payer has an address for it', (t) => {
  const rule = aRule({ channels: ['email', 'sms', 'email', 'whatsapp'] })
  t.deepEqual(targetsOf({ rule, client: aPayer() }, 'e-1'), [
    { id: 'e-1|email', channel: 'email', to: 'maria@example.com' },
    { id: 'e-1|sms', channel: 'sms', to: PHONE },
    { id: 'e-1|whatsapp', channel: 'whatsapp', to: PHONE },
  ])
  const channels = (client: Parameters<typeof aPayer>[0]) =>
    targetsOf({ rule, client: aPayer(client) }, 'e-1').map(({ channel }) => channel)
  t.deepEqual(channels({ phone: null }), ['email'])
  t.deepEqual(channels({ email: null, phone: '' }), [])
  t.deepEqual(channels({ removedAt: '2026-11-22T00:00:00.000Z' }), [])
  t.deepEqual(targetsOf({ rule: aRule({ channels: [] }), client: aPayer() }, 'e-1'), [])
})
