import type { ExecutionContext } from 'ava'
import { collectionsOf } from '../../../apps/host/host.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { rows } from '../../../apps/payments/catalogue.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import {
  type AnyCollection,
  type Change,
  fieldCodecs,
  t as io,
  orNull,
  record,
} from '../../../core/kernel/records/record.ts'
import * as rooms from '../../../core/payments/modules.ts'
import { agencyOutlives } from './agency/outlives.ts'
import { decodesAll, findsAll, isOfAgency, isSound, isWritten, readsAsBefore } from './checks.ts'
import { finishesRequests, finishesWork } from './finishes.ts'
import { changesPlain } from './plain.ts'
import type { Survivor } from './survivor.ts'
import { writesAll } from './writes.ts'

/** The current release reads, writes, finishes and verifies a store of an earlier one. */
export const outlives = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  const { api, fixture } = survivor
  const collections = fixture.collections.filter((name) => !isOfAgency(name))
  await findsAll(t, api, collections)
  await decodesAll(t, survivor)
  await readsAsBefore(t, survivor)
  const before = await api.everything()
  await writesAll(t, survivor)
  await changesPlain(api, await survivor.signIn(survivor.known.owner), rooms, rows, before)
  await finishesRequests(t, survivor)
  await finishesWork(t, survivor)
  isWritten(t, collections, before, await api.everything())
  await decodesAll(t, survivor)
  await isSound(t, api.host.store, [payments])
  await agencyOutlives(t, survivor, survivor.known.agency)
}

const withOneMore = (collection: AnyCollection): AnyCollection => {
  const fields = { ...(fieldCodecs(collection.codec) as io.Props), oneMore: orNull(io.string) }
  return { ...collection, codec: record(fields) as AnyCollection['codec'] }
}

const collections = collectionsOf([payments, realEstate]).map(withOneMore)

const asWritten = (change: Change): Change =>
  change.kind === 'insert' || change.kind === 'ensure'
    ? { ...change, record: { ...change.record, oneMore: null } }
    : change

/** Opens a store whose collections have an additional field: inserts set it, stored records lack it. */
export const openWithOneMore: typeof openStore = async (url) => {
  const store = await openStore(url, collections)
  return {
    ...store,
    commit: (changes, hooks) => store.commit(changes.map(asWritten), hooks && ((taken) => hooks(taken).map(asWritten))),
  }
}

/** Records that lack a field are read and written like the others. */
export const livesWithLess = async (t: ExecutionContext, survivor: Survivor): Promise<void> => {
  await decodesAll(t, survivor, collections)
  await writesAll(t, survivor)
  await decodesAll(t, survivor, collections)
}
