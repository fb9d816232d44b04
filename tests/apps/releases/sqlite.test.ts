import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { collectionsOf } from '../../../apps/host/host.ts'
import { VERSION } from '../../../apps/host/version.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { printSeed, some, testInFull } from '../../size.ts'
import { folder } from '../host/disk.ts'
import { STORE_SECRETS } from '../store-url.ts'
import { fixtures, folderOf } from './fixtures.ts'
import { livesWithLess, openWithOneMore, outlives } from './outlives.ts'
import { storyOf } from './story/story.ts'
import { type Place, surviving } from './survivor.ts'

const someplace = async (t: ExecutionContext): Promise<Place> => {
  const directory = await folder(t)
  return { DATA_DIR: directory, STORE_URL: `sqlite:${join(directory, 'portico.db')}` }
}

const copied = async (t: ExecutionContext, release: string): Promise<Place> => {
  const place = await someplace(t)
  await cp(join(folderOf(release), 'sqlite'), place.DATA_DIR, { recursive: true })
  return place
}

test.before((t) => printSeed(t))

// The last release and one before it by chance; all of them in full.
for (const fixture of [...some(fixtures().slice(0, -1), 1), ...fixtures().slice(-1)]) {
  const { release, sqlite } = fixture
  test(`reads, writes and finishes the work of a file of ${release}`, async (t) => {
    await outlives(t, await surviving(t, fixture, sqlite, await copied(t, release)))
  })
}

// Each release lacks the added field: one release by chance, all of them in full.
for (const fixture of some(fixtures(), 1)) {
  const { release, sqlite } = fixture
  test(`reads and writes a file of ${release} whose records lack a field`, async (t) => {
    await livesWithLess(t, await surviving(t, fixture, sqlite, await copied(t, release), openWithOneMore))
  })
}

// Covers the collections added since the newest stored release.
testInFull(test, 'the story writes to every collection, and its store is read, written and finished', async (t) => {
  const place = await someplace(t)
  const { now, known } = await storyOf(place)
  const kept = { env: STORE_SECRETS, known }
  const collections = collectionsOf([payments, realEstate]).map(({ name }) => name)
  const fixture = { release: VERSION, now, collections, sqlite: kept, mongodb: kept }
  await outlives(t, await surviving(t, fixture, kept, place))
})
