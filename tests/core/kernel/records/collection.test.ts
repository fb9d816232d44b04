import test from 'ava'
import { tableOf } from '../../../../core/kernel/records/table.ts'
import { claims, thingCollections, things } from '../../../fixtures/things.ts'

test('indexes collections by name', (t) => {
  const table = tableOf(thingCollections)
  t.deepEqual([...table.keys()], ['test.things', 'test.accounts', 'test.entries', 'test.claims'])
  t.is(table.get('test.claims'), claims)
})

test('a collection that several businesses list appears once', (t) => {
  t.deepEqual([...tableOf([claims, things, claims]).values()], [claims, things])
})

test('reports every invalid definition', (t) => {
  const wrong = [
    claims,
    { ...claims },
    { ...claims, name: 'Wrong Name' },
    { ...claims, name: 'a', owner: 'shopId' },
    { ...claims, name: 'b', indexes: Array.from({ length: 9 }, () => ({ sort: 'id' })) },
    { ...claims, name: 'c', indexes: [{ eq: 'x', sort: 'y', search: 'z', when: 'live' }] },
    { ...claims, name: 'd', tallies: [{ by: ['p'], sum: ['q'], when: 'toString' }] },
    { ...claims, name: 'f', upgrades: { newer: () => 1, holder: () => 'x' }, retired: ['note', 'gone'] },
    { ...claims, name: 'g', owner: 'holder', upgrades: { id: () => 1, holder: () => 'x' } },
    { ...claims, name: 'h', codec: { decode: claims.codec.decode }, upgrades: { holder: () => 'x' } },
    { ...claims, name: 'i', tallies: [1, 2].map(() => ({ by: ['holder'], sum: [] })) },
    { ...claims, name: 'e', conditions: { live: { not: { eq: ['gone', null] } as const } } },
  ]
  const { message = '' } = t.throws(() => tableOf(wrong)) ?? {}
  const faults = [
    'test.claims: two collections | Wrong Name: a name has | a: no field shopId | b: 9 indexes: at most 8',
    'c: no condition live | c: no field x | c: no field y | c: no field z | d: no condition toString | d: no field p',
    'd: no field q | e: no field gone | f: no field newer | f: note is both retired and a field',
    'i: two equal tallies',
    'g: no upgrade can set id | g: no upgrade can set holder | h: upgrades need a codec that lists its fields',
  ].flatMap((line) => line.split(' | '))
  for (const fault of faults) t.true(message.includes(fault), `${fault} in ${message}`)
  for (const right of ['f: no field holder', 'f: gone']) t.false(message.includes(right), right)
})

test('does not check field names for a codec that does not list its fields', (t) => {
  const silent = { decode: things.codec.decode }
  t.notThrows(() => tableOf([{ ...claims, codec: silent, owner: 'anything' }]))
})
