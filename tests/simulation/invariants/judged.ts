import type { Instant } from '../../../core/kernel/values/day.ts'
import type { Journal } from '../../../core/payments/ledger/ledger.ts'
import type { Cast } from '../actors/cast.ts'
import type { AcquirerBooks } from '../environment/acquirer.ts'
import type { BankBooks, PaidAtBank } from '../environment/banks.ts'
import type { Environment } from '../environment/environment.ts'
import type { Snapshot } from '../environment/store.ts'

export interface Judged {
  readonly now: Instant
  readonly held: Snapshot
  readonly bank: BankBooks
  readonly acquirer: AcquirerBooks
  readonly environment: Environment
  readonly cast: Cast
}

/** The part of the state about money, read from any store: tests of real processes check it, too. */
export interface Money {
  readonly now: Instant
  readonly held: Pick<
    Snapshot,
    | 'books'
    | 'charges'
    | 'entries'
    | 'journals'
    | 'operations'
    | 'payOutSums'
    | 'refunds'
    | 'restTitles'
    | 'splitShares'
    | 'transfers'
    | 'withdrawals'
  >
  readonly bank: Pick<BankBooks, 'payOuts' | 'refunds'> & {
    readonly payments: readonly Pick<PaidAtBank, 'endToEndId' | 'valueCents'>[]
  }
}

export type Invariant = (judged: Judged) => readonly string[]
export type MoneyInvariant = (judged: Money) => readonly string[]

/** Returns the texts of the rows that do not hold. */
export const unless = (rows: Iterable<readonly [holds: boolean, otherwise: string]>): string[] =>
  Array.from(rows).flatMap(([holds, otherwise]) => (holds ? [] : [otherwise]))

export const groupBy = <A, K>(list: readonly A[], keyOf: (each: A) => K): Map<K, A[]> => {
  const groups = new Map<K, A[]>()
  for (const each of list) {
    const key = keyOf(each)
    const group = groups.get(key)
    if (group) group.push(each)
    else groups.set(key, [each])
  }
  return groups
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

export const repeated = (texts: readonly string[]): string[] => {
  const seen = new Set<string>()
  return texts.filter((text) => seen.size === seen.add(text).size)
}

/** Returns the cents that a journal moves to the books of other accounts. */
export const passedCents = ({ accountId, legs }: Journal): number =>
  sumOf(legs.filter(({ book }) => !book.startsWith(`${accountId}:`)).map(({ cents }) => cents))
