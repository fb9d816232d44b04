import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { isLeft } from '../../../../core/failure.ts'
import { input, object } from '../../../../core/kernel/input/input.ts'
import { integer, line } from '../../../../core/kernel/input/scalars.ts'
import { plainUseCases } from '../../../../core/kernel/resources/plain-use-cases.ts'
import { failureOf, openPayments, right } from '../../payments/world.ts'
import { agencyCollections, broker, property, resource, visit } from './agency.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-2222-4222-8222-222222222222'
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const agency = () => {
  const ports = { ...openPayments().ports, store: memoryStore(agencyCollections) }
  return {
    ports,
    brokers: plainUseCases(broker)(ports),
    properties: plainUseCases(property)(ports),
    visits: plainUseCases(visit)(ports),
  }
}

const admin = { companyId: COMPANY }
const UNKNOWN = { tag: 'not-found', code: 'property.unknown' }
const HOUSE = { code: 'C-1', purpose: 'Lease', rentCents: 150_000 } as const

test('a new record has a GUID, and absent fields have their initial values', async (t) => {
  const { properties } = agency()
  const house = right(await properties.create(admin, HOUSE)())
  t.regex(house.id, GUID)
  t.like(house, { ...HOUSE, companyId: COMPANY, brokerId: null, status: 'Available', openVisits: 0, search: 'c-1' })
  t.deepEqual(right(await properties.read(admin, house.id.toUpperCase())()), house)
  t.deepEqual(failureOf(await properties.read({ companyId: OTHER }, house.id)()), UNKNOWN)
  for (const none of ['1', '', 'x'.repeat(36)]) t.deepEqual(failureOf(await properties.read(admin, none)()), UNKNOWN)
})

test('replace sets absent fields to their defaults', async (t) => {
  const { properties } = agency()
  const { id, createdAt } = right(await properties.create(admin, HOUSE)())
  const after = right(await properties.replace(admin, id, { code: 'C-2', purpose: 'Sale' })())
  t.like(after, { code: 'C-2', purpose: 'Sale', rentCents: null, brokerId: null, status: 'Available', createdAt })
  t.like(right(await properties.update(admin, id, { rentCents: 5 })()), { code: 'C-2', rentCents: 5 })
})

test('simultaneous updates of different fields are both kept', async (t) => {
  const { properties } = agency()
  const { id } = right(await properties.create(admin, HOUSE)())
  const changes = [{ rentCents: 5 }, { purpose: 'Sale' }] as const
  await Promise.all(changes.map((change) => properties.update(admin, id, change)()))
  t.like(right(await properties.read(admin, id)()), { rentCents: 5, purpose: 'Sale' })
})

test('a unique text is unique within the company, among records that are not removed', async (t) => {
  const { properties } = agency()
  const first = right(await properties.create(admin, HOUSE)())
  const taken = { tag: 'invalid', code: 'property.code.taken', issues: [{ path: 'code', code: 'property.code.taken' }] }
  t.deepEqual(failureOf(await properties.create(admin, HOUSE)()), taken)
  t.is(failureOf(await properties.create({ companyId: OTHER }, HOUSE)()), null)
  const second = right(await properties.create(admin, { ...HOUSE, code: 'C-2' })())
  t.deepEqual(failureOf(await properties.update(admin, second.id, { code: 'C-1' })()), taken)
  t.is(failureOf(await properties.replace(admin, first.id, HOUSE)()), null)
  t.is(failureOf(await properties.remove(admin, first.id)()), null)
  t.is(failureOf(await properties.update(admin, second.id, { code: 'C-1' })()), null)
})

test('reports every wrong field by its program name', async (t) => {
  const { properties } = agency()
  const wrong = { code: ' ', purpose: 'Rent', rentCents: 10.5, brokerId: '7' }
  const failure = failureOf(await properties.create(admin, wrong as never)())
  t.deepEqual(failure && 'issues' in failure && failure.issues.map(({ path, code }) => [path, code]), [
    ['code', 'required'],
    ['purpose', 'one-of'],
    ['rentCents', 'integer'],
    ['brokerId', 'guid'],
  ])
})

