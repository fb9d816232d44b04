import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import type { Either } from '../../../../core/failure.ts'
import { addDays } from '../../../../core/kernel/values/day.ts'
import type { Entry } from '../../../../core/payments/ledger/ledger.ts'
import type { TypeSum } from '../../../../core/payments/statements/entries.ts'
import { statements } from '../../../../core/payments/statements/module.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { SEED } from '../../../size.ts'
import { column, openPayments, right } from '../world.ts'
import * as model from './model.ts'
import { draws, ledgers, NOW, posted, TODAY, type Written } from './random-ledger.ts'

const day = fc.integer({ min: -5, max: 430 }).map((ago) => addDays(TODAY, -ago))
const range = fc
  .oneof(fc.tuple(day, day), fc.tuple(fc.constant(addDays(TODAY, -30)), fc.constant(TODAY)))
  .map(([one, other]) => ({ from: one < other ? one : other, to: one < other ? other : one }))

/** The filters of one run. */
const filterSets = fc.record({
  range,
  typeIds: fc.option(fc.subarray([1, 2, 3, 6, 11, 16, 17, 99], { minLength: 1 }), { nil: undefined }),
  search: fc.option(fc.constantFrom('JOSE', 'a', 'nada'), { nil: undefined }),
  status: fc.constantFrom(undefined, -1, 1, 5, 0),
  perPage: fc.integer({ min: 1, max: 12 }),
})
type Filters = typeof filterSets extends fc.Arbitrary<infer Q> ? Q : never

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const matching =
  ({ typeIds, search, status = -1 }: Partial<Filters>) =>
  (line: Written): boolean =>
    (typeIds === undefined || typeIds.includes(line.typeId)) &&
    (search === undefined || plain(line.text).includes(plain(search))) &&
    (status === -1 || line.status === status)

type Api = ReturnType<typeof apiOf>

const apiOf = (store: Store) => {
  const { ports } = openPayments({ store })
  return statements.useCases({ ...ports, clock: setClock(NOW) })
}

/** One account, its entries in the model, and the filters. */
interface Case {
  readonly t: ExecutionContext
  readonly api: Api
  readonly actor: { readonly accountId: number; readonly permissions: readonly never[] }
  readonly lines: readonly Written[]
  readonly filters: Filters
}

/** Returns the ids of the entries, and asserts that each entry equals its line in the model. */
const idsOf = async ({ t, lines }: Case, all: AsyncIterable<Entry> | readonly Entry[]): Promise<readonly number[]> => {
  const found: number[] = []
  for await (const { id, day: on, typeId, status, valueCents, balanceCents } of all) {
    const { id: _, text: __, cents, ...written } = lines.find((line) => line.id === id) ?? { id: 0, text: '', cents: 0 }
    t.deepEqual({ day: on, typeId, status, balanceCents, cents: valueCents }, { ...written, cents } as never)
    found.push(id)
  }
  return found
}

const plainSums = (sums: readonly TypeSum[]) =>
  sums.map(({ type, count, valueCents }) => ({ typeId: type.id, count, valueCents }))

/** Reads every page of a list. */
const pages = async <P extends { readonly total: number }>(
  ask: (number: number) => Promise<Either<unknown, P>>,
  perPage: number,
): Promise<readonly P[]> => {
  const page = async (number: number) => right(await ask(number))
  const first = await page(1)
  const last = Math.max(1, Math.ceil(first.total / perPage))
  const found = [first]
  // The page after the last one is empty.
  for (let number = 2; number <= last + 1; number += 1) found.push(await page(number))
  return found
}

const assertDays = async (of: Case): Promise<void> => {
  const { t, api, actor, lines, filters } = of
  const balanceDays = []
  for (const { day: on, balanceCents, transactions } of right(await api.listBalanceDays(actor)()).days)
    balanceDays.push({ day: on, balanceCents, ids: await idsOf(of, transactions) })
  t.deepEqual(balanceDays, model.balanceDays(lines))

  const { perPage } = filters
  const days = []
  const listed = (page: number) => api.listStatementDays(actor, { ...filters.range, perPage, page })()
  for (const { records, total } of await pages(listed, perPage)) {
    t.is(total, model.statementDays(lines, filters.range).length)
    for (const { period, openingCents, closingCents, transactions } of records)
      days.push({ day: period, openingCents, closingCents, ids: await idsOf(of, transactions) })
  }
  t.deepEqual(days, model.statementDays(lines, filters.range))

  const { days: found, summary } = right(await api.extractDays(actor, { ...filters, ...filters.range })())
  const extracted = []
  for (const { transactions, ...rest } of found) extracted.push({ ...rest, ids: await idsOf(of, transactions) })
  const { balanceCents, total, types } = summary
  t.deepEqual(
    { days: extracted, balanceCents, total, types: plainSums(types) },
    model.extractDays(lines, filters.range, matching(filters)),
  )
  for (const groupBy of ['days', 'months'] as const) {
    const read = right(await api.summarizePeriods(actor, { groupBy, ...filters.range })())
    const [all, each] = [read.total, [] as object[]]
    for (const period of read.periods) each.push(await plainPeriod(of, period))
    t.deepEqual(
      { periods: each, total: await plainPeriod(of, all) },
      model.periods(lines, filters.range, groupBy) as never,
    )
  }
}

