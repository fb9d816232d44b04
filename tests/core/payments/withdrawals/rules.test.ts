import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { always, type Change, insert, patch } from '../../../../core/kernel/records/record.ts'
import { fold } from '../../../../core/kernel/values/text.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../../../core/limits.ts'
import { idempotencyKeys } from '../../../../core/office/idempotency-keys.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { accountPayment } from '../../../../core/payments/withdrawals/direct-payment.ts'
import { sentId, sentWithdrawals } from '../../../../core/payments/withdrawals/duplicates.ts'
import { limitWindowsOf, payOutSums, waitingSumId } from '../../../../core/payments/withdrawals/limits.ts'
import { paidParties, recipients } from '../../../../core/payments/withdrawals/recipients.ts'
import { destinationOf, shownDocument, withdrawals } from '../../../../core/payments/withdrawals/withdrawal.ts'
import type { PayOutOrder } from '../../../../core/ports/bank.ts'
import { byId, StoreUnavailable } from '../../../../core/ports/store.ts'
import { type TwoAccounts, twoAccounts } from '../money-out/two-accounts.ts'
import { column, failureOf, inShort, right } from '../world.ts'

// São Paulo is three hours behind.
for (const [instant, day, night] of [
  ['2026-11-23T02:59:59.999Z', '2026-11-22', '2026-11-22'],
  ['2026-11-23T03:00:00.000Z', '2026-11-23', '2026-11-22'],
  ['2026-11-23T08:59:59.999Z', '2026-11-23', '2026-11-22'],
  ['2026-11-23T09:00:00.000Z', '2026-11-23', null],
  ['2026-11-23T22:59:59.999Z', '2026-11-23', null],
  ['2026-11-23T23:00:00.000Z', '2026-11-23', '2026-11-23'],
  ['2027-01-01T04:00:00.000Z', '2027-01-01', '2026-12-31'],
] as const)
  test(`${instant} is on the day of ${day}, and in the night of ${night}`, (t) =>
    t.deepEqual(limitWindowsOf(instant), { day, night }))

const DONE = '2026-11-23T13:00:00.000Z'

test('refuses a repeat while the first is pending, and for an hour after its completion', (t) => {
  const completed = { pendingId: null, completedAt: DONE }
  t.true(sentWithdrawals.isDuplicate(completed, '2026-11-23T13:59:59.999Z'))
  t.false(sentWithdrawals.isDuplicate(completed, '2026-11-23T14:00:00.000Z'))
  t.true(sentWithdrawals.isDuplicate({ pendingId: 7, completedAt: null }, '2027-11-23T14:00:00.000Z'))
  t.false(sentWithdrawals.isDuplicate({ pendingId: null, completedAt: null }, DONE))
  t.false(sentWithdrawals.isDuplicate(null, DONE))
})

const AT = { key: null, ispb: '60701190', branch: '1', account: '12345-6' }

test('returns one destination for all notations of an account', (t) => {
  for (const same of [{}, { branch: '0001' }, { account: '123456' }, { account: '0012345-6' }])
    t.is(destinationOf({ ...AT, ...same }), destinationOf(AT))
  const others = [{ ispb: '60746948' }, { branch: '10' }, { account: '12345-7' }, { account: '123450-6' }]
  for (const other of [...others, { key: 'maria@example.com' }])
    t.not(destinationOf({ ...AT, ...other }), destinationOf(AT))
  t.is(destinationOf({ ...AT, key: 'maria@example.com' }), 'maria@example.com')
})

for (const [document, shown] of [
  ['12345678909', '***.456.789-**'],
  ['12345678000195', '**.345.678/0001-**'],
  ['12ABC34501DE35', '**.ABC.345/01DE-**'],
] as const)
  test(`${document} of a key is shown as ${shown}, and whole to who gave it`, (t) => {
    t.is(shownDocument({ key: 'maria@example.com', document }), shown)
    t.is(shownDocument({ key: null, document }), document)
  })

test('decodes a bank by its COMPE code, with or without zeros, and by its ISPB', (t) => {
  const sent = { amount: 1, agency: '1', account: '1', beneficiary_name: 'A', beneficiary_document: '12345678909' }
  const ispbOf = (bank_code: string) => {
    const read = accountPayment.decode({ ...sent, bank_code })
    return isLeft(read) ? read.left.map(({ code }) => code) : read.right.ispb
  }
  for (const code of ['001', '1', '00000000']) t.is(ispbOf(code), '00000000')
  for (const code of ['0000', '999', 'abc', '1234567']) t.deepEqual(ispbOf(code), ['unknown'])
})

const PAYEE = { name: 'Rui', document: '12345678909', ispb: '341', branch: '1', account: '12345-6' }

