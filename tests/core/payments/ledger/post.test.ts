import test from 'ava'
import fc from 'fast-check'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { always, gte } from '../../../../core/kernel/records/where.ts'
import type { Fresh } from '../../../../core/kernel/running/fresh.ts'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import {
  causeKey,
  entries,
  journals,
  ledgerAccountId,
  ledgerAccounts,
  newLedgerAccount,
} from '../../../../core/payments/ledger/ledger.ts'
import { type EntryDetails, type Line, post } from '../../../../core/payments/ledger/post.ts'
import {
  CARD_SETTLEMENT,
  CARD_WITHDRAWAL,
  PIX_IN,
  PIX_IN_FEE,
  transactionType,
  transactionTypes,
} from '../../../../core/payments/ledger/transaction-type.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { byId, listOf } from '../../../../core/ports/store.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const telling: EntryDetails = {
  description: 'Mensalidade de São João',
  chargeId: 7,
  txid: 'TXID7',
  endToEnd: 'E1',
  payer: { name: 'Zé', document: '1', bank: null, branch: null, account: null },
  receiver: null,
}
const gross: Line = { type: PIX_IN, valueCents: 1_000, against: 'clearing' }
const fee: Line = { type: PIX_IN_FEE, valueCents: -99, against: 'fees' }

/** A ledger in memory, with consecutive ids across movements. */
const ledger = async () => {
  const store = memoryStore([ledgerAccounts, entries, journals])
  await store.commit([newLedgerAccount(1, 'main', NOW)])
  let drawn = 0
  const freshAt = (steady: string, now = steady): Fresh => ({
    now,
    steady,
    today: dayOf(steady),
    id: () => {
      drawn += 1
      return drawn
    },
    uuid: () => {
      drawn += 1
      return `uuid-${drawn}`
    },
    text: () => '',
    bytes: () => new Uint8Array(),
  })
  const movement = (cause: string, lines: readonly Line[], now = NOW) =>
    post(freshAt(now), { accountId: 1, kind: 'main', cause, lines, details: telling })
  const sale = (cause: string, netCents: number, feeCents: number, isPosted = false) =>
    post(freshAt(NOW), {
      accountId: 1,
      kind: 'card',
      cause,
      lines: netCents === 0 ? [] : [{ type: CARD_SETTLEMENT, valueCents: netCents, against: 'receivable' }],
      sideLegs: feeCents === 0 && !isPosted ? [] : [{ from: 'receivable', to: 'fees', cents: feeCents }],
      details: telling,
    })
  const statement = async () =>
    (await store.list(listOf(entries, { where: always, sort: { by: 'seq', dir: 'asc' }, limit: 500 }))).records
  return {
    store,
    freshAt,
    movement,
    sale,
    statement,
    book: () => store.find(byId(ledgerAccounts, ledgerAccountId(1, 'main'))),
  }
}

test('posts a balanced journal, and entries numbered by the book', async (t) => {
  const { store, movement, statement, book } = await ledger()
  t.true((await store.commit(movement('pix-in:E1', [gross, fee]))).ok)
  const [journal] = (await store.list(listOf(journals, { where: always, limit: 10 }))).records
  t.deepEqual(journal?.legs, [
    { book: '1:main', cents: 1_000 },
    { book: '1:clearing', cents: -1_000 },
    { book: '1:main', cents: -99 },
    { book: '1:fees', cents: 99 },
  ])
  const common = { journalId: journal?.id, book: '1:main', chargeId: 7, txid: 'TXID7', endToEnd: 'E1', status: 1 }
  const [first, second, ...more] = await statement()
  t.deepEqual(more, [])
  t.like(first, {
    ...common,
    seq: 1,
    typeId: 1,
    valueCents: 1_000,
    balanceCents: 1_000,
    direction: 'in',
    datetime: NOW,
    day: '2026-11-23',
  })
  t.like(second, {
    ...common,
    seq: 2,
    typeId: 3,
    valueCents: -99,
    balanceCents: 901,
    direction: 'out',
    datetime: NOW,
    day: '2026-11-23',
  })
  t.is(first?.search, 'mensalidade de sao joao\ntxid7\ne1\nze')
  t.like(await book(), { balanceCents: 901, availableCents: 901, seq: 2 })
})

