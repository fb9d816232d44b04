import { randomUUID } from 'node:crypto'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { addDays } from '../../../../core/kernel/values/day.ts'
import { anyDocument } from '../../given/basics.ts'
import type { Prepared } from '../../rows/places.ts'
import { next } from '../given/basics.ts'
import { aTaxId } from '../given/listings.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fixtures whose e-mail is of somebody who is there: what their rows ask for is about them. */
const SOMEBODY = ['newcomer', 'devAccount']

/** What nobody else has, made anew. */
const MADE: Readonly<Record<string, (body: Fields) => unknown>> = {
  // Of one that is there nobody makes themselves the Admin.
  companyId: () => randomUUID(),
  code: () => `AP-${next()}`,
  creci: () => `CRECI-SP ${next()}`,
  email: () => `outra${next()}@example.com`,
  // A client may be somebody.
  taxId: ({ type }) => (type === 'Individual' ? anyDocument() : aTaxId()),
  // Each renewal goes on from the one before.
  newEndDate: ({ newEndDate }) => addDays(`${newEndDate}`, next()),
}

/** What a field goes together with: what else a body must say so that its value is taken. */
const WITH: Readonly<Record<string, Fields>> = {
  // Of a commission one of both is told.
  value: { percentage: null },
  // Only a fixed adjustment has one.
  indexerPercentage: { indexer: 'Fixed' },
}

/** The same body of something else, so that nothing is refused for being there already, and this field may be any. */
export const anew = ({ example }: AnyRow, body: Prepared['body'] = {}, field = ''): Fields => {
  const isOf = (name: string): boolean => name in body && !(name === 'email' && SOMEBODY.includes(example.given ?? ''))
  const made = Object.entries(MADE).flatMap(([name, make]) => (isOf(name) ? [[name, make(body)] as const] : []))
  const others = Object.entries(WITH[field] ?? {}).filter(([name]) => name in body)
  return { ...body, ...Object.fromEntries(made), ...Object.fromEntries(others) }
}
