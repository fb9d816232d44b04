import test from 'ava'
import { fakeBankCollections } from '../../../adapters/bank/fake/books.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'

const collections = [...paymentsCollections, ...fakeBankCollections]

// A row that leads with the shard key asks one shard; any other asks them all, and says so.
test('no hot query lacks its shard key', (t) => {
  for (const { name, shard, owner, indexes = [] } of collections) {
    for (const { eq, sort, across } of indexes) {
      const leads = eq === shard || (owner === shard && !across)
      t.true(leads !== (across === true), `${name}: by ${eq ?? sort}`)
    }
  }
})

test('tenants are the shards of what has one', (t) => {
  for (const { name, owner, shard } of collections) t.true(owner === null || owner === shard, name)
})

test('every unique key tells its shard, or what keeps it unique over all of them', (t) => {
  for (const { name, shard, keys = {}, keptBy = {} } of collections) {
    for (const [key, text] of Object.entries(keys)) {
      // A key tells its shard when its text changes with nothing but the shard key.
      const others: Record<string, unknown> = { removedAt: null }
      const sample = (value: string) =>
        new Proxy(others, { get: (_, field) => (field === shard ? value : field in others ? null : 'x') })
      const tells = text(sample('a') as never) !== text(sample('b') as never)
      t.true(tells !== key in keptBy, `${name}: ${key}`)
    }
    t.deepEqual(
      Object.keys(keptBy).filter((key) => !(key in keys)),
      [],
    )
  }
})
