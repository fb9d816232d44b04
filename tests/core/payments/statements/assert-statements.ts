import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { addDays } from '../../../../core/kernel/values/day.ts'
import type { Entry } from '../../../../core/payments/ledger/ledger.ts'
import type { TypeSum } from '../../../../core/payments/statements/entries.ts'
import { statements } from '../../../../core/payments/statements/module.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { SEED } from '../../../size.ts'
import { right, testPortsOn } from '../access/test-ports.ts'
import * as pencil from './model.ts'
import { draws, ledgers, NOW, posted, TODAY, type Written } from './random-ledger.ts'

const day = fc.integer({ min: -5, max: 430 }).map((ago) => addDays(TODAY, -ago))
const range = fc
  .oneof(fc.tuple(day, day), fc.tuple(fc.constant(addDays(TODAY, -30)), fc.constant(TODAY)))
  .map(([one, other]) => ({ from: one < other ? one : other, to: one < other ? other : one }))

/** What one ledger is asked. */
const questions = fc.record({
  range,
  typeIds: fc.option(fc.subarray([1, 2, 3, 6, 11, 16, 17, 99], { minLength: 1 }), { nil: undefined }),
  search: fc.option(fc.constantFrom('JOSE', 'a', 'nada'), { nil: undefined }),
  status: fc.constantFrom(undefined, -1, 1, 5, 0),
  perPage: fc.integer({ min: 1, max: 12 }),
})
type Questions = typeof questions extends fc.Arbitrary<infer Q> ? Q : never

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const matching =
  ({ typeIds, search, status = -1 }: Partial<Questions>) =>
  (line: Written): boolean =>
    (typeIds === undefined || typeIds.includes(line.typeId)) &&
    (search === undefined || plain(line.text).includes(plain(search))) &&
    (status === -1 || line.status === status)

type Api = ReturnType<typeof apiOf>

const apiOf = (store: Store) => {
  const { ports } = testPortsOn(store)
  return statements.useCases({ ...ports, clock: setClock(NOW) })
}

/** One account, what is written of it, and what it is asked. */
interface Case {
  readonly t: ExecutionContext
  readonly api: Api
  readonly actor: { readonly accountId: number; readonly permissions: readonly never[] }
  readonly lines: readonly Written[]
  readonly asked: Questions
}

