import test, { type ExecutionContext } from 'ava'
import type { SqliteStore } from '../../../../adapters/sqlite/store.ts'
import { type Change, insert } from '../../../../core/kernel/records/record.ts'
import { addDays } from '../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { cardTransactions } from '../../../../core/payments/charges/card.ts'
import { emptyLedgerAccount, entries, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import type { Lines } from '../../../../core/payments/statements/days.ts'
import {
  datedTransactionFilter,
  listTransactions,
  type TransactionFilter,
} from '../../../../core/payments/statements/entries.ts'
import { statements } from '../../../../core/payments/statements/module.ts'
import type { Query, Store } from '../../../../core/ports/store.ts'
import { statementQuestions } from '../../../bench/lists/questions.ts'
import { openSqlite, recording } from '../../observed-store.ts'
import { aBook, anAccount, anEntry } from '../records.ts'
import { NOW, openPayments, right } from '../world.ts'

const LINES = 3_000
const day = { from: '2024-03-15', to: '2024-03-15' }

const BY_SEQ = 'accountId= seq> seq<'

const plans: readonly (readonly [string, TransactionFilter, string])[] = [
  ['no filter', {}, 'accountId='],
  ['a day', { created: day }, BY_SEQ],
  ['half a year', { created: { from: '2024-01-01', to: '2024-06-30' } }, BY_SEQ],
  ['since a day', { created: { from: '2024-01-01' } }, 'accountId= seq>'],
  ['a day of payment', { paid: day }, BY_SEQ],
  ['days by another name', { between: day }, BY_SEQ],
  ['a type', { typeId: [1] }, 'accountId= typeId='],
  ['a type by slug', { types: ['pix-in'] }, 'accountId= typeId='],
  ['a type in a list', { typeIds: [1] }, 'accountId= typeId='],
  ['a type on a day', { typeId: [1], created: day }, 'accountId= typeId= seq> seq<'],
  ['a status, which nearly all have', { status: 1 }, 'accountId= status='],
  ['a status on a day', { status: 5, created: day }, 'accountId= status= seq> seq<'],
  ['a search, which scans', { search: 'x' }, 'accountId='],
  ['a search on a day', { search: 'x', created: day }, BY_SEQ],
]

const inserted = async (store: Store, changes: readonly Change[]): Promise<void> => {
  for (let first = 0; first < changes.length; first += 500) await store.commit(changes.slice(first, first + 500))
}

const opened = async (t: ExecutionContext): Promise<SqliteStore> => {
  const store = await openSqlite(t, paymentsCollections)
  const lines = Array.from({ length: LINES }, (_, at) =>
    insert(entries, anEntry({ id: at + 1, accountId: 1, valueCents: 1, day: addDays('2023-01-01', at / 3) })),
  )
  await inserted(store, lines)
  await store.commit([insert(ledgerAccounts, { ...aBook, seq: LINES }), insert(accounts, anAccount())])
  return store
}

/** Returns the indexed fields in a plan of entries. */
const indexFieldsIn = (plan: string): string | undefined =>
  /payments\.entries USING (?:COVERING )?INDEX \S+ \(([^)]*)\)/
    .exec(plan)?.[1]
    ?.replaceAll(/f_|\?/g, '')
    .replaceAll(' AND', '')

test('finds the entries of each filter by an index, and reads sums from the tally', async (t) => {
  const store = await opened(t)
  let last: Readonly<Record<string, Query>> = {}
  const read: typeof store.read = (asked) => {
    last = asked
    return store.read(asked)
  }
  const list = listTransactions({ ...openPayments().ports, store: { ...store, read } })
  for (const [name, filter, by] of plans) {
    await list({ accountId: 1 }, filter)()
    const { page, sums } = last
    const plan = page ? await store.explain(page) : ''
    t.is(indexFieldsIn(plan), by, `${name}\n${plan}`)
    t.false(plan.includes('TEMP B-TREE'), `${name}\n${plan}`)
    if (!filter.search && sums) t.regex(await store.explain(sums), /payments\.entries_tally_/, name)
  }
})