test('a reference must be a record of the same company that is not removed', async (t) => {
  const { brokers, properties } = agency()
  const ana = right(await brokers.create(admin, { name: 'Ana', creci: '1' })())
  const foreign = right(await brokers.create({ companyId: OTHER }, { name: 'Bia', creci: '1' })())
  const unknown = { tag: 'invalid', code: 'fields', issues: [{ path: 'brokerId', code: 'unknown' }] }
  for (const brokerId of [foreign.id, COMPANY])
    t.deepEqual(failureOf(await properties.create(admin, { ...HOUSE, brokerId })()), unknown)
  t.is(failureOf(await properties.create(admin, { ...HOUSE, brokerId: ana.id })()), null)
  t.is(failureOf(await brokers.remove(admin, ana.id)()), null)
  t.deepEqual(failureOf(await properties.create(admin, { ...HOUSE, code: 'C-9', brokerId: ana.id })()), unknown)
})

test('a referenced record cannot be removed until its references are removed or changed', async (t) => {
  const { properties, visits } = agency()
  const [house, flat] = [
    right(await properties.create(admin, HOUSE)()),
    right(await properties.create(admin, { ...HOUSE, code: 'C-2' })()),
  ]
  const inUse = { tag: 'conflict', code: 'property.in-use' }
  const seen = right(await visits.create(admin, { propertyId: house.id })())
  t.deepEqual(failureOf(await properties.remove(admin, house.id)()), inUse)
  t.is(failureOf(await visits.update(admin, seen.id, { notes: 'sem campainha' })()), null)
  t.is(right(await properties.read(admin, house.id)()).openVisits, 1)
  t.is(failureOf(await visits.update(admin, seen.id, { propertyId: flat.id })()), null)
  t.is(failureOf(await properties.remove(admin, house.id)()), null)
  t.deepEqual(failureOf(await properties.remove(admin, flat.id)()), inUse)
  t.is(failureOf(await visits.remove(admin, seen.id)()), null)
  t.is(failureOf(await properties.remove(admin, flat.id)()), null)
  t.deepEqual(failureOf(await properties.remove(admin, flat.id)()), UNKNOWN)
})

test('a reference that is cleared, or left out of a replacement, is no longer counted', async (t) => {
  const { properties, visits } = agency()
  const { id } = right(await properties.create(admin, HOUSE)())
  const open = async () => right(await properties.read(admin, id)()).openVisits
  const [one, other] = [
    right(await visits.create(admin, { propertyId: id })()),
    right(await visits.create(admin, { propertyId: id })()),
  ]
  t.is(await open(), 2)
  t.is(failureOf(await visits.update(admin, one.id, { propertyId: null })()), null)
  t.is(failureOf(await visits.replace(admin, other.id, { notes: 'depois' })()), null)
  t.is(await open(), 0)
  for (const each of [one, other]) t.is(failureOf(await visits.remove(admin, each.id)()), null)
  t.is(await open(), 0)
  t.is(failureOf(await properties.remove(admin, id)()), null)
})

test('of a removal and a new reference at once, one fails', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const { properties, visits } = agency()
    const { id } = right(await properties.create(admin, HOUSE)())
    const [removed, made] = await Promise.all([
      properties.remove(admin, id)(),
      visits.create(admin, { propertyId: id })(),
    ])
    t.not(isLeft(removed), isLeft(made))
  }
})

test('an actor limited to their own sees only their own records, in lists and by id', async (t) => {
  const { brokers, properties } = agency()
  const [ana, bia] = [
    right(await brokers.create(admin, { name: 'Ana', creci: '1' })()),
    right(await brokers.create(admin, { name: 'Bia', creci: '2' })()),
  ]
  const hers = right(await properties.create(admin, { ...HOUSE, brokerId: ana.id })())
  const others = right(await properties.create(admin, { ...HOUSE, code: 'C-2', brokerId: bia.id })())
  const nobodys = right(await properties.create(admin, { ...HOUSE, code: 'D-3' })())
  const page = { page: 1, perPage: 10 }
  const listed = async (by: typeof admin & { readonly own?: string | null }, filter = {}) => {
    const got = right(await properties.list(by, page, filter)())
    return 'records' in got ? [got.total, got.records.map(({ code }) => code).sort()] : []
  }
  const asAna = { ...admin, own: ana.id }
  t.deepEqual(await listed(admin), [3, ['C-1', 'C-2', 'D-3']])
  t.deepEqual(await listed(asAna), [1, ['C-1']])
  t.deepEqual(await listed(asAna, { where: { brokerId: ana.id } }), [1, ['C-1']])
  t.deepEqual(await listed(asAna, { where: { brokerId: bia.id } }), [0, []])
  t.deepEqual(await listed(admin, { search: 'c-', where: { purpose: 'Lease' } }), [2, ['C-1', 'C-2']])
  t.deepEqual(await listed(admin, { where: { purpose: 'Sale' } }), [0, []])
  t.is(right(await properties.read(asAna, hers.id)()).id, hers.id)
  for (const { id } of [others, nobodys]) {
    t.deepEqual(failureOf(await properties.read(asAna, id)()), UNKNOWN)
    t.deepEqual(failureOf(await properties.update(asAna, id, { rentCents: 1 })()), UNKNOWN)
    t.deepEqual(failureOf(await properties.remove(asAna, id)()), UNKNOWN)
  }
})

