import test from 'ava'
import { invalid, isLeft, left } from '../../../../core/failure.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { addMonths, dayOf, daysBetween } from '../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { decideCharge, issueCharge } from '../../../../core/payments/charges/issue.ts'
import {
  chargeTerms,
  installmentDays,
  latestDueDay,
  mostInstallments,
  type NewCharge,
  newCharge,
} from '../../../../core/payments/charges/new-charge.ts'
import { claims } from '../../../../core/payments/claim.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { listOf } from '../../../../core/ports/store.ts'
import { twoEmptyAccounts } from '../money-out/two-accounts.ts'
import { aClient, anAccount, answerOf, eventsIn, freshAt, inserted } from '../records.ts'
import { scriptedBank } from '../registrations/registration-fixtures.ts'
import { failureOf, inShort, NOW, openPayments, right } from '../world.ts'

const actor = { userId: 5, accountId: 1 }
const payer = { name: 'João Conceição', email: 'joao@example.com', document: '11144477735' }
const unsealed = { seal: (text: string) => text, open: (sealed: string) => sealed, digest: (text: string) => text }
const input: NewCharge = { valueCents: 15_050, paymentMethod: 'PIX', dueDate: '2026-11-30', payer }
/** Decodes the input of a program and decides on it. */
const decide = (over: Partial<NewCharge> = {}, facts: object = {}, instant = NOW) => {
  const asked = newCharge.check({ ...input, ...over }, dayOf(instant))
  if (isLeft(asked)) return left(invalid(asked.left))
  return decideCharge(
    { cipher: unsealed, bank: scriptedBank().bank, acquirer: null },
    { account: anAccount(), client: null, book: null, group: null, plan: null, splits: [], ...facts },
    actor,
    asked.right,
    freshAt(instant),
  )
}
const issuesOf = (made: ReturnType<typeof decide>) => {
  const found = failureOf(made)
  return found?.tag === 'invalid' ? found.issues.map(({ path, code }) => `${path} ${code}`) : found
}

test('starts a pending charge with a bank operation and without an event', (t) => {
  const made = decide({ description: 'Mensalidade', installments: 3 })
  const { changes } = right(made)
  const [charge, ...more] = inserted(changes, charges)
  const [client] = inserted(changes, clients)
  t.deepEqual(more, [])
  t.is<unknown, unknown>(answerOf(made).intent, charge?.txid)
  t.like(inserted(changes, bankOperations), [
    { id: charge?.txid, kind: 'create-title', subject: [charges.name, charge?.id], dueAt: '2026-11-23T13:06:09.123Z' },
  ])
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
    operationId: charge?.txid,
    lapsesAt: '2026-12-01T03:00:00.000Z',
    createdBy: 5,
    createdDay: '2026-11-23',
    typeRate: 'PERCENTAGE',
    typeDiscount: 'PERCENTAGE',
  })
  t.deepEqual(inserted(changes, claims), [])
  t.is(charge?.search, `${charge?.code}\n${charge?.txid}\n11144477735\njoao conceicao`.toLowerCase())
  t.deepEqual(eventsIn(changes), [])
})

test('decides on the same charge at every attempt of one request', (t) => {
  t.deepEqual(right(decide()).changes, right(decide()).changes)
})

test('uses an existing client unchanged', (t) => {
  const made = decide({ payer: { clientId: 3 } }, { client: aClient })
  t.like(inserted(right(made).changes, charges)[0], { clientId: 3 })
  t.deepEqual(inserted(right(made).changes, clients), [])
})

test('reports a client that is unknown, removed or of another account', (t) => {
  for (const client of [null, { ...aClient, accountId: 2 }, { ...aClient, removedAt: NOW }])
    t.deepEqual(issuesOf(decide({ payer: { clientId: 3 } }, { client })), ['payer.clientId unknown'])
})