const OLD = { from: '2024-03-15', to: '2024-03-20' }

type Statements = ReturnType<typeof statements.useCases>
const ACTOR = { accountId: 1, permissions: [] }

/** Each statement by days, with the indexed fields of its entries; null for sums alone. */
const dayStatements: readonly (readonly [string, (pay: Statements) => Promise<Lines | undefined>, string | null])[] = [
  ['balance-days', async (pay) => right(await pay.listBalanceDays(ACTOR)()).days[0]?.transactions, BY_SEQ],
  [
    'statement-detailed',
    async (pay) => right(await pay.listStatementDays(ACTOR, OLD)()).records[0]?.transactions,
    BY_SEQ,
  ],
  ['transactions/extract', async (pay) => right(await pay.extractDays(ACTOR, OLD)()).days[0]?.transactions, BY_SEQ],
  [
    'transactions/extract of a type',
    async (pay) => right(await pay.extractDays(ACTOR, { ...OLD, typeId: [1] })()).days[0]?.transactions,
    'accountId= typeId= seq> seq<',
  ],
  [
    'balance-summary',
    async (pay) => right(await pay.summarizePeriods(ACTOR, { groupBy: 'months', ...OLD })()).total.income,
    'accountId= status= seq> seq<',
  ],
  ['extract', async (pay) => right(await pay.extract(ACTOR, OLD)()).transactions, BY_SEQ],
  [
    'extract of a type',
    async (pay) => right(await pay.extract(ACTOR, { ...OLD, types: ['pix-in'] })()).transactions,
    'accountId= typeId= seq> seq<',
  ],
  ['sales', async (pay) => void (await pay.reportSales(ACTOR, OLD)()), null],
  ['sales chart', async (pay) => void (await pay.chartSales(ACTOR)()), null],
  ['totals', async (pay) => void (await pay.readTotals(ACTOR, OLD)()), null],
  ['sums by type', async (pay) => void (await pay.sumByType(ACTOR, OLD)()), null],
  ['settlement', async (pay) => void (await pay.readSettlement(ACTOR, { startDate: OLD.from })()), null],
]

