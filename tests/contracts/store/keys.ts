import { deepEqual, equal, ok } from 'node:assert/strict'
import { always, insert, patch, remove } from '../../../core/kernel/records/record.ts'
import { byKey } from '../../../core/ports/store.ts'
import { claim, claims, thing, things } from '../../fixtures/things.ts'
import type { Case } from './store-contract.ts'

const conflict = (key: string) => ({ ok: false, conflict: { collection: things.name, key } })
const DAY = '2026-11-21T00:00:00.000Z'

/** Rules of unique keys: texts are unique, and null is not a text. */
export const storeKeys = (check: Case): void => {
  uniqueness(check)
  handovers(check)
}

const uniqueness = (check: Case): void => {
  check('rejects a key of another record, and names it', async (store) => {
    ok((await store.commit([insert(things, thing(1, { document: '1', code: 'a' }))])).ok)
    deepEqual(await store.commit([insert(things, thing(2, { document: '1' }))]), conflict('document'))
    deepEqual(await store.commit([insert(things, thing(2, { code: 'a' }))]), conflict('code'))
    deepEqual(await store.commit([insert(things, thing(2, { document: '1', code: 'a' }))]), conflict('document'))
    ok((await store.commit([insert(things, thing(2, { document: '1', shopId: 'other', code: 'A' }))])).ok)
    deepEqual(await store.commit([patch(things, 2, { set: { code: 'a' }, when: always })]), conflict('code'))
    equal((await store.find(byKey(things, 'code', 'A')))?.id, 2)
  })

  check('a null key conflicts with none', async (store) => {
    const many = [1, 2, 3].map((id) => insert(things, thing(id, { document: '', code: null })))
    ok((await store.commit(many)).ok)
    ok((await store.commit([insert(things, thing(4))])).ok)
    equal(await store.find(byKey(things, 'document', 'loja|')), null)
  })

  check('keys differ by accents, case, spaces and emoji', async (store) => {
    const codes = ['a', 'A', 'á', 'ä', ' a', 'a ', '😀', '😁', 'ß', 'ss', 'ﬁ', 'fi', '', 'null', '0', '00']
    ok((await store.commit(codes.map((code, index) => insert(things, thing(index + 1, { code }))))).ok)
    for (const [index, code] of codes.entries()) equal((await store.find(byKey(things, 'code', code)))?.id, index + 1)
  })

  check('two inserts of one key fail their commit', async (store) => {
    const twice = [insert(things, thing(1, { code: 'a' })), insert(things, thing(2, { code: 'a' }))]
    deepEqual(await store.commit(twice), conflict('code'))
    equal(await store.find(byKey(things, 'code', 'a')), null)
  })

  check('a claim record makes a text unique across collections', async (store) => {
    const register = (id: number, email: string) =>
      store.commit([insert(claims, claim(email, { holder: String(id) })), insert(things, thing(id))])
    ok((await register(1, 'a@b.c')).ok)
    deepEqual(await register(2, 'a@b.c'), { ok: false, conflict: { collection: claims.name, key: 'id' } })
    ok((await store.commit([remove(claims, 'a@b.c', always)])).ok)
    ok((await register(2, 'a@b.c')).ok)
  })
}

const handovers = (check: Case): void => {
  check('a soft delete releases the key, and cannot be undone after another record has claimed it', async (store) => {
    await store.commit([insert(things, thing(1, { document: '1' }))])
    ok((await store.commit([patch(things, 1, { set: { removedAt: DAY }, when: always })])).ok)
    equal(await store.find(byKey(things, 'document', 'loja|1')), null)
    ok((await store.commit([insert(things, thing(2, { document: '1' }))])).ok)
    equal((await store.find(byKey(things, 'document', 'loja|1')))?.id, 2)
    const undo = patch(things, 1, { set: { removedAt: null }, when: always })
    deepEqual(await store.commit([undo]), conflict('document'))
    ok((await store.commit([remove(things, 2, always), undo])).ok)
    equal((await store.find(byKey(things, 'document', 'loja|1')))?.id, 1)
  })

  check('a key passes from record to record within a commit', async (store) => {
    await store.commit([insert(things, thing(1, { code: 'a' })), insert(things, thing(2, { code: 'b' }))])
    const to = (id: number, code: string | null) => patch(things, id, { set: { code }, when: always })
    deepEqual(await store.commit([to(1, 'b'), to(2, 'a')]), conflict('code'))
    ok((await store.commit([to(1, null), to(2, 'a'), to(1, 'b')])).ok)
    equal((await store.find(byKey(things, 'code', 'a')))?.id, 2)
    equal((await store.find(byKey(things, 'code', 'b')))?.id, 1)
    ok((await store.commit([remove(things, 1, always), insert(things, thing(3, { code: 'b' }))])).ok)
    equal((await store.find(byKey(things, 'code', 'b')))?.id, 3)
  })

  check(
    'a key is not free while its record keeps it, also if the same commit or batch writes that record',
    async (store) => {
      await store.commit([insert(things, thing(1, { code: 'a' })), insert(things, thing(2, { code: 'b' }))])
      const take = patch(things, 2, { set: { code: 'a' }, when: always })
      const edit = (status: string) => patch(things, 1, { set: { status }, when: always })
      deepEqual(await store.commit([take, edit('paid')]), conflict('code'))
      deepEqual(await store.commit([edit('paid'), take]), conflict('code'))
      const outcomes = await Promise.all([
        store.commit([edit('open')]),
        store.commit([take]),
        store.commit([edit('paid')]),
      ])
      deepEqual(
        outcomes.map(({ ok }) => ok),
        [true, false, true],
      )
      equal((await store.find(byKey(things, 'code', 'a')))?.id, 1)
      equal((await store.find(byKey(things, 'code', 'b')))?.id, 2)
    },
  )

  check('of simultaneous inserts of one key, one succeeds', async (store) => {
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((id) => store.commit([insert(things, thing(id, { document: '9' }))])),
    )
    equal(outcomes.filter((outcome) => outcome.ok).length, 1)
    for (const outcome of outcomes.filter((outcome) => !outcome.ok)) deepEqual(outcome, conflict('document'))
    const winner = outcomes.findIndex((outcome) => outcome.ok) + 1
    equal((await store.find(byKey(things, 'document', 'loja|9')))?.id, winner)
  })

  check('a failed commit neither claims nor releases a key', async (store) => {
    await store.commit([insert(things, thing(1, { code: 'a' }))])
    const broken = await store.commit([
      patch(things, 1, { set: { code: 'b' }, when: always }),
      insert(things, thing(2, { code: 'a' })),
      remove(things, 99, always),
    ])
    deepEqual(broken, { ok: false, stale: [things.name, 99] })
    equal((await store.find(byKey(things, 'code', 'a')))?.id, 1)
    equal(await store.find(byKey(things, 'code', 'b')), null)
    ok((await store.commit([insert(things, thing(2, { code: 'b' }))])).ok)
  })
}