/** The results of withdrawals that start at the same time. */
const payAtOnce = async ({ pay, from }: TwoAccounts, ...values: readonly number[]) => {
  const paid = values.map((valueCents) => pay.withdrawals.payAccount(from.member, { ...PAYEE, valueCents })())
  return (await Promise.all(paid)).map((each) => inShort(each, ({ withdrawal }) => withdrawal.status))
}

for (const limit of ['pixOutDailyCents', 'pixOutNightlyCents'] as const)
  test(`rejects one of two simultaneous withdrawals that exceed ${limit} together`, async (t) => {
    const business = await twoAccounts()
    business.clock.set('2026-11-24T01:00:00.000Z')
    right(await business.pay.accounts.setTerms(business.from.id, { limits: { [limit]: 10_000 } })())
    t.deepEqual(await payAtOnce(business, 6_000, 5_000), ['completed', 'valueCents withdrawal.limit-left'])
  })

test('rejects one of two simultaneous withdrawals if one more may wait for the bank', async (t) => {
  const business = await twoAccounts({
    instead: ({ payOuts }) => ({ payOuts: { ...payOuts, payOut: async () => ({ outcome: 'unknown' }) } }),
  })
  const { store, from } = business
  const id = waitingSumId(from.id)
  const waiting = { id, accountId: from.id, amount: MAX_WAITING_WITHDRAWALS - 1, expiresAt: null }
  await store.commit([insert(payOutSums, waiting)])
  t.deepEqual(await payAtOnce(business, 6_000, 5_000), ['pending', 'withdrawals.waiting'])
})

test('sends a withdrawal once if two confirmations name different values at the same time', async (t) => {
  const { pay, from, books } = await twoAccounts()
  const key = 'maria@example.com'
  const lookUp = async (of: string) => right(await pay.withdrawals.lookUp(from.member, { key: of })()).withdrawal.id
  // Another look-up is open, so that the count of look-ups rejects neither confirmation.
  await lookUp('rui@example.com')
  const internalId = await lookUp(key)
  const confirmed = [6_000, 5_000].map((valueCents) =>
    pay.withdrawals.confirm(from.member, { internalId, key, valueCents })(),
  )
  const results = (await Promise.all(confirmed)).map((each) => inShort(each, ({ withdrawal }) => withdrawal.status))
  t.deepEqual(results, ['completed', 'withdrawal.used'])
  t.deepEqual((await books())[0], [94_000, 94_000])
})

/** Calls `before` with the names of the collections of each commit, those of an idempotency key included. */
const watchCommits = ({ pay }: TwoAccounts, before: (names: readonly string[]) => void): void => {
  const { store } = pay.ports
  const { commit } = store
  Object.assign(store, {
    commit: ((changes, hook) => {
      const names = changes.map(({ at: [name] }) => name)
      if (!hook) before(names)
      return commit(
        changes,
        hook &&
          ((taken) => {
            const more = hook(taken)
            before([...names, ...more.map(({ at: [name] }) => name)])
            return more
          }),
      )
    }) satisfies typeof commit,
  })
}

test('stores outcome, entry and key of a withdrawal in one commit, and replays it', async (t) => {
  const business = await twoAccounts()
  const { pay, from } = business
  const commits: (readonly string[])[] = []
  watchCommits(business, (names) => commits.push(names))
  const paying = () => pay.withdrawals.payAccount(from.member, { ...PAYEE, valueCents: 6_000 })({ key: 'k1' })
  const paid = right(await paying())
  const of = ({ name }: { readonly name: string }) => commits.map((names) => names.includes(name))
  // The intent, and the outcome.
  t.deepEqual({ keys: of(idempotencyKeys), entries: of(entries) }, { keys: [true, true], entries: [false, true] })
  t.like(paid.entry, { valueCents: -6_000, balanceCents: 94_000 })
  t.deepEqual(paid, right(await pay.withdrawals.read(from.member, paid.withdrawal.id)()))
  t.deepEqual(right(await paying()), paid)
  t.is(commits.length, 2)
})

test('returns a withdrawal as pending if the store cannot record its outcome, and the worker records it', async (t) => {
  const business = await twoAccounts()
  const { pay, from, clock, drain, every, faults } = business
  let isLost = false
  watchCommits(business, (names) => {
    if (isLost || !names.includes(entries.name)) return
    isLost = true
    throw new StoreUnavailable('away')
  })
  const paying = () => pay.withdrawals.payAccount(from.member, { ...PAYEE, valueCents: 6_000 })({ key: 'k1' })
  t.like(right(await paying()), { withdrawal: { status: 'pending' }, entry: null })
  t.true(isLost)
  clock.advance(60)
  await drain()
  t.deepEqual(column(await every(withdrawals), 'status'), ['completed'])
  t.deepEqual((await business.books())[0], [94_000, 94_000])
  t.deepEqual(await faults(), [])
})