const DAYS_LEAD =
  /SEARCH payments\.entries_tally_\d+ USING (PRIMARY KEY|INDEX \S+|COVERING INDEX \S+) \(b_accountId=\? AND b_day[<>]/

test('reads every sum from the days of the tally, and the entries of a day by their `seq`', async (t) => {
  const store = await opened(t)
  for (const [name, ask, by] of dayStatements) {
    const { asked, recorded } = recording(store)
    const { ports, clock } = openPayments({ store: recorded })
    clock.set('2025-09-20T12:00:00.000Z')
    const lines = await ask(statements.useCases({ ...ports, store: recorded }))
    const groups = asked.filter(({ kind }) => kind === 'group')
    t.true(groups.length > 0, name)
    for (const group of groups) {
      const plan = await store.explain(group)
      // A query that matches nothing needs no days.
      if (!JSON.stringify(group).includes('"any":[]')) t.regex(plan, DAYS_LEAD, `${name}\n${plan}`)
    }
    t.false(
      asked.some(({ kind }) => kind === 'list'),
      `${name} reads no entries before they are iterated`,
    )
    asked.length = 0
    for await (const _ of lines ?? []);
    t.is(asked.length > 0, by !== null, name)
    for (const list of asked) {
      const plan = await store.explain(list)
      t.is(indexFieldsIn(plan), by ?? undefined, `${name}\n${plan}`)
      t.false(plan.includes('TEMP B-TREE'), `${name}\n${plan}`)
    }
  }
})

test('covers every filter of a statement in the plans and in the benchmark', (t) => {
  const asked = [...plans.map(([, filter]) => filter)]
  const measured = statementQuestions.flatMap(({ filter }) => filter ?? [])
  for (const name of Object.keys(datedTransactionFilter.table).filter((each) => !['perPage', 'page'].includes(each)))
    for (const [where, filters] of [
      ['plans', asked],
      ['bench', measured],
    ] as const)
      t.true(
        filters.some((filter) => Object.keys(filter).join() === name),
        `${name} in ${where}`,
      )
})

const SALES = 2_000
const SELLER = { userId: 1, accountId: 1, roleId: 1, permissions: [] }
const days = { from: '2024-03-15', to: '2024-04-15' }
const paid = days

test('finds card sales by their places with every filter, and reads figures from tallies', async (t) => {
  const store = await openSqlite(t, paymentsCollections)
  const sold = Array.from({ length: SALES }, (_, at) => {
    const [id, day] = [at + 1, addDays('2023-01-01', at / 3)]
    const amounts = { grossCents: 10, feeCents: 1, netCents: 9, settledCents: 9 * id }
    return [
      insert(cardTransactions, { id, accountId: 1, place: id, ...amounts, paymentDate: day }),
      insert(entries, anEntry({ id, accountId: 1, valueCents: 9, day, book: '1:card', status: 5, typeId: 16 })),
    ]
  })
  await inserted(store, sold.flat())
  const settled = { settlements: SALES, settledCents: 9 * SALES, balanceCents: 9_000 }
  await store.commit([
    insert(ledgerAccounts, { ...emptyLedgerAccount(1, 'card', NOW), ...settled }),
    insert(ledgerAccounts, { ...emptyLedgerAccount(1, 'main', NOW), seq: SALES }),
  ])
  const { asked, recorded } = recording(store)
  const { cardSales, extracts, statistics } = openPayments({ store: recorded }).pay
  const expected = 'TOTAL_CHARGE_EXPECTED_TO_RECEIVE'
  const cards = ['PIXS_COUNT', 'BOLETOS_COUNT', 'CHARGE_SUM_PAID', 'PIX_IN_SUM', expected] as const
  const asks: Readonly<Record<string, () => Promise<unknown>>> = {
    all: cardSales.list(SELLER, {}),
    pending: cardSales.list(SELLER, { status: 'PENDING' }),
    'withdrawn, far in': cardSales.list(SELLER, { status: 'WITHDRAWN', page: 30 }),
    'withdrawn of some days': cardSales.list(SELLER, { status: 'WITHDRAWN', paid }),
    summary: cardSales.summarize(SELLER, { paid }),
    entries: cardSales.listEntries(SELLER, {}),
    'entries of some days': cardSales.listEntries(SELLER, { days }),
    balance: cardSales.readBalance(SELLER, { days }),
    'a period': extracts.list(SELLER, { created: days }),
    'what is confirmed': extracts.listConfirmed(SELLER, {}),
    'by day': extracts.byDay(SELLER, { paid }),
    'by type': extracts.byType(SELLER, { paid }),
    'by method': extracts.byMethod(SELLER, { paid }),
    statistics: statistics.read(SELLER, { cards: [...cards], from: paid.from, to: paid.to }),
    boletos: statistics.countBoletos(SELLER, {}),
  }
  for (const [about, ask] of Object.entries(asks)) {
    asked.length = 0
    await ask()
    for (const each of asked) {
      const plan = await store.explain(each)
      const of = `${about}: ${each.kind} of ${each.from.name}\n${plan}`
      // Lapsing charges that are over, and those that were paid in part, are few and have indexes.
      const isFew = each.kind === 'group' && each.when === 'lapsing'
      t.regex(plan, each.kind === 'group' && !isFew ? /_tally_/ : /USING (COVERING )?INDEX|INTEGER PRIMARY KEY/, of)
      if (each.kind === 'list') t.false(plan.includes('TEMP B-TREE'), of)
    }
  }
  const { right: page } = (await cardSales.list(SELLER, { status: 'WITHDRAWN', page: 2 })()) as {
    right: { total: number }
  }
  t.is(page.total, 1_000)
})
