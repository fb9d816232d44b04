import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import {
  type AnyCollection,
  all,
  always,
  type Change,
  type Collection,
  compile,
  eq,
  type Field,
  gt,
  type Id,
  insert,
  not,
  patch,
  type Rec,
  recordOrder,
  remove,
  type Where,
} from '../../../core/kernel/records/record.ts'
import { conditionTest } from '../../../core/kernel/records/table.ts'
import { groupRecords } from '../../../core/kernel/records/tally.ts'
import { byId, byKey, groupOf, listOf, type Store } from '../../../core/ports/store.ts'
import {
  type CodelessPart,
  codelessParts,
  filledPart,
  filledParts,
  keyedParts,
  notedParts,
  type Part,
  part,
  parts,
  reshapedParts,
} from '../../fixtures/parts.ts'
import type { Case, OpenedStore } from './store-contract.ts'
import { sortedRows } from './tallies.ts'

/**
 * Rules of changed collections: existing records are read correctly at once, and indexes, keys and tallies when they
 * are built.
 */
export const storeShapes = (check: Case): void => {
  fields(check)
  rows(check)
  keys(check)
  downgrades(check)
}

const notedKeys: typeof notedParts = {
  ...notedParts,
  keys: { note: ({ note }) => note },
  indexes: [{ sort: 'note' }],
  tallies: [{ by: ['note'], sum: ['cents'] }],
}

const fields = (check: Case): void => {
  for (const [also, table] of [
    ['', notedParts],
    [', also in a key, an index and a tally', notedKeys],
  ] as const)
    check(`an added nullable field is null, and is written like any other${also}`, async (_store, opened) => {
      const store = await after(opened, table)
      const known = MADE.map((one) => ({ ...one, note: null as string | null }))
      deepEqual((await store.list(listOf(table, { where: eq('note', null), limit: 9 }))).records, known)
      const note = (id: number) => patch(table, id, { set: { note: 'x' }, when: eq('note', null) })
      await committed(store, [note(3)])
      if (table.keys)
        deepEqual(await store.commit([note(1)]), { ok: false, conflict: { collection: parts.name, key: 'note' } })
      await answersAs(
        store,
        table,
        known.map((one) => (one.id === 3 ? { ...one, note: 'x' } : one)),
        { by: ['note', 'name', 'status'], sorts: ['note', 'cents'] },
      )
    })

  check('a field with an upgrade has its value at once, and after it is filled', async (_store, opened) => {
    const store = await after(opened, filledParts)
    const known = MADE.map(filledPart)
    deepEqual(await store.find(byId(filledParts, 3)), known[2])
    // Changes of other fields, a guard on the new field, and a record that has it already.
    await committed(store, [
      patch(filledParts, 1, { set: { status: 'paid' }, when: eq('initial', 'b') }),
      patch(filledParts, 2, { set: { initial: 'Z' }, add: { cents: 9 }, when: eq('isDear', false) }),
      insert(filledParts, { ...filledPart(part(6)), isDear: false }),
      remove(filledParts, 4, eq('isDear', true)),
    ])
    deepEqual(await store.commit([patch(filledParts, 3, { set: { cents: 0 }, when: eq('initial', 'b') })]), {
      ok: false,
      stale: [parts.name, 3],
    })
    const [one, two, three, , five] = known
    ok(one && two && three && five)
    const now = [
      { ...one, status: 'paid' },
      { ...two, initial: 'Z', cents: 11 },
      three,
      five,
      { ...filledPart(part(6)), isDear: false },
    ]
    const asked = { by: ['initial', 'isDear', 'name'], sorts: ['initial', 'cents', 'name'] } as const
    await answersAs(store, filledParts, now, asked)
    const dear = listOf(filledParts, { where: all(eq('initial', 'a'), gt('cents', 0)), limit: 9, total: true })
    deepEqual(await store.list(dear), { records: [three], total: 1 })
    // A filled field stays after other writes.
    await committed(store, [patch(filledParts, 3, { set: { name: 'z' }, when: always })])
    equal((await store.find(byId(filledParts, 3)))?.initial, 'a')
    await answersAs(
      await opened.as([filledParts]),
      filledParts,
      now.map((part) => (part.id === 3 ? { ...part, name: 'z' } : part)),
      asked,
    )
  })

  check('a retired field can be read and found until its record is written', async (_store, opened) => {
    const store = await after(opened, codelessParts)
    const coded = eq('code', 'x') as Where<never>
    const found = async (): Promise<readonly Id[]> =>
      (await store.list(listOf(codelessParts, { where: coded, limit: 9 }))).records.map(({ id }) => id)
    deepEqual(await found(), [2])
    deepEqual<CodelessPart | null>(await store.find(byId(codelessParts, 2)), MADE[1] ?? null)
    await committed(store, [patch(codelessParts, 2, { set: { cents: 7 }, when: coded })])
    deepEqual(await found(), [])
    const { code: _, ...rest } = part(2, { name: 'a', status: 'paid', cents: 7 })
    deepEqual(await store.find(byId(codelessParts, 2)), rest)
  })
}