test('sends at most 140 characters of the message of a look-up', async (t) => {
  const { pay, from } = await twoAccounts()
  const [key, valueCents] = ['maria@example.com', 6_000]
  const looked = await pay.withdrawals.lookUp(from.member, { key, valueCents, message: `${'😀'.repeat(140)}.` })()
  const { id: internalId } = right(looked).withdrawal
  const { withdrawal } = right(await pay.withdrawals.confirm(from.member, { internalId, key, valueCents })())
  t.is(withdrawal.message, '😀'.repeat(140))
})

test('restores value and message of a look-up if the bank did not receive its confirmation', async (t) => {
  let isUp = false
  const { pay, from, every, faults } = await twoAccounts({
    instead: ({ payOuts }) => ({
      payOuts: { ...payOuts, payOut: async (order) => (isUp ? payOuts.payOut(order) : { outcome: 'unavailable' }) },
    }),
  })
  const key = 'maria@example.com'
  const lookUp = async (valueCents: number | null) =>
    right(await pay.withdrawals.lookUp(from.member, { key, valueCents, message: 'A' })()).withdrawal
  const confirm = (internalId: number, valueCents: number, message: string | null) =>
    pay.withdrawals.confirm(from.member, { internalId, key, valueCents, message })()
  for (const valueCents of [null, 6_000]) {
    const { id } = await lookUp(valueCents)
    t.is(failureOf(await confirm(id, 6_000, 'B'))?.code, 'bank.unavailable')
    const reverted = (await every(withdrawals)).find((each) => each.id === id)
    t.like(reverted, { status: 'awaiting', valueCents, message: 'A', lookedUp: null })
    t.deepEqual(await lookUp(valueCents), reverted)
  }
  isUp = true
  const { withdrawal } = right(await confirm((await lookUp(null)).id, 5_000, null))
  t.like(withdrawal, { status: 'completed', valueCents: 5_000, message: 'A', lookedUp: null })
  t.deepEqual(await faults(), [])
})

test('confirms a look-up within two hours, and not after', async (t) => {
  for (const [seconds, result] of [
    [7_199, 'completed'],
    [7_200, 'withdrawal.unknown'],
  ] as const) {
    const { pay, from, clock } = await twoAccounts()
    const [key, valueCents] = ['maria@example.com', 6_000]
    const lookUp = async () => right(await pay.withdrawals.lookUp(from.member, { key, valueCents })()).withdrawal.id
    const internalId = await lookUp()
    clock.advance(3_599)
    t.is(await lookUp(), internalId)
    clock.advance(seconds - 3_599)
    const confirmed = await pay.withdrawals.confirm(from.member, { internalId, key, valueCents })()
    t.is(
      inShort(confirmed, ({ withdrawal }) => withdrawal.status),
      result,
    )
  }
})

test('finds a receiver by the digits of the document that are shown, also in stores of earlier releases', async (t) => {
  const { pay, from, store, every } = await twoAccounts()
  const { member } = from
  const key = 'maria@example.com'
  const paid = right(await pay.withdrawals.payKey(member, { key, valueCents: 100 })()).withdrawal
  const { document } = paid
  const shown = shownDocument(paid)
  const found = async (search: string) =>
    [
      right(await pay.withdrawals.list(member, { search })()).total,
      right(await pay.withdrawals.frequentRecipients(member, { search })()).length,
      right(await pay.withdrawals.listPaidParties(member, { search })()).total,
    ].join(' ')
  const digits = shown.replace(/\D/g, '')
  const hidden = [document, document.slice(0, 6), document.slice(-6)]
  const assertHidden = async () => {
    for (const search of [shown, digits]) t.is(await found(search), '1 1 1', search)
    for (const search of hidden) t.is(await found(search), '0 0 0', search)
  }
  await assertHidden()

  for (const collection of [withdrawals, recipients, paidParties])
    for (const { id, search } of await every(collection as typeof recipients)) {
      const before = search.replace(`${shown}\n${digits}`, document)
      await store.commit([patch(collection as typeof recipients, id, { set: { search: before }, when: always })])
    }
  t.is(await found(document), '1 1 1')
  const worker = pay.worker()
  await worker.prepare()
  await worker.drain()
  await assertHidden()

  // The payer enters the document: the party shows it.
  for (const valueCents of [200, 300])
    right(await pay.withdrawals.payAccount(member, { ...PAYEE, document, valueCents })())
  t.is(await found(document), '2 1 1')
  const [party] = await every(paidParties)
  t.deepEqual(party?.search.split('\n').slice(1), [shown, digits, key, document].map(fold))
})

