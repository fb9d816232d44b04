import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { fillMissingFields } from '../../../core/kernel/records/missing-fields.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import type { GroupRow } from '../../../core/kernel/records/tally.ts'
import type { Group, Listed, Query } from '../../../core/ports/store.ts'
import type { Row } from '../file/driver.ts'
import { scalarFrom } from '../tables/values.ts'
import type { Raw, RawPage } from './execute.ts'

/** Rows are values, a few each. */
const CHARS_OF_A_ROW = 100

/** What a plan gave, as the ask that it was made of wants it. */
export const answerOf = (collection: AnyCollection, ask: Query, raw: Raw | undefined): unknown => {
  if (raw?.kind === 'page') return listed(collection, raw)
  if (raw?.kind === 'rows' && ask.kind === 'group') return groupRows(ask, raw.rows)
  return raw?.kind === 'doc' && raw.doc !== null ? fillMissingFields(collection)(JSON.parse(raw.doc)) : null
}

export const listed = (collection: AnyCollection, { docs, isBackward, total }: RawPage): Listed<Rec> => {
  const stored: Rec[] = docs === null ? [] : JSON.parse(docs)
  const records = stored.map(fillMissingFields(collection))
  return { records: isBackward ? records.reverse() : records, total }
}

const groupRows = ({ by, sum }: Group<Rec>, rows: readonly Row[]): GroupRow[] =>
  rows.map((row) => ({
    by: Object.fromEntries(by.map((field, index) => [field, scalarFrom(row[`b${index}`])])),
    count: Number(row.n),
    sums: Object.fromEntries(sum.map((field, index) => [field, Number(row[`s${index}`])])),
  }))

/** How long the text of an answer is. */
export const charsOf = (raw: Raw | undefined): number => {
  if (raw?.kind === 'doc') return raw.doc?.length ?? 0
  if (raw?.kind === 'page') return raw.docs?.length ?? 0
  return (raw?.rows.length ?? 0) * CHARS_OF_A_ROW
}