const rows = (check: Case): void => {
  check('results agree with the records after conditions, indexes and tallies change', async (_store, opened) => {
    const store = await after(opened, reshapedParts)
    const asked = { by: ['name', 'status', 'shopId'], sorts: ['cents', 'name'] } as const
    await answersAs(store, reshapedParts, MADE, asked)
    await committed(store, [
      patch(reshapedParts, 1, { set: { status: 'paid' }, add: { cents: 5 }, when: always }),
      remove(reshapedParts, 3, always),
      insert(reshapedParts, part(6, { cents: 0 })),
    ])
    const [one, , , ...others] = MADE
    ok(one && MADE[1])
    const now = [{ ...one, status: 'paid', cents: 6 }, MADE[1], ...others, part(6, { cents: 0 })]
    await answersAs(store, reshapedParts, now, asked)
    await committed(store, [patch(reshapedParts, 6, { set: { status: 'new' }, add: { cents: 9 }, when: always })])
    const last = now.map((one) => (one.id === 6 ? part(6, { status: 'new', cents: 9 }) : one))
    await answersAs(store, reshapedParts, last, asked)
  })

  check('results agree with the records after changes back and forth between releases', async (_store, opened) => {
    const asked = { by: ['name', 'status', 'shopId'], sorts: ['cents', 'name'] } as const
    await after(opened, reshapedParts)
    let known = [...MADE]
    for (const [at, table] of [parts, reshapedParts, keyedParts, parts].entries()) {
      const store = await opened.as([table])
      await committed(store, [patch(table, 3, { add: { cents: 10 }, when: always }), insert(table, part(10 + at))])
      known = [...known.map((one) => (one.id === 3 ? { ...one, cents: one.cents + 10 } : one)), part(10 + at)]
      await answersAs(store, table, known, asked)
    }
  })
}

const keys = (check: Case): void => {
  const code = (id: number, value: string | null) => patch(keyedParts, id, { set: { code: value }, when: always })
  const conflict = { ok: false, conflict: { collection: parts.name, key: 'code' } }
  const COLLIDING = [part(1, { code: 'y' }), part(2, { code: 'x' }), part(3, { code: 'x' }), part(4, { code: 'x' })]

  check(
    'of records that collide under a new key, the first has it, and the others can be written otherwise',
    async (_store, opened) => {
      const store = await after(opened, keyedParts, COLLIDING)
      const holder = async () => (await store.find(byKey(keyedParts, 'code', 'x')))?.id
      await committed(store, [patch(keyedParts, 3, { set: { cents: 9 }, when: always })])
      equal(await holder(), 2)
      deepEqual(await store.commit([insert(keyedParts, part(9, { code: 'x' }))]), conflict)
      deepEqual(await store.commit([code(1, 'x')]), conflict)
      await committed(store, [patch(keyedParts, 2, { set: { name: 'z' }, when: always })])
      await committed(store, [remove(keyedParts, 4, always)])
      await committed(store, [code(3, 'q')])
      equal(await holder(), 2)
      deepEqual(await store.commit([code(3, 'x')]), conflict)
      equal((await store.find(byKey(keyedParts, 'code', 'q')))?.id, 3)
      equal((await store.find(byId(keyedParts, 3)))?.cents, 9)
    },
  )

  check('a released text belongs to the next record that sets it, and to none before', async (_store, opened) => {
    const store = await after(opened, keyedParts, COLLIDING)
    const holder = async () => (await store.find(byKey(keyedParts, 'code', 'x')))?.id
    await committed(store, [code(2, null)])
    equal(await holder(), undefined)
    await committed(store, [patch(keyedParts, 3, { set: { cents: 9 }, when: always })])
    equal(await holder(), undefined)
    await committed(store, [code(4, null), code(4, 'x')])
    equal(await holder(), 4)
    deepEqual(await store.commit([code(2, 'x')]), conflict)
    await committed(store, [patch(keyedParts, 4, { set: { cents: 0 }, when: always })])
    // After the store is opened again, the text belongs to the same record.
    const again = await opened.as([keyedParts])
    equal((await again.find(byKey(keyedParts, 'code', 'x')))?.id, 4)
    await committed(again, [remove(keyedParts, 3, always)])
    deepEqual(await again.commit([code(2, 'x')]), conflict)
  })
}

