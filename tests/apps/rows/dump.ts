import { httpRates } from '../../../apps/http/rates/rates-collection.ts'
import { payments } from '../../../apps/payments/startable.ts'
import { all } from '../../../core/kernel/records/where.ts'
import { codeTryCounts } from '../../../core/payments/access/codes/code-tries.ts'
import { throttles } from '../../../core/payments/access/sessions/throttle.ts'
import type { TestApi } from '../payments/test-api.ts'

const COUNTS: readonly string[] = [throttles.name, codeTryCounts.name, httpRates.name]

/** Guesses at a PIN are counted in the account itself, and those at a code in what has it. */
const GUESS_COUNTS: ReadonlySet<string> = new Set(['pinTries', 'pinLockedUntil', 'triesLeft', 'codeTriesLeft'])
const uncounted = (field: string, value: unknown): unknown => (GUESS_COUNTS.has(field) ? undefined : value)

/** Every record of a store as JSON, by collection and id: what counts guesses and requests is left out. */
export type Dump = ReadonlyMap<string, string>

export const dumpOf = async ({ host: { store } }: TestApi): Promise<Dump> => {
  const dump = new Map<string, string>()
  for (const collection of payments.collections) {
    if (COUNTS.includes(collection.name)) continue
    for await (const record of store.scan(collection, all())) {
      dump.set(`${collection.name}/${record.id}`, JSON.stringify(record, uncounted))
    }
  }
  return dump
}

/** What was written between two dumps, a line for each record that is new, other or gone. */
export const writtenBetween = (before: Dump, after: Dump): readonly string[] => [
  ...[...after].flatMap(([at, record]) => (before.get(at) === record ? [] : [`${at} ${record}`])),
  ...[...before.keys()].filter((at) => !after.has(at)).map((at) => `${at} is gone`),
]
