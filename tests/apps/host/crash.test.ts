import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { payments } from '../../../apps/payments/startable.ts'
import { always } from '../../../core/kernel/where.ts'
import { books } from '../../../core/payments/ledger/book.ts'
import { entries } from '../../../core/payments/ledger/entry.ts'
import { journals } from '../../../core/payments/ledger/journal.ts'
import { start } from './process.ts'

const CHARGES = 200
const AT_ONCE = 16
const KILL_AFTER = 70
const VALUE = 10.01

interface Charge {
  readonly id: number
  readonly txid: string
  readonly endToEndId: string
}

/** Runs the tasks, so many at once; a task that rejects is counted and not retried. */
const inFlight = async <A>(items: readonly A[], act: (item: A) => Promise<void>): Promise<number> => {
  const left = [...items]
  let failed = 0
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await act(item).catch(() => {
        failed += 1
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return failed
}

const post = async (url: string, body: unknown, token = ''): Promise<unknown> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}

const get = async <A>(url: string, token: string): Promise<A> =>
  (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json() as Promise<A>

const receiver = async () => {
  const paid: number[] = []
  const server = createServer(async (request, response) => {
    const { type, data } = JSON.parse(await text(request))
    if (type === 'charge.paid') paid.push(data.id)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, paid, close: () => server.close() }
}

const merchant = async (url: string): Promise<string> => {
  const person = {
    name: 'Ana',
    email: 'ana@example.com',
    password: 'segredo-123',
    password_confirmation: 'segredo-123',
  }
  const { data } = (await post(`${url}/v1/auth/register`, person)) as { data: { access_token: string } }
  await post(`${url}/v1/organizations`, { name: 'Escola', document: '11222333000181' }, data.access_token)
  return data.access_token
}

const issue = async (url: string, token: string, webhook: string, place: number): Promise<Charge> => {
  const payer = { name: 'Maria', email: 'm@example.com', document: '12345678909' }
  const body = { value: VALUE, payment_method: 'PIX', due_date: '2099-12-31', webhook, ...payer }
  const { data } = (await post(`${url}/invoices`, body, token)) as { data: { id: number; pix: { txid: string } } }
  return { id: data.id, txid: data.pix.txid, endToEndId: `E01181521209912311200${String(place).padStart(11, '0')}` }
}

test('kill -9 in the middle of 200 payments: none is lost, none is twice, every webhook arrives', async (t) => {
  t.timeout(180_000)
  const directory = await mkdtemp(join(tmpdir(), 'portico-crash-'))
  const path = join(directory, 'portico.db')
  const env = { DATA_DIR: directory, STORE_URL: `sqlite:${path}`, WEBHOOKS_ALLOW_PRIVATE: 'true' }
  const webhooks = await receiver()
  t.teardown(async () => {
    webhooks.close()
    await rm(directory, { recursive: true, force: true })
  })

  const first = start(env)
  const url = (await first.ready).payments
  const token = await merchant(url)
  const charges: Charge[] = []
  const places = Array.from({ length: CHARGES }, (_, place) => place)
  t.is(await inFlight(places, async (place) => void charges.push(await issue(url, token, webhooks.url, place))), 0)

  const acknowledged = new Set<number>()
  const pay = (base: string, { id, txid, endToEndId }: Charge) =>
    post(`${base}/fake-bank/payments`, { txid, end_to_end_id: endToEndId }).then(() => void acknowledged.add(id))
  const failed = await inFlight(charges, async (charge) => {
    if (acknowledged.size >= KILL_AFTER) first.child.kill('SIGKILL')
    await pay(url, charge)
  })
  t.is((await first.ended).signal, 'SIGKILL')
  t.true(failed > 0, 'the kill came too late to be in the middle')
  t.log(`${acknowledged.size} of ${CHARGES} payments were acknowledged before the kill`)

  const second = start(env)
  const base = (await second.ready).payments
  const statusOf = async (id: number) =>
    (await get<{ data: { status: { title: string } } }>(`${base}/invoices/${id}`, token)).data.status.title
  for (const id of acknowledged) t.is(await statusOf(id), 'paid')

  // The payers' banks try again what they did not hear the end of; what was posted before is not posted twice.
  t.is(await inFlight(charges, (charge) => pay(base, charge)), 0)
  const { balance } = await get<{ balance: number }>(`${base}/consolidation/balance`, token)
  t.is(balance, Math.round(CHARGES * VALUE * 100) / 100)
  while (new Set(webhooks.paid).size < CHARGES) await new Promise((resolve) => setTimeout(resolve, 50))
  second.child.kill('SIGTERM')
  t.is((await second.ended).code, 0)

  const store = await sqliteStore(path, payments.collections)
  const causes: string[] = []
  for await (const { cause, legs } of store.scan(journals, always)) {
    t.is(
      legs.reduce((sum, { cents }) => sum + cents, 0),
      0,
    )
    causes.push(cause)
  }
  t.is(causes.length, CHARGES)
  t.is(new Set(causes).size, CHARGES)
  const seqs: number[] = []
  for await (const { seq, balanceCents } of store.scan(entries, always)) {
    t.is(balanceCents, seq * Math.round(VALUE * 100))
    seqs.push(seq)
  }
  t.deepEqual(
    seqs.sort((a, b) => a - b),
    places.map((place) => place + 1),
  )
  for await (const book of store.scan(books, always)) t.is(book.balanceCents, CHARGES * Math.round(VALUE * 100))
  await store.close()
})
