import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { onReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { folder } from '../host/disk.ts'
import { FIXTURE_FOLDER, loaded, readFixture } from './fixtures.ts'
import { outlives } from './outlives.ts'
import { surviving } from './survivor.ts'

const fixture = readFixture()

test('reads, writes and finishes the work of a file of 0.10.0', async (t) => {
  const DATA_DIR = await folder(t)
  await cp(join(FIXTURE_FOLDER, 'sqlite'), DATA_DIR, { recursive: true })
  const place = { DATA_DIR, STORE_URL: `sqlite:${join(DATA_DIR, 'portico.db')}` }
  await outlives(t, await surviving(t, fixture, fixture.sqlite, place))
})

onReplicaSet(test, (server) => {
  test('reads, writes and finishes the work of a database of 0.10.0', async (t) => {
    const place = { DATA_DIR: await folder(t), STORE_URL: server.url() }
    await loaded(await server.db(place.STORE_URL), join(FIXTURE_FOLDER, 'mongodb', 'dump'))
    await outlives(t, await surviving(t, fixture, fixture.mongodb, place))
  })
})