test('posts a cause once per account', async (t) => {
  const { store, movement, statement } = await ledger()
  t.true((await store.commit(movement('pix-in:E1', [gross]))).ok)
  t.deepEqual(await store.commit(movement('pix-in:E1', [gross, fee])), {
    ok: false,
    conflict: { collection: 'payments.journals', key: 'cause' },
  })
  t.is((await statement()).length, 1)
  t.not(causeKey(1, 'pix-in:E1'), causeKey(2, 'pix-in:E1'))
})

test('never decreases time and day, even if the clocks of processes differ', async (t) => {
  const { store, movement, statement } = await ledger()
  await store.commit(movement('a', [gross], '2026-11-24T03:00:00.000Z'))
  await store.commit(movement('b', [gross], '2026-11-24T02:59:59.999Z'))
  t.deepEqual(
    (await statement()).map(({ datetime, day }) => [datetime, day]),
    Array(2).fill(['2026-11-24T03:00:00.000Z', '2026-11-24']),
  )
})

test('dates entries by the steady clock, even if the wall clock jumps', async (t) => {
  const { store, statement, freshAt } = await ledger()
  for (const [cause, now] of [
    ['a', '2026-11-24T13:05:09.123Z'],
    ['b', NOW],
  ] as const)
    await store.commit(post(freshAt(NOW, now), { accountId: 1, kind: 'main', cause, lines: [gross], details: telling }))
  t.deepEqual(
    (await statement()).map(({ datetime, day }) => [datetime, day]),
    Array(2).fill([NOW, dayOf(NOW)]),
  )
})

test('gives the same result for movements in any order and any grouping into commits', async (t) => {
  const lines = fc.array(
    fc.record({ cents: fc.integer({ min: 1, max: 10 ** 12 }), fee: fc.integer({ min: 0, max: 500 }) }),
    { maxLength: 20 },
  )
  await fc.assert(
    fc.asyncProperty(lines, fc.boolean(), async (paid, together) => {
      const { store, movement, statement, book } = await ledger()
      const movements = paid.map(({ cents, fee: taken }, index) =>
        movement(`pix-in:${index}`, [
          { ...gross, valueCents: cents },
          ...(taken === 0 ? [] : [{ ...fee, valueCents: -Math.min(taken, cents) }]),
        ]),
      )
      if (together) await Promise.all(movements.map((changes) => store.commit(changes)))
      else for (const changes of movements) await store.commit(changes)
      const posted = await statement()
      let running = 0
      for (const [index, { seq, valueCents, balanceCents }] of posted.entries()) {
        running += valueCents
        t.deepEqual([seq, balanceCents], [index + 1, running])
      }
      t.is(
        running,
        paid.reduce((sum, { cents, fee: taken }) => sum + cents - Math.min(taken, cents), 0),
      )
      t.like(await book(), { balanceCents: running, availableCents: running, seq: posted.length })
    }),
    { numRuns: 50 },
  )
})

/** The allowed direction of each type. */
const MAY: Readonly<Record<string, readonly ('in' | 'out')[]>> = {
  'pix-in': ['in'],
  'pix-out': ['out'],
  'pix-in-fee': ['out'],
  'pix-out-fee': ['out'],
  'pix-refund': ['out'],
  'boleto-in': ['in'],
  'transfer-in': ['in'],
  'transfer-out': ['out'],
  'boleto-fee': ['out'],
  adjustment: ['in', 'out'],
  'bolepix-in': ['in'],
  'bolepix-fee': ['out'],
  'card-settlement': ['in'],
  'card-withdrawal': ['in', 'out'],
}

test('throws for fractions of cents, zero and the wrong direction', async (t) => {
  const { store, movement, statement, book } = await ledger()
  const before = await book()
  const cents = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -3, max: 3 }),
    fc.double(),
    fc.constantFrom(0, -0, 0.5, -99.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53)),
  )
  const property = fc.property(
    fc.constantFrom(...transactionTypes),
    cents,
    fc.boolean(),
    (type, valueCents, isLast) => {
      const line: Line = { type, valueCents, against: 'clearing' }
      const lines = isLast ? [gross, line] : [line, gross]
      const isWhole = Number.isSafeInteger(valueCents) && valueCents !== 0
      if (isWhole && MAY[type.slug]?.includes(valueCents > 0 ? 'in' : 'out')) {
        return movement('any', lines).length === 5
      }
      t.throws(() => movement('any', lines), { instanceOf: RangeError }, `${type.slug} ${valueCents}`)
      return true
    },
  )
  fc.assert(property, { numRuns: 2_000 })
  t.deepEqual([await book(), await statement()], [before, []])
  t.true((await store.commit(movement('right', [gross, fee]))).ok)
})

