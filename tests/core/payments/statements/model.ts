import { addDays } from '../../../../core/kernel/values/day.ts'
import { TODAY, type Written } from './random-ledger.ts'

// A model of statements: plain sums over a list of entries, without code of the product.

interface Range {
  readonly from: string
  readonly to: string
}

const sum = (lines: readonly Written[]): number => lines.reduce((total, { cents }) => total + cents, 0)
const confirmed = (lines: readonly Written[]): readonly Written[] => lines.filter(({ status }) => status === 1)
const withSign = (lines: readonly Written[], sign: 1 | -1): readonly Written[] =>
  lines.filter(({ cents }) => Math.sign(cents) === sign)
const magnitude = (lines: readonly Written[]): number => Math.abs(sum(lines))

export const within = (lines: readonly Written[], { from, to }: Range): readonly Written[] =>
  lines.filter(({ day }) => day >= from && day <= to)

/** Returns the balance at the end of a day: that of the last confirmed entry. */
const balanceAt = (lines: readonly Written[], day: string): number =>
  confirmed(lines)
    .filter((line) => line.day <= day)
    .at(-1)?.balanceCents ?? 0

export const ids = (lines: readonly Written[]): readonly number[] => lines.map(({ id }) => id)

export const byType = (lines: readonly Written[]) =>
  [...new Set(lines.map(({ typeId }) => typeId))]
    .sort((a, b) => a - b)
    .map((typeId) => {
      const of = lines.filter((line) => line.typeId === typeId)
      return { typeId, count: of.length, valueCents: sum(of) }
    })

const groups = (lines: readonly Written[], chars: number) => {
  const names = [...new Set(lines.map(({ day }) => day.slice(0, chars)))].sort()
  return names.map((name) => ({ name, of: lines.filter(({ day }) => day.startsWith(name)) }))
}

export const statementDays = (lines: readonly Written[], range: Range) =>
  groups(within(lines, range), 10).map(({ name, of }) => {
    const openingCents = balanceAt(lines, addDays(name, -1))
    return { day: name, openingCents, closingCents: openingCents + sum(confirmed(of)), ids: ids(of) }
  })

export const balanceDays = (lines: readonly Written[]) =>
  Array.from({ length: 30 }, (_, at) => {
    const day = addDays(TODAY, at - 29)
    return { day, balanceCents: balanceAt(lines, day), ids: ids(within(lines, { from: day, to: day })) }
  })

export const extractDays = (lines: readonly Written[], range: Range, matches: (line: Written) => boolean) => {
  const matching = within(lines, range).filter(matches)
  return {
    days: groups(matching, 10).map(({ name, of }) => ({
      day: name,
      ids: ids(of),
      count: of.length,
      totalCents: sum(confirmed(of)),
      closingCents: balanceAt(lines, name),
    })),
    balanceCents: balanceAt(lines, range.to),
    total: matching.length,
    types: byType(confirmed(matching)),
  }
}

const summaryOf = (period: string, lines: readonly Written[], closingCents: number) => ({
  period,
  closingCents,
  incomeCents: magnitude(withSign(lines, 1)),
  incomeCount: withSign(lines, 1).length,
  expensesCents: magnitude(withSign(lines, -1)),
  expensesCount: withSign(lines, -1).length,
  income: ids(withSign(lines, 1)),
  expenses: ids(withSign(lines, -1)),
})

export const periods = (lines: readonly Written[], range: Range, groupBy: 'days' | 'months') => {
  const those = confirmed(within(lines, range))
  const each = groups(those, groupBy === 'days' ? 10 : 7)
  return {
    periods: each.map(({ name, of }) => summaryOf(name, of, of.at(-1)?.balanceCents ?? 0)),
    total: summaryOf('total', those, balanceAt(lines, range.to)),
  }
}

export const sales = (lines: readonly Written[], range: Range) =>
  groups(confirmed(within(lines, range)), 10).map(({ name, of }) => ({
    day: name,
    balanceCents: balanceAt(lines, name),
    incomeCents: magnitude(withSign(of, 1)),
    expensesCents: magnitude(withSign(of, -1)),
    boletoCents: sum(of.filter(({ typeId }) => typeId === 6)),
  }))

export const totals = (lines: readonly Written[], range: Range) => {
  const of = (typeId: number) => magnitude(confirmed(within(lines, range)).filter((line) => line.typeId === typeId))
  return {
    pixInCents: of(1),
    boletoInCents: of(6),
    bolepixInCents: of(11),
    pixOutCents: of(2),
    balanceCents: balanceAt(lines, '9999-12-31'),
  }
}

export const received = (lines: readonly Written[], from: string): number =>
  sum(confirmed(lines).filter(({ typeId, day }) => [1, 7].includes(typeId) && day >= from))

export const chart = (lines: readonly Written[], months: readonly string[]) =>
  [1, 6, 11].map((typeId) =>
    months.map((month) => sum(lines.filter((line) => line.typeId === typeId && line.day.startsWith(month)))),
  )

export const extract = (lines: readonly Written[], range: Range, matches: (line: Written) => boolean) => {
  const matching = within(lines, range).filter(matches)
  const those = confirmed(matching)
  return {
    ids: ids(matching).toReversed(),
    types: byType(those),
    totals: {
      incomeCents: magnitude(withSign(those, 1)),
      expensesCents: magnitude(withSign(those, -1)),
      count: those.length,
      balanceCents: balanceAt(lines, range.to),
    },
  }
}
