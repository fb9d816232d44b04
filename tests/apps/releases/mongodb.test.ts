import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { databaseOf } from '../../../adapters/mongodb/connection/client.ts'
import { onReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { fixtures, folderOf, loaded } from './fixtures.ts'
import { outlives } from './outlives.ts'
import { surviving } from './survivor.ts'

onReplicaSet(test, (server) => {
  for (const fixture of fixtures())
    test(`what ${fixture.release} left in a database is read, written and finished`, async (t) => {
      const DATA_DIR = await mkdtemp(join(tmpdir(), 'portico-release-'))
      t.teardown(() => rm(DATA_DIR, { recursive: true, force: true }))
      const STORE_URL = server.url()
      const dump = join(folderOf(fixture.release), 'mongodb', 'dump')
      await loaded((await server.client()).db(databaseOf(STORE_URL)), dump)
      await outlives(t, await surviving(t, fixture, fixture.mongodb, { DATA_DIR, STORE_URL }))
    })
})
