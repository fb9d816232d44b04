import { insert, patch, remove } from '../../core/kernel/records/change.ts'
import { always } from '../../core/kernel/records/where.ts'
import { byKey } from '../../core/ports/store.ts'
import { claim, claims, thing, things } from '../fixtures/things.ts'
import type { Case } from './store.ts'

const conflict = (key: string) => ({ ok: false, conflict: { collection: things.name, key } })
const DAY = '2026-11-21T00:00:00.000Z'

/** A unique key is a text or null, and texts are never held twice. */
export const storeKeys = (check: Case): void => {
  uniqueness(check)
  handovers(check)
}

const uniqueness = (check: Case): void => {
  check('refuses a key that another record holds, and names it', async (t, store) => {
    t.true((await store.commit([insert(things, thing(1, { document: '1', code: 'a' }))])).ok)
    t.deepEqual(await store.commit([insert(things, thing(2, { document: '1' }))]), conflict('document'))
    t.deepEqual(await store.commit([insert(things, thing(2, { code: 'a' }))]), conflict('code'))
    t.deepEqual(await store.commit([insert(things, thing(2, { document: '1', code: 'a' }))]), conflict('document'))
    t.true((await store.commit([insert(things, thing(2, { document: '1', shopId: 'other', code: 'A' }))])).ok)
    t.deepEqual(await store.commit([patch(things, 2, { set: { code: 'a' }, when: always })]), conflict('code'))
    t.is((await store.find(byKey(things, 'code', 'A')))?.id, 2)
  })

  check('holds nothing for null', async (t, store) => {
    const many = [1, 2, 3].map((id) => insert(things, thing(id, { document: '', code: null })))
    t.true((await store.commit(many)).ok)
    t.true((await store.commit([insert(things, thing(4))])).ok)
    t.is(await store.find(byKey(things, 'document', 'loja|')), null)
  })

  check('keys differ by accents, case, spaces and emoji', async (t, store) => {
    const codes = ['a', 'A', 'á', 'ä', ' a', 'a ', '😀', '😁', 'ß', 'ss', 'ﬁ', 'fi', '', 'null', '0', '00']
    t.true((await store.commit(codes.map((code, index) => insert(things, thing(index + 1, { code }))))).ok)
    for (const [index, code] of codes.entries()) t.is((await store.find(byKey(things, 'code', code)))?.id, index + 1)
  })

  check('two inserts of one key in one commit break it whole', async (t, store) => {
    const twice = [insert(things, thing(1, { code: 'a' })), insert(things, thing(2, { code: 'a' }))]
    t.deepEqual(await store.commit(twice), conflict('code'))
    t.is(await store.find(byKey(things, 'code', 'a')), null)
  })

  check('what is unique across collections is claimed in the same commit', async (t, store) => {
    const register = (id: number, email: string) =>
      store.commit([insert(claims, claim(email, { holder: String(id) })), insert(things, thing(id))])
    t.true((await register(1, 'a@b.c')).ok)
    t.deepEqual(await register(2, 'a@b.c'), { ok: false, conflict: { collection: claims.name, key: 'id' } })
    t.true((await store.commit([remove(claims, 'a@b.c', always)])).ok)
    t.true((await register(2, 'a@b.c')).ok)
  })
}

const handovers = (check: Case): void => {
  check('a soft delete frees the key, and cannot be undone once another has it', async (t, store) => {
    await store.commit([insert(things, thing(1, { document: '1' }))])
    t.true((await store.commit([patch(things, 1, { set: { removedAt: DAY }, when: always })])).ok)
    t.is(await store.find(byKey(things, 'document', 'loja|1')), null)
    t.true((await store.commit([insert(things, thing(2, { document: '1' }))])).ok)
    t.is((await store.find(byKey(things, 'document', 'loja|1')))?.id, 2)
    const undo = patch(things, 1, { set: { removedAt: null }, when: always })
    t.deepEqual(await store.commit([undo]), conflict('document'))
    t.true((await store.commit([remove(things, 2, always), undo])).ok)
    t.is((await store.find(byKey(things, 'document', 'loja|1')))?.id, 1)
  })

  check('a key passes from record to record within a commit', async (t, store) => {
    await store.commit([insert(things, thing(1, { code: 'a' })), insert(things, thing(2, { code: 'b' }))])
    const to = (id: number, code: string | null) => patch(things, id, { set: { code }, when: always })
    t.deepEqual(await store.commit([to(1, 'b'), to(2, 'a')]), conflict('code'))
    t.true((await store.commit([to(1, null), to(2, 'a'), to(1, 'b')])).ok)
    t.is((await store.find(byKey(things, 'code', 'a')))?.id, 2)
    t.is((await store.find(byKey(things, 'code', 'b')))?.id, 1)
    t.true((await store.commit([remove(things, 1, always), insert(things, thing(3, { code: 'b' }))])).ok)
    t.is((await store.find(byKey(things, 'code', 'b')))?.id, 3)
  })

  check(
    'a key that its holder keeps is not free, though the same commit or one beside it writes the holder',
    async (t, store) => {
      await store.commit([insert(things, thing(1, { code: 'a' })), insert(things, thing(2, { code: 'b' }))])
      const take = patch(things, 2, { set: { code: 'a' }, when: always })
      const edit = (status: string) => patch(things, 1, { set: { status }, when: always })
      t.deepEqual(await store.commit([take, edit('paid')]), conflict('code'))
      t.deepEqual(await store.commit([edit('paid'), take]), conflict('code'))
      const outcomes = await Promise.all([
        store.commit([edit('open')]),
        store.commit([take]),
        store.commit([edit('paid')]),
      ])
      t.deepEqual(
        outcomes.map(({ ok }) => ok),
        [true, false, true],
      )
      t.is((await store.find(byKey(things, 'code', 'a')))?.id, 1)
      t.is((await store.find(byKey(things, 'code', 'b')))?.id, 2)
    },
  )

  check('of many inserts of one key at once, one is first', async (t, store) => {
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((id) => store.commit([insert(things, thing(id, { document: '9' }))])),
    )
    t.is(outcomes.filter((outcome) => outcome.ok).length, 1)
    for (const outcome of outcomes.filter((outcome) => !outcome.ok)) t.deepEqual(outcome, conflict('document'))
    const winner = outcomes.findIndex((outcome) => outcome.ok) + 1
    t.is((await store.find(byKey(things, 'document', 'loja|9')))?.id, winner)
  })

  check('a broken commit neither takes nor frees a key', async (t, store) => {
    await store.commit([insert(things, thing(1, { code: 'a' }))])
    const broken = await store.commit([
      patch(things, 1, { set: { code: 'b' }, when: always }),
      insert(things, thing(2, { code: 'a' })),
      remove(things, 99, always),
    ])
    t.deepEqual(broken, { ok: false, stale: [things.name, 99] })
    t.is((await store.find(byKey(things, 'code', 'a')))?.id, 1)
    t.is(await store.find(byKey(things, 'code', 'b')), null)
    t.true((await store.commit([insert(things, thing(2, { code: 'b' }))])).ok)
  })
}
