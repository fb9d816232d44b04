import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { onReplicaSet, type ReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { FULL, inFull } from '../../size.ts'
import { folder } from '../host/disk.ts'
import { fixtures, folderOf, loaded } from './fixtures.ts'
import { livesWithLess, openWithOneMore, outlives } from './outlives.ts'
import { type Place, surviving } from './survivor.ts'

const restored = async (t: ExecutionContext, server: ReplicaSet, release: string): Promise<Place> => {
  const DATA_DIR = await folder(t)
  const STORE_URL = server.url()
  await loaded(await server.db(STORE_URL), join(folderOf(release), 'mongodb', 'dump'))
  return { DATA_DIR, STORE_URL }
}

onReplicaSet(test, (server) => {
  // The last release; all of them in full.
  for (const fixture of FULL ? fixtures() : fixtures().slice(-1)) {
    const { release, mongodb } = fixture
    // One after another: each creates all collections.
    test.serial(`reads, writes and finishes the work of a database of ${release}`, async (t) => {
      await outlives(t, await surviving(t, fixture, mongodb, await restored(t, server, release)))
    })
  }

  inFull(test, 'reads and writes a database of a release whose records lack a field', () => {
    // Each release lacks the added field.
    for (const fixture of fixtures().slice(-2)) {
      const { release, mongodb } = fixture
      test.serial(`reads and writes a database of ${release} whose records lack a field`, async (t) => {
        await livesWithLess(
          t,
          await surviving(t, fixture, mongodb, await restored(t, server, release), openWithOneMore),
        )
      })
    }
  })
})