type Summary = Omit<ReturnType<typeof model.periods>['total'], 'income' | 'expenses'>
type Lines = Record<'income' | 'expenses', AsyncIterable<Entry>>

const plainPeriod = async (of: Case, { income, expenses, ...sums }: Readonly<Summary & Lines>) => {
  const { period, closingCents, incomeCents, incomeCount, expensesCents, expensesCount } = sums
  const plainSums = { period, closingCents, incomeCents, incomeCount, expensesCents, expensesCount }
  return { ...plainSums, income: await idsOf(of, income), expenses: await idsOf(of, expenses) }
}

const assertLists = async (of: Case): Promise<void> => {
  const { t, api, actor, lines, filters } = of
  const { perPage, typeIds, search } = filters
  const filter = { ...(typeIds && { typeIds }), ...(search && { search }) }
  const extract = model.extract(lines, filters.range, matching(filter))
  const extracted: number[] = []
  const readPage = (page: number) => api.extract(actor, { ...filters.range, ...filter, perPage, page })()
  for (const page of await pages(readPage, perPage)) {
    t.deepEqual(
      { types: plainSums(page.types), totals: page.totals, total: page.total, from: page.from, to: page.to },
      { types: extract.types, totals: extract.totals, total: extract.ids.length, ...filters.range },
    )
    extracted.push(...(await idsOf(of, page.transactions)))
  }
  t.deepEqual(extracted, extract.ids)

  const { status = 1 } = filters
  const those = model.within(lines, filters.range).filter(matching({ status }))
  const summed: number[] = []
  const summing = (page: number) => api.listSummed(actor, { status, moments: filters.range, perPage, page })()
  for (const page of await pages(summing, perPage)) {
    t.deepEqual([plainSums(page.types), page.total], [model.byType(those), those.length])
    summed.push(...(await idsOf(of, page.records)))
  }
  t.deepEqual(summed, model.ids(those).toReversed())
  const between = right(await api.listTransactions(actor, { between: filters.range, perPage: 500 })())
  t.deepEqual(await idsOf(of, between.records), model.ids(model.within(lines, filters.range)).toReversed())
}

const assertSums = async ({ t, api, actor, lines, filters }: Case): Promise<void> => {
  const { range: days, typeIds } = filters
  t.deepEqual(right(await api.reportSales(actor, days)()), model.sales(lines, days))
  t.deepEqual(right(await api.readTotals(actor, days)()), model.totals(lines, days))
  const sums = right(await api.sumByType(actor, { ...days, ...(typeIds && { typeId: typeIds }) })())
  const those = model.within(lines, days).filter(matching({ status: 1, typeIds }))
  t.deepEqual(plainSums(sums), model.byType(those))
  t.deepEqual(right(await api.readSettlement(actor, { startDate: days.from })()), {
    totalReceivedCents: model.received(lines, days.from),
    startDate: days.from,
  })
  const { months, series } = right(await api.chartSales(actor)())
  t.deepEqual([months.length, months[0], months.at(-1)], [12, '2025-12', '2026-11'])
  t.deepEqual(column(series, 'cents'), model.chart(lines, months))
}

/** Asserts that every statement of random ledgers, one account each, equals the model. The caller prints the seed. */
export const assertStatements = async (t: ExecutionContext, opened: () => Store, count: number): Promise<void> => {
  const drawn = draws()
  let accountId = 0
  await fc.assert(
    fc.asyncProperty(ledgers, filterSets, async (ledger, filters) => {
      accountId += 1
      const store = opened()
      const api = apiOf(store)
      const lines = await posted(store, drawn, accountId, ledger)
      const of: Case = { t, api, actor: { accountId, permissions: [] }, lines, filters }
      await assertDays(of)
      await assertLists(of)
      await assertSums(of)
    }),
    { numRuns: count, seed: SEED },
  )
}
