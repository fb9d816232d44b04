import test from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import { beforeCommits } from '../kernel/running/tasks.ts'
import { failureOf, right } from '../payments/world.ts'
import { ADMIN, openAgency } from './world.ts'

/** An agency in memory with the number of changes of each commit. */
const agencyOf = () => {
  const commits: number[] = []
  const store = beforeCommits(memoryStore(realEstateCollections), (changes) => commits.push(changes.length))
  const { agency: estate } = openAgency({ store })
  const imported = async (name: 'clients' | 'properties', csv: string, atomic = false) =>
    right(await estate[name].import(ADMIN, { csv, atomic })())
  return { estate, commits, imported }
}

const clientsOf = (count: number) =>
  [
    'name,email,type,interest',
    ...Array.from({ length: count }, (_, at) => `C${at},c${at}@x.example,Individual,Both`),
  ].join('\n')

const PLACE = 'address.street,address.number,address.city,address.state,address.zipCode'

const propertiesOf = (owners: readonly (string | null)[]) =>
  [
    `code,type,purpose,salePrice,ownerId,${PLACE}`,
    ...owners.map((owner, at) => `AP-${at},Land,Sale,1000.5,${owner},Rua A,1,Natal,RN,59000-000`),
  ].join('\n')

test('lines are committed in slices of 50, with one counter patch for each slice and record', async (t) => {
  const { imported, commits } = agencyOf()
  const { lines } = await imported('clients', clientsOf(120))
  t.deepEqual(commits, [50, 50, 20])
  commits.length = 0
  const [owner, another] = lines.map(({ id }) => id)
  const made = await imported('properties', propertiesOf([...Array(60).fill(owner), another ?? null]))
  t.deepEqual([made.created, made.failed], [61, 0])
  t.deepEqual(commits, [51, 11 + 2])
})

test('a line has the same id as in 0.7.0, so that an import interrupted there creates no record twice', async (t) => {
  const { imported } = agencyOf()
  const { lines } = await imported('clients', clientsOf(20))
  for (const { id } of lines) t.regex(id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('with atomic a file is one commit, limited in the records that it refers to', async (t) => {
  const { imported, commits, estate } = agencyOf()
  const { lines } = await imported('clients', clientsOf(500), true)
  t.deepEqual(commits, [500])
  const owners = lines.map(({ id }) => id)
  const wide = await estate.properties.import(ADMIN, { csv: propertiesOf(owners), atomic: true })()
  t.is(failureOf(wide)?.code, 'import.atomic.too-wide')
  t.is(commits.length, 1)
  t.is((await imported('properties', propertiesOf(owners.map((_, at) => owners[at % 400] ?? null)), true)).created, 500)
  t.deepEqual(commits, [500, 900])
})

test('valid lines of an atomic import with a wrong line have neither id nor issues', async (t) => {
  const { imported, commits } = agencyOf()
  const file = `${clientsOf(1)}\nJosé,jose@x.example,Company,Both\n,jose@x.example,Other,Both`
  const type = { path: 'type', code: 'one-of', params: { values: 'Individual, Company' } }
  const issues = [[], [], [{ path: 'name', code: 'required' }, type]]
  const lines = issues.map((each, at) => ({ line: 2 + at, id: null, issues: each }))
  t.deepEqual(await imported('clients', file, true), { created: 0, failed: 3, lines })
  t.deepEqual(commits, [])
})

test('an import with a key happens once, and wrong input is a left', async (t) => {
  const { estate } = agencyOf()
  const once = async () => right(await estate.clients.import(ADMIN, { csv: clientsOf(2) })({ key: 'novembro' }))
  const first = await once()
  t.is(first.created, 2)
  t.deepEqual(await once(), first)
  t.like(right(await estate.clients.list(ADMIN, { page: 1 })()), { total: 2 })
  t.like(failureOf(await estate.clients.import(ADMIN, { csv: 7 as never })()), { issues: [{ path: 'csv' }] })
  const columns = await estate.properties.import(ADMIN, { csv: 'rentPriceCents;code' })()
  t.like(failureOf(columns), { issues: [{ code: 'column.unknown' }] })
})

test('above the limit of issues each line reports one', async (t) => {
  const { imported } = agencyOf()
  const line = ',x,x,x,x,x,x,x'
  const file = [
    'name,email,type,interest,source,taxId,preferences.minPrice,preferences.maxPrice',
    ...Array(4_000).fill(line),
  ]
  const { failed, lines } = await imported('clients', file.join('\n'))
  t.is(failed, 4_000)
  t.deepEqual([lines[0]?.issues.length, lines.at(-1)?.issues.length], [8, 1])
})
