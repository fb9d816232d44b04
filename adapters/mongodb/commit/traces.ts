import type { Id } from '../../../core/kernel/records/record.ts'
import type { DatabaseReader } from '../ask/reader.ts'
import type { CollectionWrites, Plan, RecordWrite } from './plan.ts'

/** `unknown` where others have written since, over whatever there was to see. */
export type Became = 'done' | 'nothing' | 'unknown'

/** Looks for the traces of a plan whose transaction is over, one way or the other: its records name who wrote them. */
export const whatBecameOf = async (reader: DatabaseReader, { rev, records }: Plan): Promise<Became> => {
  const found = await Promise.all(records.map((one) => tracesOf(reader, one, rev.toHexString())))
  if (found.flat().includes('done')) return 'done'
  return found.flat().every((became) => became === 'nothing') ? 'nothing' : 'unknown'
}

const tracesOf = async (reader: DatabaseReader, { name, writes }: CollectionWrites, rev: string): Promise<Became[]> => {
  const filter = { _id: { $in: writes.map(({ id }) => id) } }
  const docs = await reader.find(name, { filter, projection: { _rev: 1 } })
  const revs = new Map<Id, string>(docs.map(({ _id, _rev }) => [_id, _rev.toHexString()]))
  return writes.map((write) => traceOf(write, revs.get(write.id), rev))
}

const traceOf = (write: RecordWrite, now: string | undefined, rev: string): Became => {
  if (now === rev) return 'done'
  const before = write.kind === 'insert' ? undefined : write.since.toHexString()
  return now === before ? 'nothing' : 'unknown'
}