const bounded = anAccount({ limits: { ...anAccount().limits, chargeMinCents: 100, chargeMaxCents: 200 } })
const cases: readonly (readonly [over: Partial<NewCharge>, issues: readonly string[], account?: object])[] = [
  [{ valueCents: 1 }, []],
  [{ valueCents: 0 }, ['valueCents integer.min']],
  [{ valueCents: 999_999_999_999 }, []],
  [{ valueCents: 1_000_000_000_000 }, ['valueCents integer.max']],
  [{ valueCents: 9_999_999_999, paymentMethod: 'BOLETO' }, []],
  [{ valueCents: 10_000_000_000, paymentMethod: 'BOLEPIX' }, ['valueCents money.max']],
  [{ valueCents: 99 }, ['valueCents money.min'], bounded],
  [{ valueCents: 100 }, [], bounded],
  [{ valueCents: 200 }, [], bounded],
  [{ valueCents: 201 }, ['valueCents money.max'], bounded],
  [{ paymentMethod: 'CREDIT_CARD' }, ['card required', 'address required']],
  [{ dueDate: '2026-11-23' }, []],
  [{ dueDate: '2026-11-22' }, ['dueDate day.past']],
  [{ dueDate: '2026-11-22', daysDiscount: 0 }, ['dueDate day.past']],
  [{ dueDate: '2026-11-22', daysDiscount: 1 }, ['dueDate day.past', 'daysDiscount day.past']],
  [{ daysDiscount: 7 }, []],
  [{ daysDiscount: 8 }, ['daysDiscount day.past']],
  [{ discountHundredths: 15_049, typeDiscount: 'ABSOLUTE' }, []],
  [{ discountHundredths: 15_050, typeDiscount: 'ABSOLUTE' }, ['discountHundredths charge.discount']],
  [{ discountHundredths: 9_999, typeDiscount: 'PERCENTAGE' }, []],
  [{ discountHundredths: 10_000, typeDiscount: 'PERCENTAGE' }, ['discountHundredths charge.discount']],
  [{ discountHundredths: 10_000 }, ['discountHundredths charge.discount']],
  [{ discountHundredths: 0, valueCents: 1, typeDiscount: 'ABSOLUTE' }, []],
]
for (const [over, issues, account = anAccount()] of cases)
  test(`reports ${issues.join(' and ') || 'no issue'} for ${JSON.stringify(over)}${account === bounded ? ' within limits' : ''}`, (t) => {
    const found = issuesOf(decide(over, { account }))
    t.deepEqual(found ?? [], issues)
  })

test('refuses a discount that ended before today, though its last day moves to today', (t) => {
  // Monday; Sunday and Saturday before.
  const days = (daysDiscount: number, now: string) => issuesOf(decide({ dueDate: '2026-12-21', daysDiscount }, {}, now))
  t.deepEqual(days(2, '2026-12-20T12:00:00.000Z'), ['daysDiscount day.past'])
  t.deepEqual(days(1, '2026-12-21T12:00:00.000Z'), ['daysDiscount day.past'])
  t.is(days(1, '2026-12-20T12:00:00.000Z'), null)
})

test('uses the day in São Paulo as today', (t) => {
  const due = { dueDate: '2026-11-23' }
  t.is(issuesOf(decide(due, {}, '2026-11-24T02:59:59.999Z')), null)
  t.deepEqual(issuesOf(decide(due, {}, '2026-11-24T03:00:00.000Z')), ['dueDate day.past'])
})

test('refuses an account that takes no writes and an unknown one', (t) => {
  for (const status of ['ACTIVE', 'INACTIVE'] as const)
    t.is(failureOf(decide({}, { account: anAccount({ status }) })), null)
  for (const status of ['SUSPENDED', 'DISABLED', 'DISQUALIFIED', 'SOFT_DELETED', 'DELETED'] as const)
    t.like(failureOf(decide({ paymentMethod: 'BOLETO' }, { account: anAccount({ status }) })), {
      code: 'organization.inactive',
    })
  t.like(failureOf(decide({}, { account: null })), { code: 'account.unknown' })
})

