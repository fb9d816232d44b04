import type { AnyCollection } from '../records/collection.ts'
import { gt, gte, lt, lte, type Where } from '../records/where.ts'
import { endOfDay, isDay, startOfDay } from '../values/day.ts'

type Dated = Pick<AnyCollection, 'days'>

/**
 * What asks for days, asked of the moments that they are the days of: so an index by the moment is bounded where only the
 * day was named. Matches the same records.
 */
export const byMoments = (collection: Dated, parts: readonly Where[]): readonly Where[] =>
  collection.days === undefined ? parts : parts.flatMap((part) => momentsOf(collection, part))

/** The moments that a day lies between, of a field that holds such days; null for any other field. */
const momentField = ({ days = {} }: Dated, field: string): string | null => days[field] ?? null

const momentsOf = (collection: Dated, part: Where): readonly Where[] => {
  for (const [sign, made] of SIGNS) {
    const bound = boundOf(part, sign)
    const moment = bound && momentField(collection, bound[0])
    if (bound && moment && typeof bound[1] === 'string' && isDay(bound[1])) return made(moment, bound[1])
  }
  return [part]
}

type Sign = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'

const SIGNS: readonly (readonly [Sign, (moment: string, day: string) => readonly Where[]])[] = [
  ['eq', (moment, day) => [gte(moment, startOfDay(day)), lte(moment, endOfDay(day))]],
  ['lt', (moment, day) => [lt(moment, startOfDay(day))]],
  ['lte', (moment, day) => [lte(moment, endOfDay(day))]],
  ['gt', (moment, day) => [gt(moment, endOfDay(day))]],
  ['gte', (moment, day) => [gte(moment, startOfDay(day))]],
]

const boundOf = (part: Where, sign: Sign): readonly [string, unknown] | null => {
  if (sign === 'eq') return 'eq' in part ? part.eq : null
  if (sign === 'lt') return 'lt' in part ? part.lt : null
  if (sign === 'lte') return 'lte' in part ? part.lte : null
  if (sign === 'gt') return 'gt' in part ? part.gt : null
  return 'gte' in part ? part.gte : null
}
