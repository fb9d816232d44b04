import type { ExecutionContext } from 'ava'
import { collectionsOf } from '../../../../apps/host/host.ts'
import { openStore } from '../../../../apps/host/open-store.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { realEstate } from '../../../../apps/real-estate/app.ts'
import { rows } from '../../../../apps/real-estate/catalogue.ts'
import * as rooms from '../../../../core/real-estate/modules.ts'
import { notifications } from '../../../../core/real-estate/office.ts'
import type { EstateTestApi } from '../../real-estate/test-api.ts'
import { unfinished, WORKS, works } from '../finishes.ts'
import type { KnownAgency } from '../known.ts'
import { changesPlain } from '../plain.ts'
import { decodesAll, findsAll } from '../reads.ts'
import { isOfAgency, isSound, isWritten } from '../sound.ts'
import type { Survivor } from '../survivor.ts'
import { signIn } from './member.ts'
import { RENAMED } from './story.ts'
import { writesAgency } from './writes.ts'

/** The agency of a store of an earlier release is read, written, finished and found sound by the program of today. */
export const agencyOutlives = async (
  t: ExecutionContext,
  { fixture, place, openAgency }: Survivor,
  known: KnownAgency,
): Promise<void> => {
  const api = await openAgency()
  const collections = fixture.collections.filter(isOfAgency)
  await findsAll(t, api, collections)
  await decodesAll(t, { api })
  // Whoever signs in is written, too, and their wrong guesses are forgotten.
  const before = await api.everything()
  await readsAgency(t, api, known)
  await writesAgency(t, api, known)
  await changesPlain(api, (await signIn(api, known.admin)).token, rooms, rows, before)
  await finishesAgency(t, api, known)
  isWritten(t, collections, before, await api.everything())
  await decodesAll(t, { api })
  const store = await openStore(place.STORE_URL, collectionsOf([payments, realEstate]))
  await isSound(t, store, [payments, realEstate])
  await store.close()
}

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search

/** Its people find in it what they knew, and strangers what they were given links to. */
const readsAgency = async (
  t: ExecutionContext,
  api: EstateTestApi,
  { admin, broker, ids, links, shown }: KnownAgency,
): Promise<void> => {
  const asked = await signIn(api, admin)
  for (const [path, then] of Object.entries(shown)) t.like((await asked.show(path)).body, JSON.parse(then), path)
  const gone = await api.ask('GET', `/api/clients/${ids.removedClientId}`, { token: asked.token })
  t.is(gone.status, 404)
  t.regex((await api.ask('GET', pathOf(links.feed))).text, /IPE-12/)
  t.regex((await api.ask('GET', pathOf(links.calendar))).text, /BEGIN:VEVENT/)
  const own = await signIn(api, broker)
  t.true((await own.show('/api/proposals')).body.total > 5)
}

/** What was begun is ended: names are folded, and people told. */
const finishesAgency = async (t: ExecutionContext, api: EstateTestApi, { admin, ids }: KnownAgency): Promise<void> => {
  await works({ api }, WORKS)
  t.deepEqual(await unfinished({ api }), [])
  const found = await (await signIn(api, admin)).show(`/api/proposals?search=${encodeURIComponent(RENAMED)}`)
  t.true(found.body.total > 0)
  const told = (await api.every(notifications)).filter(({ resourceId }) => resourceId === ids.untoldId)
  t.true(told.length > 0)
  t.is(new Set(told.map(({ userId }) => userId)).size, told.length, 'nobody is told twice')
}