test('normalizes the input of a program like that of a request', (t) => {
  const person = { name: ' João ', email: 'JOAO@example.com', document: '111.444.777-35' }
  const made = decide({ payer: person, description: 'Cafe\u0301\r\nda manhã ', details: '' })
  const { changes } = right(made)
  t.like(inserted(changes, clients)[0], { name: 'João', email: 'joao@example.com', document: '11144477735' })
  t.like(inserted(changes, charges)[0], { description: 'Café\nda manhã', details: null })
})

test('issues one of two simultaneous boletos if the balance covers one issue fee', async (t) => {
  const { pay, from, paid, faults } = await twoEmptyAccounts()
  right(await pay.accounts.setTerms(from.id, { fees: { boletoCents: 250 } })())
  await paid(from, 300)
  const issued = ['11144477735', '52998224725'].map((document) =>
    pay.charges.issue(from.member, { ...input, paymentMethod: 'BOLETO', payer: { ...payer, document } })(),
  )
  const results = (await Promise.all(issued)).map((each) => inShort<unknown>(each))
  t.deepEqual(results, ['done', 'valueCents balance.fee'])
  t.deepEqual(await faults(), [])
})

test('decides on the charge as the bank answers, if another request has changed it or its client', async (t) => {
  const { ports } = openPayments()
  await ports.store.commit([insert(accounts, anAccount({ pixKey: 'loja@example.com' })), insert(clients, aClient)])
  const changed = { description: 'Alterada', updatedAt: '2026-11-23T13:05:10.000Z' }
  const meanwhile = [
    [],
    [patch(clients, aClient.id, { set: { name: 'Maria Souza' }, when: always })],
    [patch(charges, 3, { set: changed, when: always })],
  ]
  const seen = []
  for (const changes of meanwhile) {
    const createTitle: typeof ports.bank.createTitle = async (order) => {
      await ports.store.commit(changes)
      return ports.bank.createTitle(order)
    }
    const issue = issueCharge({ ...ports, bank: { ...ports.bank, createTitle } })
    const { charge, client } = right(await issue(actor, { ...input, payer: { clientId: aClient.id } })())
    const { records } = await ports.store.list(listOf(charges, { where: always, limit: 9 }))
    t.deepEqual(
      records.find(({ id }) => id === charge.id),
      { ...charge, lastEventMs: Date.parse(NOW) },
    )
    seen.push([charge.description, client.name, charge.operationId])
  }
  t.deepEqual(seen, [
    [null, 'Maria da Silva', null],
    [null, 'Maria Souza', null],
    ['Alterada', 'Maria Souza', null],
  ])
})

const NOTHING = {
  amountRateHundredths: null,
  typeRate: 'PERCENTAGE',
  fineHundredths: null,
  typeFine: null,
  discountHundredths: null,
  typeDiscount: 'PERCENTAGE',
  daysDiscount: null,
} as const
const CONFIGS = {
  rateHundredths: 100,
  typeRate: 'ABSOLUTE',
  fineHundredths: 150,
  typeFine: 'ABSOLUTE',
  discountHundredths: 500,
  typeDiscount: 'ABSOLUTE',
} as const
const charge = { valueCents: 10_000 }

test('applies no terms if neither the charge nor the account has any', (t) => {
  t.deepEqual(chargeTerms(charge, null, true), NOTHING)
  const silent = { ...CONFIGS, rateHundredths: null, fineHundredths: null, discountHundredths: null }
  t.deepEqual(chargeTerms(charge, { ...silent, typeRate: null, typeDiscount: null }, true), NOTHING)
})

test('applies the terms of the account for those that the charge leaves out', (t) => {
  t.deepEqual(chargeTerms({ ...charge, daysDiscount: 2 }, CONFIGS, true), {
    amountRateHundredths: 100,
    typeRate: 'ABSOLUTE',
    fineHundredths: 150,
    typeFine: 'ABSOLUTE',
    discountHundredths: 500,
    typeDiscount: 'ABSOLUTE',
    daysDiscount: 2,
  })
})

