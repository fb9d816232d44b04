import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { sqliteStore } from '../../../../adapters/sqlite/store.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { addDays } from '../../../../core/kernel/values/day.ts'
import { entries } from '../../../../core/payments/ledger/entry.ts'
import { ledgerAccounts } from '../../../../core/payments/ledger/ledger-account.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import { listTransactions, type TransactionFilter } from '../../../../core/payments/statements/list-transactions.ts'
import type { Ask } from '../../../../core/ports/store.ts'
import { testPorts } from '../access/test-ports.ts'
import { aBook, anEntry } from './entries.ts'

const LINES = 3_000
const day = { from: '2024-03-15', to: '2024-03-15' }

const plans: readonly (readonly [string, TransactionFilter, string])[] = [
  ['no filter', {}, 'accountId='],
  ['a day', { created: day }, 'accountId= seq> seq<'],
  ['half a year', { created: { from: '2024-01-01', to: '2024-06-30' } }, 'accountId= seq> seq<'],
  ['since a day', { created: { from: '2024-01-01' } }, 'accountId= seq>'],
  ['a day of payment', { paid: day }, 'accountId= seq> seq<'],
  ['a type', { typeId: [1] }, 'accountId= typeId='],
  ['a type on a day', { typeId: [1], created: day }, 'accountId= typeId= seq> seq<'],
  ['a status, which nearly all have', { status: 1 }, 'accountId='],
  ['a search, which walks', { search: 'x' }, 'accountId='],
  ['a search on a day', { search: 'x', created: day }, 'accountId= seq> seq<'],
]

test('each filter of a statement leads to its lines, and sums are read from the tally', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'portico-'))
  const store = await sqliteStore(join(directory, 'plans.db'), paymentsCollections)
  t.teardown(async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  })
  const lines = Array.from({ length: LINES }, (_, at) =>
    anEntry({ id: at + 1, accountId: 1, valueCents: 1, day: addDays('2023-01-01', at / 3) }),
  )
  for (let first = 0; first < LINES; first += 500)
    await store.commit(lines.slice(first, first + 500).map((line) => insert(entries, line)))
  await store.commit([insert(ledgerAccounts, { ...aBook, seq: LINES })])
  const asks: Readonly<Record<string, Ask>>[] = []
  const read: typeof store.read = (asked) => {
    asks.push(asked)
    return store.read(asked)
  }
  const list = listTransactions({ ...testPorts().ports, store: { ...store, read } })
  for (const [name, filter, by] of plans) {
    await list({ accountId: 1 }, filter)()
    const { page, sums } = asks.at(-1) ?? {}
    const plan = page ? await store.explain(page) : ''
    const fields = /payments\.entries USING (?:COVERING )?INDEX \S+ \(([^)]*)\)/.exec(plan)?.[1]
    t.is(fields?.replaceAll(/f_|\?/g, '').replaceAll(' AND', ''), by, `${name}\n${plan}`)
    t.false(plan.includes('TEMP B-TREE'), `${name}\n${plan}`)
    if (!filter.search && sums) t.regex(await store.explain(sums), /payments\.entries_tally_/, name)
  }
})
