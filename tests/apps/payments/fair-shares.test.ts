import test from 'ava'
import { insert } from '../../../core/kernel/records/record.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { aClient } from '../../core/payments/records.ts'
import { servedDuring } from '../served-during.ts'
import { type Merchant, openMerchant, openTestApi, type TestApi, worked } from './test-api.ts'

const CLIENTS = 300
const LISTS = 200

/** Adds the clients of a whole list. */
const addClients = async ({ host }: TestApi, { id: accountId }: Merchant): Promise<void> => {
  for (let slice = 0; slice < CLIENTS; slice += 100) {
    const made = Array.from({ length: 100 }, (_, index) => {
      const id = 1_000 + slice + index
      return insert(clients, { ...aClient, id, accountId, code: `c${id}`, document: `${id}`, email: null })
    })
    await host.store.commit(made)
  }
}

test('serves pages of another account and /health during 200 simultaneous whole lists of one account', async (t) => {
  const api = await openTestApi(t)
  const [ana, rui] = [await api.merchant(), await api.merchant()]
  await addClients(api, ana)
  const whole = async () => worked(await api.ask('GET', '/v1/clients', { token: ana.token })).clients.length
  const page = async () => {
    worked(await api.ask('GET', '/health'))
    worked(await api.ask('GET', '/v1/clients?page=1&per_page=15', { token: rui.token }))
  }
  const lists = Promise.all(Array.from({ length: LISTS }, whole))
  const served = await servedDuring(lists, page)
  t.deepEqual(new Set(await lists), new Set([CLIENTS]))
  t.log(`${served} pages`)
  t.true(served >= LISTS / 10, `${served}`)
})

test('serves a whole list after clients have closed their connections during others', async (t) => {
  const { api, merchant: ana } = await openMerchant(t)
  await addClients(api, ana)
  const statuses = Array.from({ length: 20 }, async () => {
    const hangUp = new AbortController()
    const answer = await fetch(`${api.url}/v1/clients`, {
      headers: { authorization: `Bearer ${ana.token}` },
      signal: hangUp.signal,
    })
    hangUp.abort()
    return answer.status
  })
  t.deepEqual(new Set(await Promise.all(statuses)), new Set([200]))
  const { clients: all } = worked(await api.ask('GET', '/v1/clients', { token: ana.token }))
  t.is(all.length, CLIENTS)
})
