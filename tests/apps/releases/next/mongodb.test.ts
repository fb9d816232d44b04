// Runs in test:long only.
// Runs alone.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { databaseOf } from '../../../../adapters/mongodb/connection.ts'
import type { StoredShape } from '../../../../core/kernel/records/stored-shape.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { onReplicaSet, type ReplicaSet } from '../../../adapters/mongodb/replica-set.ts'
import { printSeed, SEED } from '../../../size.ts'
import { type Fixture, fixtures, folderOf, loaded } from '../fixtures.ts'
import { followedBy } from './release-after.ts'

const SOWN = 5_000

/** The first and the last, and one between by chance: each takes some minutes, since leases are waited for. */
const followed = (): readonly Fixture[] => {
  const [first, ...others] = fixtures()
  const between = others.slice(0, -1)
  return [first, between[SEED % between.length], others.at(-1)].filter((each) => each !== undefined)
}

const follow = async (t: ExecutionContext, server: ReplicaSet, fixture: Fixture): Promise<void> => {
  printSeed(t)
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'portico-next-'))
  t.teardown(() => rm(DATA_DIR, { recursive: true, force: true }))
  const place = { DATA_DIR, STORE_URL: server.url() }
  const db = (await server.client()).db(databaseOf(place.STORE_URL))
  await loaded(db, join(folderOf(fixture.release), 'mongodb', 'dump'))
  const stands = async (): Promise<StoredShape> => {
    const doc = await db.collection<{ _id: string; stands: string }>('_shapes').findOne({ _id: charges.name })
    return JSON.parse(String(doc?.stands))
  }
  await followedBy(t, { fixture, kept: fixture.mongodb, place, sown: SOWN, stands })
}

onReplicaSet(test, (server) => {
  for (const fixture of followed())
    test.serial(`over what ${fixture.release} left in a database, a release follows this one while it is used`, (t) =>
      follow(t, server, fixture),
    )
})
