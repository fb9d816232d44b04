import test from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { memoryEstatePorts } from '../../../adapters/memory/memory-estate-ports.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { isLeft } from '../../../core/fp.ts'
import { realEstate, realEstateCollections } from '../../../core/real-estate/real-estate.ts'

const ACTOR = {
  userId: '00000000-0000-4000-8000-000000000001',
  companyId: '00000000-0000-4000-8000-000000000002',
  role: 'Admin',
  verifiedEmail: null,
} as const

/** An agency in memory, and how often it has committed. */
const agencyOf = () => {
  const store = memoryStore(realEstateCollections)
  const commits: number[] = []
  const counting = {
    ...store,
    commit: (...given: Parameters<typeof store.commit>) => {
      commits.push(given[0].length)
      return store.commit(...given)
    },
  }
  const estate = realEstate(memoryEstatePorts({ store: counting, clock: setClock('2026-11-23T13:05:09.123Z') }))
  const imported = async (name: 'clients' | 'properties', csv: string, atomic = false) => {
    const outcome = await estate[name].import(ACTOR, { csv, atomic })()
    if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
    return outcome.right
  }
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

test('lines are made in slices of 50, and what counts who points at it counts once a slice', async (t) => {
  const { imported, commits } = agencyOf()
  const { lines } = await imported('clients', clientsOf(120))
  t.deepEqual(commits, [50, 50, 20])
  commits.length = 0
  const [owner, another] = lines.map(({ id }) => id)
  const made = await imported('properties', propertiesOf([...Array(60).fill(owner), another ?? null]))
  t.deepEqual([made.created, made.failed], [61, 0])
  t.deepEqual(commits, [51, 11 + 2])
})

test('a line has the id that 0.7.0 gave it: an import that broke off there is carried on, and makes nothing twice', async (t) => {
  const { imported } = agencyOf()
  const { lines } = await imported('clients', clientsOf(20))
  for (const { id } of lines) t.regex(id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('with atomic a file is one commit, which may point at as many records as fit beside it', async (t) => {
  const { imported, commits, estate } = agencyOf()
  const { lines } = await imported('clients', clientsOf(500), true)
  t.deepEqual(commits, [500])
  const owners = lines.map(({ id }) => id)
  const wide = await estate.properties.import(ACTOR, { csv: propertiesOf(owners), atomic: true })()
  t.true(isLeft(wide) && wide.left.code === 'import.atomic.too-wide')
  t.is(commits.length, 1)
  t.is((await imported('properties', propertiesOf(owners.map((_, at) => owners[at % 400] ?? null)), true)).created, 500)
  t.deepEqual(commits, [500, 900])
})

test('what is right in a file that is wrong has neither id nor issues', async (t) => {
  const { imported, commits } = agencyOf()
  const file = `${clientsOf(1)}\nJosé,jose@x.example,Company,Both\n,jose@x.example,Other,Both`
  t.deepEqual(await imported('clients', file, true), {
    created: 0,
    failed: 3,
    lines: [
      { line: 2, id: null, issues: [] },
      { line: 3, id: null, issues: [] },
      {
        line: 4,
        id: null,
        issues: [
          { path: 'name', code: 'required' },
          { path: 'type', code: 'one-of', params: { values: 'Individual, Company' } },
        ],
      },
    ],
  })
  t.deepEqual(commits, [])
})

test('a program imports once by a key, and hears of what is wrong by a left', async (t) => {
  const { estate } = agencyOf()
  const once = () => estate.clients.import(ACTOR, { csv: clientsOf(2) })({ key: 'novembro' })
  const first = await once()
  t.deepEqual(await once(), first)
  t.true(!isLeft(first) && first.right.created === 2)
  const list = await estate.clients.list(ACTOR, { page: 1 })()
  t.true(!isLeft(list) && 'total' in list.right && list.right.total === 2)
  const wrong = await estate.clients.import(ACTOR, { csv: 7 as never })()
  t.true(isLeft(wrong) && 'issues' in wrong.left && wrong.left.issues[0]?.path === 'csv')
  const columns = await estate.properties.import(ACTOR, { csv: 'rentPriceCents;code' })()
  t.true(isLeft(columns) && 'issues' in columns.left && columns.left.issues[0]?.code === 'column.unknown')
})

test('of very much that is wrong each line tells one thing', async (t) => {
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