test('finds types by id, by the id as text and by slug', (t) => {
  t.is(transactionTypes.length, 14)
  t.is(new Set(transactionTypes.map(({ slug }) => slug)).size, 14)
  for (const each of transactionTypes) {
    t.is(transactionType(each.id), each)
    t.is(transactionType(String(each.id)), each)
    t.is(transactionType(each.slug), each)
  }
  for (const none of [0, '', 'pix', '1.5', 13]) t.is(transactionType(none), undefined)
})

test('posts a card sale net on the card book, with its fee as a leg without an entry', async (t) => {
  const { store, movement, sale, statement, book } = await ledger()
  t.true((await store.commit([...sale('card:C1', 9_750, 250), ...sale('card:C2', 100, 0)])).ok)
  t.true((await store.commit(sale('card:C3', 0, 1))).ok)
  const legs = (await store.list(listOf(journals, { where: always, limit: 10 }))).records.map((each) => each.legs)
  t.deepEqual(legs, [
    [
      { book: '1:card', cents: 9_750 },
      { book: '1:receivable', cents: -9_750 },
      { book: '1:receivable', cents: -250 },
      { book: '1:fees', cents: 250 },
    ],
    [
      { book: '1:card', cents: 100 },
      { book: '1:receivable', cents: -100 },
    ],
    [
      { book: '1:receivable', cents: -1 },
      { book: '1:fees', cents: 1 },
    ],
  ])
  t.deepEqual(
    (await statement()).map(({ book: of, seq, typeId, status, valueCents, balanceCents }) =>
      [of, seq, typeId, status, valueCents, balanceCents].join(' '),
    ),
    ['1:card 1 16 5 9750 9750', '1:card 2 16 5 100 9850'],
  )
  t.like(await store.find(byId(ledgerAccounts, '1:card')), { kind: 'card', seq: 2, balanceCents: 9_850 })
  t.like(await book(), { seq: 2, balanceCents: 0 })
  t.deepEqual((await verifyLedger(store)).faults, [])
  t.true((await store.commit(movement('between', [gross, fee]))).ok)
  t.true((await store.commit(sale('card:C5', 50, 0))).ok)
  t.deepEqual(
    (await statement()).map(({ book: of, seq, balanceCents }) => `${of} ${seq} ${balanceCents}`),
    ['1:card 1 9750', '1:card 2 9850', '1:main 3 1000', '1:main 4 901', '1:card 5 9900'],
    'all lines of an account have one order',
  )
  t.deepEqual((await verifyLedger(store)).faults, [])
  for (const cents of [0, -1, 0.5, Number.NaN])
    t.throws(() => sale('card:C4', 1, cents, true), { instanceOf: RangeError })
})

test('posts a movement between the books as one journal with two entries and a guard on the first book', async (t) => {
  const { store, freshAt, sale, statement, book } = await ledger()
  await store.commit(sale('card:C1', 1_000, 0))
  const moving = (cause: string, cents: number, over: Partial<Line> = {}, kind: 'main' | 'card' = 'card') =>
    post(freshAt(NOW), {
      accountId: 1,
      kind,
      cause,
      lines: [
        { type: CARD_WITHDRAWAL, valueCents: -cents, against: 'main', when: gte('availableCents', cents), ...over },
      ],
      details: telling,
    })
  t.true((await store.commit(moving('a', 600))).ok)
  t.deepEqual(await store.commit(moving('b', 401)), { ok: false, stale: ['payments.books', '1:card'] })
  t.true((await store.commit(moving('c', 400))).ok)
  t.deepEqual(
    (await statement()).map(({ book: of, seq, typeId, status, direction, valueCents, balanceCents }) =>
      [of, seq, typeId, status, direction, valueCents, balanceCents].join(' '),
    ),
    [
      '1:card 1 16 5 in 1000 1000',
      '1:card 2 17 5 out -600 400',
      '1:main 3 17 1 in 600 600',
      '1:card 4 17 5 out -400 0',
      '1:main 5 17 1 in 400 1000',
    ],
  )
  t.like(await book(), { balanceCents: 1_000, availableCents: 1_000 })
  t.deepEqual((await verifyLedger(store)).faults, [])
  t.throws(() => moving('d', 1, { type: PIX_IN_FEE }), { instanceOf: RangeError })
  t.throws(() => moving('e', 1, {}, 'main'), { instanceOf: RangeError })
})
