import type { ExecutionContext } from 'ava'
import { payments } from '../../../apps/payments/app.ts'
import { rows } from '../../../apps/payments/rows.ts'
import * as rooms from '../../../core/payments/modules.ts'
import { agencyOutlives } from './agency/outlives.ts'
import { finishesRequests, finishesWork } from './finishes.ts'
import { changesPlain } from './plain.ts'
import { decodesAll, findsAll, readsAsBefore } from './reads.ts'
import { isOfAgency, isSound, isWritten } from './sound.ts'
import type { Survivor } from './survivor.ts'
import { writesAll } from './writes.ts'

/** A store of an earlier release is read, written, finished and found sound by the program of today. */
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
  if (survivor.known.agency) await agencyOutlives(t, survivor, survivor.known.agency)
}
