import type { Cast } from '../actors/cast.ts'
import type { AcquirerBooks } from '../environment/acquirer.ts'
import type { BankBooks, PaidAtBank } from '../environment/banks.ts'
import type { Environment } from '../environment/environment.ts'
import type { Snapshot } from '../environment/store.ts'

/** All that is there to be judged at one instant. */
export interface Judged {
  readonly held: Snapshot
  readonly bank: BankBooks
  readonly acquirer: AcquirerBooks
  readonly environment: Environment
  readonly cast: Cast
}

/** What there is of money that leaves: of any store, so that processes are judged by the same. */
export interface MoneyOut {
  readonly held: Pick<
    Snapshot,
    'books' | 'charges' | 'entries' | 'journals' | 'operations' | 'payOutSums' | 'refunds' | 'transfers' | 'withdrawals'
  >
  readonly bank: Pick<BankBooks, 'payOuts' | 'refunds'> & {
    readonly payments: readonly Pick<PaidAtBank, 'endToEndId' | 'valueCents'>[]
  }
}

/** What is wrong, in words; nothing where all is right. */
export type Invariant = (judged: Judged) => readonly string[]
export type MoneyOutInvariant = (judged: MoneyOut) => readonly string[]

/** The words of what does not hold. */
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

/** Every text that comes more than once. */
export const repeated = (texts: readonly string[]): string[] => {
  const seen = new Set<string>()
  return texts.filter((text) => seen.size === seen.add(text).size)
}
