import test from 'ava'
import fc from 'fast-check'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { always, gte } from '../../../../core/kernel/records/record.ts'
import {
  CARD_SETTLEMENT,
  CARD_WITHDRAWAL,
  causeKey,
  type EntryDetails,
  entries,
  journals,
  type Line,
  ledgerAccountId,
  ledgerAccounts,
  newLedgerAccount,
  PIX_IN,
  PIX_IN_FEE,
  post,
  transactionType,
  transactionTypes,
} from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { streamEntries } from '../../../../core/payments/statements/days.ts'
import { byId, listOf } from '../../../../core/ports/store.ts'
import { draws } from '../statements/random-ledger.ts'
import { NOW } from '../world.ts'

const telling: EntryDetails = {
  description: 'Mensalidade de São João',
  chargeId: 7,
  txid: 'TXID7',
  endToEnd: 'E1',
  payer: { name: 'Zé', document: '1', bank: null, branch: null, account: null },
  receiver: null,
}
const MAIN = { accountId: 1, kind: 'main' } as const
const gross: Line = { type: PIX_IN, valueCents: 1_000, against: 'clearing' }
const fee: Line = { type: PIX_IN_FEE, valueCents: -99, against: 'fees' }

/** A ledger in memory, with consecutive ids across movements. */
const ledger = async () => {
  const store = memoryStore([ledgerAccounts, entries, journals])
  await store.commit([newLedgerAccount(1, 'main', NOW)])
  const { freshAt } = draws()
  const movement = (cause: string, lines: readonly Line[], now = NOW) =>
    post(freshAt(now), { ...MAIN, cause, lines, details: telling })
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
    dates: async () => (await statement()).map(({ datetime, day }) => `${datetime} ${day}`),
    lines: async () =>
      (await statement()).map(({ book, seq, typeId, status, valueCents, balanceCents }) =>
        [book, seq, typeId, status, valueCents, balanceCents].join(' '),
      ),
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
  const common = {
    journalId: journal?.id,
    book: '1:main',
    chargeId: 7,
    txid: 'TXID7',
    endToEnd: 'E1',
    status: 1,
    datetime: NOW,
    day: '2026-11-23',
  }
  const search = 'mensalidade de sao joao\ntxid7\ne1\nze'
  t.like(await statement(), [
    { ...common, seq: 1, typeId: 1, valueCents: 1_000, balanceCents: 1_000, direction: 'in', search },
    { ...common, seq: 2, typeId: 3, valueCents: -99, balanceCents: 901, direction: 'out', search },
  ])
  t.is((await statement()).length, 2)
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
  const { store, movement, dates } = await ledger()
  await store.commit(movement('a', [gross], '2026-11-24T03:00:00.000Z'))
  await store.commit(movement('b', [gross], '2026-11-24T02:59:59.999Z'))
  t.deepEqual(await dates(), Array(2).fill('2026-11-24T03:00:00.000Z 2026-11-24'))
})

test('dates entries by the steady clock, even if the wall clock jumps', async (t) => {
  const { store, dates, freshAt } = await ledger()
  for (const now of ['2026-11-24T13:05:09.123Z', NOW]) {
    const fresh = { ...freshAt(NOW), now }
    await store.commit(post(fresh, { ...MAIN, cause: now, lines: [gross], details: telling }))
  }
  t.deepEqual(await dates(), Array(2).fill(`${NOW} 2026-11-23`))
})

/** The types of each direction. */
const MAY = {
  in: ['pix-in', 'boleto-in', 'transfer-in', 'bolepix-in', 'card-settlement', 'split-in'],
  out: ['pix-out', 'pix-in-fee', 'pix-out-fee', 'pix-refund', 'transfer-out', 'boleto-fee', 'bolepix-fee', 'split-out'],
  both: ['adjustment', 'card-withdrawal', 'split-return'],
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
      if (isWhole && [...MAY[valueCents > 0 ? 'in' : 'out'], ...MAY.both].includes(type.slug))
        return movement('any', lines).length === 5
      t.throws(() => movement('any', lines), { instanceOf: RangeError }, `${type.slug} ${valueCents}`)
      return true
    },
  )
  fc.assert(property, { numRuns: 2_000 })
  t.deepEqual([await book(), await statement()], [before, []])
  t.true((await store.commit(movement('right', [gross, fee]))).ok)
})

test('finds types by id, by the id as text and by slug', (t) => {
  t.is(transactionTypes.length, 17)
  t.is(new Set(transactionTypes.map(({ slug }) => slug)).size, 17)
  for (const each of transactionTypes) {
    t.is(transactionType(each.id), each)
    t.is(transactionType(String(each.id)), each)
    t.is(transactionType(each.slug), each)
  }
  for (const none of [0, '', 'pix', '1.5', 13]) t.is(transactionType(none), undefined)
})

test('posts a card sale net on the card book, with its fee as a leg without an entry', async (t) => {
  const { store, movement, sale, lines, book } = await ledger()
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
  t.deepEqual(await lines(), ['1:card 1 16 5 9750 9750', '1:card 2 16 5 100 9850'])
  t.like(await store.find(byId(ledgerAccounts, '1:card')), { kind: 'card', seq: 2, balanceCents: 9_850 })
  t.like(await book(), { seq: 2, balanceCents: 0 })
  t.deepEqual((await verifyLedger(store)).faults, [])
  t.true((await store.commit(movement('between', [gross, fee]))).ok)
  t.true((await store.commit(sale('card:C5', 50, 0))).ok)
  const others = ['1:main 3 1 1 1000 1000', '1:main 4 3 1 -99 901', '1:card 5 16 5 50 9900']
  t.deepEqual((await lines()).slice(2), others, 'all lines of an account have one order')
  t.deepEqual((await verifyLedger(store)).faults, [])
  for (const cents of [0, -1, 0.5, Number.NaN])
    t.throws(() => sale('card:C4', 1, cents, true), { instanceOf: RangeError })
})

test('posts a movement between the books as one journal with two entries and a guard on the first book', async (t) => {
  const { store, freshAt, sale, lines, statement, book } = await ledger()
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
  t.deepEqual(await lines(), [
    '1:card 1 16 5 1000 1000',
    '1:card 2 17 5 -600 400',
    '1:main 3 17 1 600 600',
    '1:card 4 17 5 -400 0',
    '1:main 5 17 1 400 1000',
  ])
  t.is((await statement()).map(({ direction }) => direction).join(' '), 'in out in out in')
  t.like(await book(), { balanceCents: 1_000, availableCents: 1_000 })
  t.deepEqual((await verifyLedger(store)).faults, [])
  t.throws(() => moving('d', 1, { type: PIX_IN_FEE }), { instanceOf: RangeError })
  t.throws(() => moving('e', 1, {}, 'main'), { instanceOf: RangeError })
})

test('streams more entries than fit a page, each once, in both directions', async (t) => {
  const { store, movement } = await ledger()
  for (const cause of ['a', 'b', 'c']) t.true((await store.commit(movement(cause, Array(334).fill(gross)))).ok)
  const seqs = Array.from({ length: 1_002 }, (_, at) => at + 1)
  for (const [dir, expected] of [
    ['asc', seqs],
    ['desc', seqs.toReversed()],
  ] as const) {
    const streamed: number[] = []
    for await (const { seq } of streamEntries(store, { where: always, dir })) streamed.push(seq)
    t.deepEqual(streamed, expected)
  }
})