/** Lines as they are told, each of them as it was written down. */
const told = async ({ t, lines }: Case, all: AsyncIterable<Entry> | readonly Entry[]): Promise<readonly number[]> => {
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

/** Every page of a list, by its own size. */
const pages = async <P extends { readonly total: number }>(
  page: (number: number) => Promise<P>,
  perPage: number,
): Promise<readonly P[]> => {
  const first = await page(1)
  const last = Math.max(1, Math.ceil(first.total / perPage))
  const found = [first]
  // One beyond the last is empty, and no failure.
  for (let number = 2; number <= last + 1; number += 1) found.push(await page(number))
  return found
}

const assertDays = async (of: Case): Promise<void> => {
  const { t, api, actor, lines, asked } = of
  const balanceDays = []
  for (const { day: on, balanceCents, transactions } of right(await api.listBalanceDays(actor)()).days)
    balanceDays.push({ day: on, balanceCents, ids: await told(of, transactions) })
  t.deepEqual(balanceDays, pencil.balanceDays(lines))

  const { perPage } = asked
  const days = []
  const listed = (page: number) => api.listStatementDays(actor, { ...asked.range, perPage, page })()
  for (const { records, total } of await pages(async (page) => right(await listed(page)), perPage)) {
    t.is(total, pencil.statementDays(lines, asked.range).length)
    for (const { period, openingCents, closingCents, transactions } of records)
      days.push({ day: period, openingCents, closingCents, ids: await told(of, transactions) })
  }
  t.deepEqual(days, pencil.statementDays(lines, asked.range))

  const { days: found, summary } = right(await api.extractDays(actor, { ...asked, ...asked.range })())
  const extracted = []
  for (const { transactions, ...rest } of found) extracted.push({ ...rest, ids: await told(of, transactions) })
  const { balanceCents, total, types } = summary
  t.deepEqual(
    { days: extracted, balanceCents, total, types: plainSums(types) },
    pencil.extractDays(lines, asked.range, matching(asked)),
  )
  for (const groupBy of ['days', 'months'] as const) {
    const read = right(await api.summarizePeriods(actor, { groupBy, ...asked.range })())
    const [all, each] = [read.total, [] as object[]]
    for (const period of read.periods) each.push(await plainPeriod(of, period))
    t.deepEqual(
      { periods: each, total: await plainPeriod(of, all) },
      pencil.periods(lines, asked.range, groupBy) as never,
    )
  }
}

type Period =
  Awaited<ReturnType<ReturnType<Api['summarizePeriods']>>> extends infer R
    ? R extends { readonly right: { readonly total: infer P } }
      ? P
      : never
    : never

const plainPeriod = async (of: Case, period: Period) => {
  const {
    period: name,
    closingCents,
    incomeCents,
    incomeCount,
    expensesCents,
    expensesCount,
    income,
    expenses,
  } = period
  const sums = { period: name, closingCents, incomeCents, incomeCount, expensesCents, expensesCount }
  return { ...sums, income: await told(of, income), expenses: await told(of, expenses) }
}

const assertLists = async (of: Case): Promise<void> => {
  const { t, api, actor, lines, asked } = of
  const { perPage, typeIds, search } = asked
  const filter = { ...(typeIds && { typeIds }), ...(search && { search }) }
  const extract = pencil.extract(lines, asked.range, matching(filter))
  const extracted: number[] = []
  const asking = (page: number) => api.extract(actor, { ...asked.range, ...filter, perPage, page })()
  for (const page of await pages(async (number) => right(await asking(number)), perPage)) {
    t.deepEqual(
      { types: plainSums(page.types), totals: page.totals, total: page.total, from: page.from, to: page.to },
      { types: extract.types, totals: extract.totals, total: extract.ids.length, ...asked.range },
    )
    extracted.push(...(await told(of, page.transactions)))
  }
  t.deepEqual(extracted, extract.ids)

  const { status = 1 } = asked
  const those = pencil.within(lines, asked.range).filter(matching({ status }))
  const summed: number[] = []
  const summing = (page: number) => api.listSummed(actor, { status, moments: asked.range, perPage, page })()
  for (const page of await pages(async (number) => right(await summing(number)), perPage)) {
    t.deepEqual([plainSums(page.types), page.total], [pencil.byType(those), those.length])
    summed.push(...(await told(of, page.records)))
  }
  t.deepEqual(summed, pencil.ids(those).toReversed())
  const between = right(await api.listTransactions(actor, { between: asked.range, perPage: 500 })())
  t.deepEqual(await told(of, between.records), pencil.ids(pencil.within(lines, asked.range)).toReversed())
}

const assertSums = async ({ t, api, actor, lines, asked }: Case): Promise<void> => {
  const { range: days, typeIds } = asked
  t.deepEqual(right(await api.reportSales(actor, days)()), pencil.sales(lines, days))
  t.deepEqual(right(await api.readTotals(actor, days)()), pencil.totals(lines, days))
  const sums = right(await api.sumByType(actor, { ...days, ...(typeIds && { typeId: typeIds }) })())
  const those = pencil.within(lines, days).filter(matching({ status: 1, typeIds }))
  t.deepEqual(plainSums(sums), pencil.byType(those))
  t.deepEqual(right(await api.readSettlement(actor, { startDate: days.from })()), {
    totalReceivedCents: pencil.received(lines, days.from),
    startDate: days.from,
  })
  const { months, series } = right(await api.chartSales(actor)())
  t.deepEqual([months.length, months[0], months.at(-1)], [12, '2025-12', '2026-11'])
  t.deepEqual(
    series.map(({ cents }) => cents),
    pencil.chart(lines, months),
  )
}

/**
 * Every statement of random ledgers, each of an account of its own, is what a pencil makes of their lines. The seed is printed
 * by whoever runs it.
 */
export const assertStatements = async (t: ExecutionContext, opened: () => Store, count: number): Promise<void> => {
  const drawn = draws()
  let accountId = 0
  await fc.assert(
    fc.asyncProperty(ledgers, questions, async (ledger, asked) => {
      accountId += 1
      const store = opened()
      const api = apiOf(store)
      const lines = await posted(store, drawn, accountId, ledger)
      const of: Case = { t, api, actor: { accountId, permissions: [] }, lines, asked }
      await assertDays(of)
      await assertLists(of)
      await assertSums(of)
    }),
    { numRuns: count, seed: SEED },
  )
}