const downgrades = (check: Case): void => {
  check('a release that lacks a field of the records is rejected and changes nothing', async (_store, opened) => {
    const store = await after(opened, filledParts)
    await committed(store, [patch(filledParts, 3, { set: { initial: 'Z' }, when: always })])
    await rejects(opened.as([parts]), /newer release.*test\.parts.*initial/)
    const again = await opened.as([filledParts])
    equal((await again.find(byId(filledParts, 3)))?.initial, 'Z')
    equal((await again.find(byId(filledParts, 1)))?.initial, 'b')
  })

  check('a release that has a retired field is rejected', async (_store, opened) => {
    await after(opened, codelessParts)
    await rejects(opened.as([parts]), /newer release.*test\.parts.*code/)
    equal((await (await opened.as([codelessParts])).find(byId(codelessParts, 1)))?.name, 'b')
  })
}

const MADE: readonly Part[] = [
  part(1, { name: 'b' }),
  part(2, { name: 'a', status: 'paid', code: 'x' }),
  part(3, { name: 'a' }),
  part(4, { name: 'c', status: 'new' }),
  part(5, { name: 'á', shopId: 'outra', status: 'paid' }),
]

/** Writes records as the earlier release, and opens the store of this one. */
const after = async ({ store, as }: OpenedStore, collection: AnyCollection, made: readonly Part[] = MADE) => {
  ok((await store.commit(made.map((one) => insert(parts, one)))).ok)
  return as([collection])
}

const committed = async (store: Store, changes: readonly Change[]): Promise<void> =>
  ok((await store.commit(changes)).ok)

const answersAs = async <R extends Rec>(
  store: Store,
  from: Collection<R>,
  known: readonly R[],
  { by, sorts }: { readonly by: readonly Field<R>[]; readonly sorts: readonly Field<R>[] },
): Promise<void> => {
  const conditions: readonly (string | undefined)[] = [undefined, ...Object.keys(from.conditions ?? {})]
  const wheres: readonly Where<Field<R>>[] = [always, eq('shopId', 'loja'), not(eq('id', -1))]
  for (const when of conditions)
    for (const where of wheres) {
      const [test, also] = [compile(where), when === undefined ? () => true : conditionTest(from, when)]
      const asked = { where, ...(when !== undefined && { when }) }
      const right = known.filter((record) => test(record) && also(record))
      const name = `${when} ${JSON.stringify(where)}`
      for (const field of sorts) {
        const sort = { by: field, dir: 'desc' } as const
        const { records, total } = await store.list(listOf(from, { ...asked, sort, limit: 9, total: true }))
        deepEqual(records, right.toSorted(recordOrder(sort)), `${name} by ${field}`)
        equal(total, right.length, name)
      }
      for (const field of by) {
        const sum = ['cents' as Field<R>]
        const found = await store.group(groupOf(from, { ...asked, by: [field], sum }))
        deepEqual(sortedRows(found), sortedRows(groupRecords(right, [field], sum)), `${name} by ${field}`)
        const one = await store.group(groupOf(from, { ...asked, by: [], sum }))
        deepEqual(one, groupRecords(right, [], sum), name)
      }
    }
}
