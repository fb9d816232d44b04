import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { sqliteStore } from '../../../../adapters/sqlite/store.ts'
import { newestLinks } from '../../../../core/payments/accounts/links.ts'
import { newestClients } from '../../../../core/payments/clients/list-clients.ts'
import { paymentsCollections } from '../../../../core/payments/collections.ts'
import { NOW } from '../identity/world.ts'

const asks = {
  'the newest links of a person': newestLinks(1, 20),
  'the first clients': newestClients(1, null),
  'clients after another one': newestClients(1, { id: 7, createdAt: NOW }),
  'a page of clients with its total': { ...newestClients(1, null), offset: 30, limit: 15, total: true },
}

test('what every request reads walks an index in its order', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'portico-'))
  const store = await sqliteStore(join(directory, 'plans.db'), paymentsCollections)
  t.teardown(async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  })
  for (const [name, ask] of Object.entries(asks)) {
    const plan = await store.explain(ask)
    t.regex(plan, /USING INDEX payments\.(memberships|clients)_index_/, name)
    t.notRegex(plan, /TEMP B-TREE|SCAN payments/, name)
  }
})
