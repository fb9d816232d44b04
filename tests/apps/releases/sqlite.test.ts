import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { fixtures, folderOf } from './fixtures.ts'
import { livesWithLess, openWithOneMore } from './one-field-more.ts'
import { outlives } from './outlives.ts'
import { storyOf } from './story/told.ts'
import { type Place, surviving } from './survivor.ts'

const someplace = async (t: ExecutionContext): Promise<Place> => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-release-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return { DATA_DIR: directory, STORE_URL: `sqlite:${join(directory, 'portico.db')}` }
}

const copied = async (t: ExecutionContext, release: string): Promise<Place> => {
  const place = await someplace(t)
  await cp(join(folderOf(release), 'sqlite'), place.DATA_DIR, { recursive: true })
  return place
}

for (const fixture of fixtures()) {
  const { release, sqlite } = fixture
  test(`what ${release} left in a file is read, written and finished`, async (t) => {
    await outlives(t, await surviving(t, fixture, sqlite, await copied(t, release)))
  })

  test(`what ${release} left in a file is read and written when its records lack a field`, async (t) => {
    await livesWithLess(t, await surviving(t, fixture, sqlite, await copied(t, release), openWithOneMore))
  })
}

test('of everything that is kept today the story of a store tells something: what this release leaves can be kept', async (t) => {
  await t.notThrowsAsync(storyOf(await someplace(t)))
})