test('applies the terms of the charge, also 0, with their own type', (t) => {
  const zero = { amountRateHundredths: 0, fineHundredths: 0, typeFine: 'PERCENTAGE' } as const
  const own = { ...charge, ...zero, discountHundredths: 1_000, typeDiscount: 'PERCENTAGE' } as const
  t.deepEqual(chargeTerms(own, CONFIGS, true), { ...NOTHING, ...zero, discountHundredths: 1_000 })
})

test('ignores a discount of the account that would leave nothing to pay', (t) => {
  t.is(chargeTerms({ valueCents: 500 }, CONFIGS, true).discountHundredths, null)
  t.is(chargeTerms({ valueCents: 501 }, CONFIGS, true).discountHundredths, 500)
})

test('limits a fine of the account to 2 % of the value of a consumer, and to the value of any other payer', (t) => {
  const fine = (valueCents: number, isConsumer: boolean) => {
    const { fineHundredths, typeFine } = chargeTerms({ valueCents }, CONFIGS, isConsumer)
    return [fineHundredths, typeFine]
  }
  t.deepEqual(fine(7_500, true), [150, 'ABSOLUTE'])
  t.deepEqual(fine(7_499, true), [200, 'PERCENTAGE'])
  t.deepEqual(fine(7_499, false), [150, 'ABSOLUTE'])
  t.deepEqual(fine(149, false), [10_000, 'PERCENTAGE'])
})

const days = (interval: number, intervalType: 'months' | 'weeks' | 'days', installmentsCount: number, first: string) =>
  installmentDays({ interval, intervalType, installmentsCount }, first)

test('keeps the day of the first month, also after a month that is too short', (t) => {
  t.deepEqual(days(1, 'months', 4, '2027-12-31'), ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'])
  t.deepEqual(days(3, 'months', 3, '2026-11-30'), ['2026-11-30', '2027-02-28', '2027-05-30'])
})

test('uses the last day of each month for a plan from a 31st', (t) => {
  t.is(
    days(1, 'months', 6, '2027-01-31').join(' '),
    '2027-01-31 2027-02-28 2027-03-31 2027-04-30 2027-05-31 2027-06-30',
  )
  t.is(
    days(1, 'months', 8, '2027-08-31').join(' '),
    '2027-08-31 2027-09-30 2027-10-31 2027-11-30 2027-12-31 2028-01-31 2028-02-29 2028-03-31',
  )
})

test('counts weeks and days by the day', (t) => {
  t.deepEqual(days(2, 'weeks', 3, '2026-12-24'), ['2026-12-24', '2027-01-07', '2027-01-21'])
  t.deepEqual(days(10, 'days', 3, '2028-02-20'), ['2028-02-20', '2028-03-01', '2028-03-11'])
})

test('has a single installment due on the first day, for any interval', (t) => {
  t.deepEqual(days(Number.MAX_SAFE_INTEGER, 'months', 1, '2026-11-23'), ['2026-11-23'])
})

test('fits the maximum of installments into thirty years from some day, and one more from none', (t) => {
  const firsts = ['2026-11-23', '2024-02-29', '2027-03-01', '2024-01-01']
  for (const intervalType of ['months', 'weeks', 'days'] as const)
    for (const interval of [1, 7, 30, 360, 361, 1_565, 1_566, 10_958, 10_959]) {
      const most = mostInstallments({ interval, intervalType })
      const reaches = (installmentsCount: number) =>
        firsts.some(
          (first) => (days(interval, intervalType, installmentsCount, first).at(-1) ?? '') <= latestDueDay(first),
        )
      t.true(reaches(most), `${most} every ${interval} ${intervalType}`)
      t.false(reaches(most + 1), `${most + 1} every ${interval} ${intervalType}`)
    }
})

test('has at most 10,958 days in thirty years', (t) => {
  t.is(daysBetween('2024-01-01', addMonths('2024-01-01', 360)), 10_958)
})