test('an actor limited to their own who has no id sees no record', async (t) => {
  const { properties } = agency()
  const { id } = right(await properties.create(admin, HOUSE)())
  for (const own of [null, undefined]) {
    const unlinked = { ...admin, own }
    t.like(right(await properties.list(unlinked, { page: 1, perPage: 10 })()), { total: 0, records: [] })
    t.deepEqual(failureOf(await properties.read(unlinked, id)()), UNKNOWN)
    t.deepEqual(failureOf(await properties.update(unlinked, id, { rentCents: 1 })()), UNKNOWN)
  }
})

test('the decisions compose with other changes in one commit', async (t) => {
  const { ports, properties } = agency()
  const { id } = right(await properties.create(admin, HOUSE)())
  const facts = await property.readFacts(ports.store, COMPANY, id, {})
  const { fresh } = openPayments()
  const made = right(property.update(facts, { rentCents: 7 }, fresh()))
  const beside = broker.build(COMPANY, { name: 'Ana', creci: '1' }, fresh())
  t.like(await ports.store.commit([...made.changes, ...beside.changes]), { ok: true })
  t.like(right(await properties.read(admin, id)()), { rentCents: 7 })
  t.deepEqual(failureOf(property.update({ ...facts, record: null }, {}, fresh())), {
    tag: 'not-found',
    code: 'property.unknown',
  })
})

test('the commit of a removal fails if a reference of the record has changed since', async (t) => {
  const { ports, properties, visits } = agency()
  const [house, flat] = [
    right(await properties.create(admin, HOUSE)()),
    right(await properties.create(admin, { ...HOUSE, code: 'C-2' })()),
  ]
  const { id } = right(await visits.create(admin, { propertyId: house.id })())
  const facts = await visit.readFacts(ports.store, COMPANY, id, {})
  right(await visits.update(admin, id, { propertyId: flat.id })())
  const late = right(visit.remove(facts, openPayments().fresh()))
  t.like(await ports.store.commit(late.changes), { ok: false })
  t.is(right(await properties.read(admin, house.id)()).openVisits, 0)
  t.is(right(await properties.read(admin, flat.id)()).openVisits, 1)
})

const building = resource({
  one: 'building',
  many: 'buildings',
  input: {
    name: line({ max: 20, about: 'Nome' }),
    address: object(
      input('Place', { street: line({ max: 40, about: 'Rua' }), city: line({ max: 40, about: 'Cidade' }) }),
    ),
    floors: integer({ min: 1, about: 'Andares' }),
  },
  internal: {},
  search: ['name', 'address'],
})

test('a search covers texts in objects, and simultaneous updates keep its text current', async (t) => {
  const ports = { ...openPayments().ports, store: memoryStore([building.collection]) }
  const buildings = plainUseCases(building)(ports)
  const address = { street: 'Rua São Bento', city: 'Campinas' }
  const { id } = right(await buildings.create(admin, { name: 'Aurora', address, floors: 3 })())
  t.is(right(await buildings.read(admin, id)()).search, 'aurora\nrua sao bento\ncampinas')
  t.like(right(await buildings.update(admin, id, { floors: 4 })()), { floors: 4 })
  const moved = { ...address, city: 'Santos' }
  const [one, other] = await Promise.all([
    buildings.update(admin, id, { address: moved })(),
    buildings.update(admin, id, { name: 'Boreal' })(),
  ])
  t.deepEqual([failureOf(one), failureOf(other)], [null, null])
  t.is(right(await buildings.read(admin, id)()).search, 'boreal\nrua sao bento\nsantos')
})
