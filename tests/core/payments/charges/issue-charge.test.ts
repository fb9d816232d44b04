import test from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { decideCharge, type NewCharge } from '../../../../core/payments/charges/issue-charge.ts'
import { claims } from '../../../../core/payments/claim.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { anAccount } from '../access/test-ports.ts'
import { aClient, answerOf, decisionOf, failureOf, freshAt, inserted, NOW, toldBy } from './billing-fixtures.ts'

const actor = { userId: 5, accountId: 1 }
const payer = { name: 'João Conceição', email: 'joao@example.com', document: '11144477735' }
const input: NewCharge = { valueCents: 15_050, paymentMethod: 'PIX', dueDate: '2026-11-30', payer }
const decide = (over: Partial<NewCharge> = {}, facts: object = {}, instant = NOW) =>
  decideCharge({ account: anAccount(), client: null, ...facts }, actor, { ...input, ...over }, freshAt(instant))
const issuesOf = (made: ReturnType<typeof decide>) => {
  const found = failureOf(made)
  return found?.tag === 'invalid' ? found.issues.map(({ path, code }) => `${path} ${code}`) : found
}

test('a charge is begun: pending, its code and txid claimed, the bank yet to be asked, nobody told', (t) => {
  const made = decide({ description: 'Mensalidade', installments: 3 })
  const { changes } = decisionOf(made)
  const [charge, ...more] = inserted(changes, charges)
  const [client] = inserted(changes, clients)
  t.deepEqual(more, [])
  t.is(answerOf(made), String(charge?.id))
  t.like(client, {
    name: 'João Conceição',
    email: 'joao@example.com',
    document: '11144477735',
    accountId: 1,
    status: 'ACTIVE',
  })
  t.like(charge, {
    accountId: 1,
    status: 'pending',
    valueCents: 15_050,
    amountPaidCents: null,
    dueDate: '2026-11-30',
    clientId: client?.id,
    installments: 3,
    pix: null,
    operation: 'create',
    dueAt: '2026-11-23T13:06:09.123Z',
    lapsesAt: '2026-12-01T03:00:00.000Z',
    createdBy: 5,
    createdDay: '2026-11-23',
    typeRate: 'PERCENTAGE',
    typeDiscount: 'PERCENTAGE',
  })
  const held = { holder: charge?.id, accountId: 1 }
  t.deepEqual(inserted(changes, claims), [
    { id: `code:${charge?.code}`, ...held },
    { id: `txid:${charge?.txid}`, ...held },
  ])
  t.is(charge?.search, `${charge?.code}\n${charge?.txid}\n11144477735\njoao conceicao`.toLowerCase())
  t.deepEqual(toldBy(changes), [])
})

test('it is the same charge at every attempt of one request', (t) => {
  t.deepEqual(decisionOf(decide()).changes, decisionOf(decide()).changes)
})

test('a client who is known is used as it is', (t) => {
  const made = decide({ payer: { clientId: 3 } }, { client: aClient })
  t.like(inserted(decisionOf(made).changes, charges)[0], { clientId: 3 })
  t.deepEqual(inserted(decisionOf(made).changes, clients), [])
})

test("a client that is not there, is another account's or was removed is named", (t) => {
  for (const client of [null, { ...aClient, accountId: 2 }, { ...aClient, removedAt: NOW }])
    t.deepEqual(issuesOf(decide({ payer: { clientId: 3 } }, { client })), ['client_id unknown'])
})

const bounded = anAccount({ limits: { ...anAccount().limits, chargeMinCents: 100, chargeMaxCents: 200 } })
const cases: readonly (readonly [over: Partial<NewCharge>, issues: readonly string[], account?: object])[] = [
  [{ valueCents: 1 }, []],
  [{ valueCents: 0 }, ['value money.min']],
  [{ valueCents: 999_999_999_999 }, []],
  [{ valueCents: 1_000_000_000_000 }, ['value money.max']],
  [{ valueCents: 99 }, ['value money.min'], bounded],
  [{ valueCents: 100 }, [], bounded],
  [{ valueCents: 200 }, [], bounded],
  [{ valueCents: 201 }, ['value money.max'], bounded],
  [{ paymentMethod: 'BOLETO' }, ['payment_method charge.method']],
  [{ paymentMethod: 'BOLEPIX' }, ['payment_method charge.method']],
  [{ paymentMethod: 'CREDIT_CARD' }, ['payment_method charge.method']],
  [{ dueDate: '2026-11-23' }, []],
  [{ dueDate: '2026-11-22' }, ['due_date day.past']],
  [{ dueDate: '2026-11-22', daysDiscount: 0 }, ['due_date day.past']],
  [{ dueDate: '2026-11-22', daysDiscount: 1 }, ['due_date day.past', 'days_discount day.past']],
  [{ daysDiscount: 7 }, []],
  [{ daysDiscount: 8 }, ['days_discount day.past']],
  [{ discountHundredths: 15_049, typeDiscount: 'ABSOLUTE' }, []],
  [{ discountHundredths: 15_050, typeDiscount: 'ABSOLUTE' }, ['discount charge.discount']],
  [{ discountHundredths: 9_999, typeDiscount: 'PERCENTAGE' }, []],
  [{ discountHundredths: 10_000, typeDiscount: 'PERCENTAGE' }, ['discount charge.discount']],
  [{ discountHundredths: 10_000 }, ['discount charge.discount']],
  [{ discountHundredths: 0, valueCents: 1, typeDiscount: 'ABSOLUTE' }, []],
]
for (const [over, issues, account = anAccount()] of cases)
  test(`${JSON.stringify(over)} has ${issues.join(' and ') || 'nothing wrong'}${account === bounded ? ' within limits' : ''}`, (t) => {
    const found = issuesOf(decide(over, { account }))
    t.deepEqual(found ?? [], issues)
  })

test('today is the day in São Paulo', (t) => {
  const due = { dueDate: '2026-11-23' }
  t.is(issuesOf(decide(due, {}, '2026-11-24T02:59:59.999Z')), null)
  t.deepEqual(issuesOf(decide(due, {}, '2026-11-24T03:00:00.000Z')), ['due_date day.past'])
})

test('an account that takes no writes issues nothing, and neither does one that is not there', (t) => {
  for (const status of ['ACTIVE', 'INACTIVE'] as const)
    t.is(failureOf(decide({}, { account: anAccount({ status }) })), null)
  for (const status of ['SUSPENDED', 'DISABLED', 'DISQUALIFIED', 'SOFT_DELETED', 'DELETED'] as const)
    t.like(failureOf(decide({ valueCents: 0 }, { account: anAccount({ status }) })), { code: 'organization.inactive' })
  t.like(failureOf(decide({}, { account: null })), { code: 'account.unknown' })
})