test('does not count a withdrawal that the bank refused in the limits of day and night', async (t) => {
  let orders = 0
  const business = await twoAccounts({
    instead: ({ payOuts }) => ({
      payOuts: {
        ...payOuts,
        payOut: async (order) => (orders++ === 0 ? { outcome: 'refused', reason: 'Não.' } : payOuts.payOut(order)),
      },
    }),
  })
  business.clock.set('2026-11-24T01:00:00.000Z')
  const limits = { pixOutDailyCents: 10_000, pixOutNightlyCents: 10_000 }
  right(await business.pay.accounts.setTerms(business.from.id, { limits })())
  t.deepEqual(await payAtOnce(business, 10_000), ['bank.refused'])
  t.deepEqual(await payAtOnce(business, 10_000), ['completed'])
})

test('orders a withdrawal with the data of the paying account and of its receiver', async (t) => {
  const orders: PayOutOrder[] = []
  const { pay, from, store } = await twoAccounts({
    instead: ({ payOuts }) => ({
      payOuts: {
        ...payOuts,
        payOut: (order) => {
          orders.push(order)
          return payOuts.payOut(order)
        },
      },
    }),
  })
  right(await pay.withdrawals.payAccount(from.member, { ...PAYEE, valueCents: 100 })())
  const account = await store.find(byId(accounts, from.id))
  t.truthy(account?.pixKey)
  const { name, document, agency, account: number, pixKey } = account ?? {}
  t.deepEqual(orders[0]?.from, { name, document, agency, account: number, pixKey } as PayOutOrder['from'])
  t.like(orders[0]?.to, { holder: { ...PAYEE, ispb: '60701190', accountType: 'CORRENTE' } })
})

test('reads no withdrawal that was looked up and not confirmed', async (t) => {
  const { pay, from } = await twoAccounts()
  const { withdrawal } = right(
    await pay.withdrawals.lookUp(from.member, { key: 'maria@example.com', valueCents: 100 })(),
  )
  t.is(failureOf(await pay.withdrawals.read(from.member, withdrawal.id)())?.code, 'withdrawal.unknown')
})

test('rejects a look-up whose value and fee exceed the balance', async (t) => {
  const { pay, from } = await twoAccounts()
  right(await pay.accounts.setTerms(from.id, { fees: { pixOutCents: 100 } })())
  const lookUp = async (valueCents: number) =>
    inShort(await pay.withdrawals.lookUp(from.member, { key: 'maria@example.com', valueCents })())
  t.deepEqual([await lookUp(99_901), await lookUp(99_900)], ['valueCents balance.insufficient', 'done'])
})

test('a guard against repeats belongs to one payment at a time', async (t) => {
  const { store } = await twoAccounts()
  const one = { id: 1, accountId: 7, destination: 'maria@example.com', valueCents: 5 }
  const two = { ...one, id: 2 }
  const isCommitted = async (...changes: readonly Change[]) => (await store.commit(changes)).ok
  const guard = () => store.find(byId(sentWithdrawals.collection, sentId(one)))
  t.true(await isCommitted(...sentWithdrawals.reserve(one, DONE)))
  t.false(await isCommitted(...sentWithdrawals.reserve(two, DONE)))
  t.false(await isCommitted(sentWithdrawals.release(two, DONE, true)))
  t.true(await isCommitted(...sentWithdrawals.completeLate(two, await guard(), DONE)))
  t.like(await guard(), { pendingId: 1, completedAt: DONE, expiresAt: null })
})

test('confirms and reads no withdrawal, and removes no recipient, of another account', async (t) => {
  const { pay, from, to } = await twoAccounts()
  const order = { key: 'maria@example.com', valueCents: 100 }
  const { id: internalId } = right(await pay.withdrawals.lookUp(from.member, order)()).withdrawal
  const confirm = ({ member }: typeof from) => pay.withdrawals.confirm(member, { internalId, ...order })()
  t.is(failureOf(await confirm(to))?.code, 'withdrawal.unknown')
  right(await confirm(from))
  t.is(failureOf(await pay.withdrawals.read(to.member, internalId)())?.code, 'withdrawal.unknown')
  t.is(right(await pay.withdrawals.list(to.member)()).total, 0)
  const { id } = right(await pay.withdrawals.addRecipient(from.member, { key: 'maria@example.com' })())
  t.is(failureOf(await pay.withdrawals.removeRecipient(to.member, id)())?.code, 'recipient.unknown')
  t.is(right(await pay.withdrawals.readRecipient(from.member, id)()).id, id)
})
