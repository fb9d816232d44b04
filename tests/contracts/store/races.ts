import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { always, eq, gte, insert, patch, remove } from '../../../core/kernel/records/record.ts'
import { byId, groupOf } from '../../../core/ports/store.ts'
import { account, accounts, claim, claims, entries, thing, things } from '../../fixtures/things.ts'
import { faultOf, posting, statement } from './commits.ts'
import type { Case } from './store-contract.ts'

/** Rules of concurrent reads, scans, writers and reservations of ids. */
export const storeRaces = (check: Case): void => {
  instants(check)
  scans(check)
  writers(check)
  reservations(check)
}

const instants = (check: Case): void => {
  check('reads queries as of one instant', async (store, opened) => {
    const reader = (await opened.second?.()) ?? store
    await store.commit([insert(accounts, account('a', { balanceCents: 100 })), insert(accounts, account('b'))])
    const transfers = Array.from({ length: 60 }, (_, index) => [
      patch(accounts, 'a', { add: { balanceCents: -1 }, when: always }),
      insert(things, thing(index + 1, { size: 1 })),
      patch(accounts, 'b', { add: { balanceCents: 1 }, when: always }),
    ])
    const writing = (async () => {
      for (let index = 0; index < transfers.length; index += 3)
        await Promise.all(transfers.slice(index, index + 3).map((changes) => store.commit(changes)))
    })()
    let isWriting = true
    const done = writing.finally(() => {
      isWriting = false
    })
    while (isWriting) {
      const { a, b, moved } = await reader.read({
        a: byId(accounts, 'a'),
        moved: groupOf(things, { where: always, by: [], sum: ['size'] }),
        b: byId(accounts, 'b'),
      })
      equal((a?.balanceCents ?? 0) + (b?.balanceCents ?? 0), 100)
      equal(moved[0]?.sums.size, b?.balanceCents)
    }
    await done
    equal((await reader.find(byId(accounts, 'b')))?.balanceCents, 60)
  })
}

const scans = (check: Case): void => {
  check('a scan during writes yields every remaining record exactly once, by id', async (store) => {
    const made = Array.from({ length: 150 }, (_, index) => thing((index + 1) * 10, { size: index, name: 'keep' }))
    await store.commit(made.map((one) => insert(things, one)))
    const seen: number[] = []
    for await (const { id } of store.scan(things, eq('shopId', 'loja'))) {
      seen.push(id)
      if (seen.length % 10 !== 0 || id > 1_500) continue
      const outcome = await store.commit([
        insert(things, thing(id - 5)),
        insert(things, thing(2_000 + id + 5)),
        patch(things, id, { set: { size: -id, name: 'z' }, when: always }),
        patch(things, 1500 - id + 10, { add: { size: 1_000 }, when: always }),
        ...(id === 500 ? [remove(things, 1_490, always)] : []),
      ])
      ok(outcome.ok)
    }
    deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    )
    equal(new Set(seen).size, seen.length)
    for (const { id } of made) equal(seen.includes(id), id !== 1_490, `${id}`)
  })

  check('a scan yields matching records by code point of their ids, and can be stopped', async (store) => {
    const ids = ['b', '😀', 'a', '\u{FFFD}', 'á', '10', '9']
    await store.commit(ids.map((id) => insert(claims, claim(id, { note: id === '9' ? null : 'x' }))))
    const seen: string[] = []
    for await (const { id } of store.scan(claims, eq('note', 'x'))) seen.push(id)
    deepEqual(seen, ['10', 'a', 'b', 'á', '\u{FFFD}', '😀'])
    for await (const { id } of store.scan(claims, always)) {
      seen.push(id)
      break
    }
    equal(seen.at(-1), '10')
    ok((await store.commit([remove(claims, '10', always)])).ok)
  })
}

const writers = (check: Case): void => {
  check('two writers never spend more than a balance', async (store, opened) => {
    const other = (await opened.second?.()) ?? store
    await store.commit([insert(accounts, account('a', { usesLeft: 15 }))])
    const use = patch(accounts, 'a', { add: { usesLeft: -1 }, when: gte('usesLeft', 1) })
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? store : other).commit([use])),
    )
    equal(outcomes.filter((outcome) => outcome.ok).length, 15)
    for (const outcome of outcomes) ok(outcome.ok || 'stale' in outcome)
    equal((await other.find(byId(accounts, 'a')))?.usesLeft, 0)
  })

  check('of two writers of one key, one succeeds and the other gets the conflict', async (store, opened) => {
    const other = (await opened.second?.()) ?? store
    for (let round = 1; round <= 5; round += 1) {
      const document = `doc ${round}`
      const outcomes = await Promise.all([
        store.commit([insert(things, thing(round * 10, { document })), insert(claims, claim(`x${round}`))]),
        other.commit([insert(things, thing(round * 10 + 1, { document }))]),
      ])
      const lost = outcomes.filter((outcome) => !outcome.ok)
      deepEqual(lost, [{ ok: false, conflict: { collection: things.name, key: 'document' } }])
    }
  })

  check('two writers on one account make one gapless statement', async (store, opened) => {
    const other = (await opened.second?.()) ?? store
    await store.commit([insert(accounts, account('a'))])
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? store : other).commit(posting('a', index + 1, index - 15, `t${(index * 7) % 10}`)),
      ),
    )
    ok(outcomes.every((outcome) => outcome.ok))
    const made = await statement(other, 'a')
    equal(made.length, 40)
    equal(faultOf(made), null)
    const sums = await store.group(groupOf(entries, { where: eq('accountId', 'a'), by: [], sum: ['valueCents'] }))
    deepEqual(sums, [{ by: {}, count: 40, sums: { valueCents: made.at(-1)?.balanceCents ?? 0 } }])
  })
}

const reservations = (check: Case): void => {
  check('two writers never reserve the same id, and the first id is 1', async (store, opened) => {
    const other = (await opened.second?.()) ?? store
    equal(await store.reserve(things.name, 5), 1)
    equal(await store.reserve(entries.name, 1), 1)
    const sizes = Array.from({ length: 20 }, (_, index) => 1 + (index % 4))
    const firsts = await Promise.all(
      sizes.map((size, index) => (index % 2 === 0 ? store : other).reserve(things.name, size)),
    )
    const ids = firsts.flatMap((first, index) => Array.from({ length: sizes[index] ?? 0 }, (_, n) => first + n))
    equal(new Set([...ids, 1, 2, 3, 4, 5]).size, ids.length + 5)
    const again = (await opened.reopen?.()) ?? store
    ok((await again.reserve(things.name, 1)) > Math.max(...ids))
    await rejects(again.reserve('test.nothing', 1))
  })

  check('returned ids are reserved again unless later ones have been reserved since', async (store) => {
    const first = await store.reserve(things.name, 10)
    await store.returnIds(things.name, first + 4, first + 10)
    equal(await store.reserve(things.name, 3), first + 4)
    await store.returnIds(things.name, first, first + 4)
    ok((await store.reserve(things.name, 1)) >= first + 7)
  })
}
