import type { ExecutionContext } from 'ava'
import { collectionsOf } from '../../../apps/host/host.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { t as io } from '../../../core/fp.ts'
import type { Change } from '../../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { fieldCodecs, orNull, record } from '../../../core/kernel/records/record.ts'
import { decodesAll } from './reads.ts'
import type { Survivor } from './survivor.ts'
import { writesAll } from './writes.ts'

const withOneMore = (collection: AnyCollection): AnyCollection => {
  const fields = { ...(fieldCodecs(collection.codec) as io.Props), oneMore: orNull(io.string) }
  return { ...collection, codec: record(fields) as AnyCollection['codec'] }
}

const collections = collectionsOf([payments, realEstate]).map(withOneMore)

const asWritten = (change: Change): Change =>
  change.kind === 'insert' || change.kind === 'ensure'
    ? { ...change, record: { ...change.record, oneMore: null } }
    : change

/** The store of a release whose records have a field more, each of them: what it inserts has it, and what was there has not. */
export const openWithOneMore: typeof openStore = async (url) => {
  const store = await openStore(url, collections)
  return {
    ...store,
    commit: (changes, hooks) => store.commit(changes.map(asWritten), hooks && ((taken) => hooks(taken).map(asWritten))),
  }
}

/** Records that lack a field are read and written like those that have it. */
export const livesWithLess = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  await decodesAll(t, survivor, collections)
  await writesAll(t, survivor)
  await decodesAll(t, survivor, collections)
}
