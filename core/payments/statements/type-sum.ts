import type { GroupRow } from '../../kernel/records/tally.ts'
import { type TransactionType, transactionType } from '../ledger/transaction-type.ts'

/** What the entries of one type come to. */
export interface TypeSum {
  readonly type: TransactionType
  readonly count: number
  /** Signed: what went out is negative. */
  readonly valueCents: number
}

/** Entries counted by type and whatever else, as they come to by type: in the order of the types' ids. */
export const typeSums = (rows: readonly GroupRow[]): readonly TypeSum[] => {
  const sums = new Map<number, TypeSum>()
  for (const { by, count, sums: of } of rows) {
    const type = transactionType(`${by.typeId}`)
    if (!type) continue
    const before = sums.get(type.id) ?? { type, count: 0, valueCents: 0 }
    sums.set(type.id, {
      type,
      count: before.count + count,
      valueCents: before.valueCents + (of.valueCents ?? 0),
    })
  }
  return [...sums.values()].sort((a, b) => a.type.id - b.type.id)
}

/** What came in and what went out, both as magnitudes. */
export interface Magnitudes {
  readonly incomeCents: number
  readonly incomeCount: number
  readonly expensesCents: number
  readonly expensesCount: number
}

/** Entries counted by direction and whatever else, as they come to each way. */
export const magnitudesOf = (rows: readonly GroupRow[]): Magnitudes => {
  const went = (direction: 'in' | 'out') => {
    const those = rows.filter(({ by }) => by.direction === direction)
    return { cents: centsOf(those), count: countOf(those) }
  }
  const [income, expenses] = [went('in'), went('out')]
  return {
    incomeCents: income.cents,
    incomeCount: income.count,
    // Of none it is zero, and not minus zero.
    expensesCents: Math.abs(expenses.cents),
    expensesCount: expenses.count,
  }
}

export const centsOf = (rows: readonly GroupRow[]): number =>
  rows.reduce((cents, { sums }) => cents + (sums.valueCents ?? 0), 0)

export const countOf = (rows: readonly GroupRow[]): number => rows.reduce((total, { count }) => total + count, 0)
