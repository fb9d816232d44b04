import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import test, { type ExecutionContext } from 'ava'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { payments as bankPayments, titles } from '../../../adapters/bank/fake/books.ts'
import { type Database, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { type Host, writeProbes } from '../../../apps/host/host.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { ledgerAccounts } from '../../../core/payments/ledger/ledger.ts'
import type { Bank } from '../../../core/ports/bank.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { bundleOf } from '../../bundle.ts'
import { FULL } from '../../size.ts'
import { payOutBody } from '../payments/given/merchants.ts'
import { type Answer, MARIA, type Merchant, openTestApi, PASSWORD, type TestApi } from '../payments/test-api.ts'
import { faultsOf, moneyFaults } from '../processes/money-faults.ts'

/** Short, so that who waits in vain is told soon. */
const BUSY_WAIT_MS = 30
const PLENTY_OF_PAGES = 1_000_000_000
const HOLDER = 'tests/apps/faults/holder.ts'

interface Sickness {
  begin(): Promise<void>
  end(): Promise<void>
}

const SICKNESSES = ['a full disk', 'a file that may only be read', 'a file that another process holds'] as const
type SicknessName = (typeof SICKNESSES)[number]

interface SickTestApi extends TestApi {
  readonly sickness: Sickness
  /** The calls to the bank: the operation and the platform's id. */
  readonly asked: readonly (readonly [operation: string, txid: string])[]
  /** Has the sickness begin as soon as the bank has done what it is asked next, before that is recorded here. */
  beginAfterBank(): void
}

/** A process of its own that holds the file when it is told to. */
const holderOf = (t: ExecutionContext, path: string): Sickness => {
  let child: ChildProcess | null = null
  const tell = async (word: string): Promise<void> => {
    child ??= spawn(process.execPath, [await bundleOf(HOLDER), path], { stdio: ['pipe', 'pipe', 'inherit'] })
    const { stdin, stdout } = child
    if (!stdin || !stdout) throw new Error('the holder has no pipes')
    const lines = createInterface({ input: stdout })
    const done = new Promise<void>((resolve) => lines.once('line', () => resolve()))
    stdin.write(`${word}\n`)
    await done
    lines.close()
  }
  t.teardown(() => child?.kill('SIGKILL'))
  return { begin: () => tell('hold'), end: () => tell('let go') }
}

/** The payments app on a SQLite file, and one way in which the file fails it. */
const sickTestApi = async (t: ExecutionContext, name: SicknessName): Promise<SickTestApi> => {
  const { path, remove } = await someFile()
  let database: Database | null = null
  const say = async (sql: string) => (database as Database | null)?.prepare(sql).get()
  const openFile = async (file: string): Promise<Database> => {
    database = await openDatabase(file)
    return database
  }
  const sicknesses: Readonly<Record<SicknessName, () => Sickness>> = {
    'a full disk': () => ({
      begin: async () => {
        const pages = Number((await say('PRAGMA page_count'))?.page_count)
        await say(`PRAGMA max_page_count = ${pages}`)
      },
      end: async () => void (await say(`PRAGMA max_page_count = ${PLENTY_OF_PAGES}`)),
    }),
    'a file that may only be read': () => ({
      begin: async () => void (await say('PRAGMA query_only = 1')),
      end: async () => void (await say('PRAGMA query_only = 0')),
    }),
    'a file that another process holds': () => holderOf(t, path),
  }
  t.teardown(remove)
  const sickness = sicknesses[name]()
  const asked: [string, string][] = []
  let isNext = false
  const watched = ({ store, ids, clock, random }: Host): { readonly bank: Bank } => {
    const bank = fakeBank({ store, ids, clock, random })
    const { payOuts, refunds } = bank
    if (!payOuts || !refunds) throw new Error('the embedded bank has money leave')
    /** Does what the bank is asked for, and may be the last that the store bears. */
    const orders = async <T>(operation: string, id: string, does: () => Promise<T>): Promise<T> => {
      asked.push([operation, id])
      const answer = await does()
      if (isNext) await sickness.begin()
      isNext = false
      return answer
    }
    const finds = <T>(id: string, does: () => Promise<T>): Promise<T> => {
      asked.push(['find', id])
      return does()
    }
    return {
      bank: {
        ...bank,
        createTitle: (order) => orders('create', order.txid, () => bank.createTitle(order)),
        findTitle: (txid) => finds(txid, () => bank.findTitle(txid)),
        payOuts: {
          ...payOuts,
          payOut: (order) => orders('pay out', order.id, () => payOuts.payOut(order)),
          findPayOut: (id) => finds(id, () => payOuts.findPayOut(id)),
        },
        refunds: {
          refund: (order) => orders('give back', order.id, () => refunds.refund(order)),
          findRefund: (order) => finds(order.id, () => refunds.findRefund(order)),
        },
      },
    }
  }
  const api = await openTestApi(t, {
    instead: watched,
    open: (_url, collections) => sqliteStore(path, collections, { open: openFile, busyWaitMs: BUSY_WAIT_MS }),
  })
  const beginAfterBank = () => {
    isNext = true
  }
  return { ...api, sickness, asked, beginAfterBank }
}

const ROUNDS = FULL ? 10 : 1
const AT_ONCE = 6
/** Longer than a key's intent is leased. */
const LEASE_SECONDS = 121

const BUSY = {
  code: 503,
  success: false,
  message: 'Serviço temporariamente indisponível. Tente novamente em instantes.',
  error_code: 'store.unavailable',
}

const isRefused = (t: ExecutionContext, { status, headers, body, text }: Answer, about: string) => {
  t.is(status, 503, `${about}: ${text}`)
  t.deepEqual(body, BUSY, about)
  t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/, about)
}

/** Long enough that a few of them need another page. */
const description = 'á'.repeat(250)

const issue = (api: TestApi, { token }: Merchant, key: string) =>
  api.ask('POST', '/invoices', { token, body: { ...MARIA, description }, headers: { 'idempotency-key': key } })

/** Writes of every kind but charges, by name. */
const writes = (api: TestApi, { token, email }: Merchant): Readonly<Record<string, () => Promise<Answer>>> => ({
  register: () => {
    const person = { name: 'Zé', email: 'ze@example.com', password: PASSWORD, password_confirmation: PASSWORD }
    return api.ask('POST', '/v1/auth/register', { body: person })
  },
  'log in': () => api.ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } }),
  client: () => {
    const body = { name: 'Bia', email: 'bia@example.com', document: '529.982.247-25', type: 'individual' }
    return api.ask('POST', '/v1/clients', { token, body })
  },
})

const reads = async (api: TestApi, { token }: Merchant): Promise<readonly (readonly [number, unknown])[]> => {
  const targets = ['/invoices/1', '/invoices', '/consolidation/balance', '/v1/clients', '/access/account']
  const answers = await Promise.all(targets.map((target) => api.ask('GET', target, { token })))
  return answers.map(({ status, body }) => [status, body] as const)
}

/** Runs the worker while writes fail: it does nothing or reports that the store is unavailable. */
const tryToWork = async (t: ExecutionContext, api: TestApi) => {
  try {
    await api.drain()
  } catch (error) {
    t.true(error instanceof StoreUnavailable, `${error}`)
  }
}

/** One charge for each key, with its title; the money that was paid is where it belongs, and nothing else is. */
const isWhole = async (t: ExecutionContext, api: SickTestApi, ids: readonly number[], paid: readonly string[]) => {
  await api.drain()
  const kept = await api.every(charges)
  t.deepEqual(
    kept.map(({ id }) => id).sort((a, b) => a - b),
    [...ids].sort((a, b) => a - b),
  )
  t.deepEqual(
    kept.filter(({ operationId, pix }) => operationId !== null || pix === null),
    [],
  )
  t.deepEqual((await api.every(titles)).map(({ id }) => id).sort(), kept.map(({ txid }) => txid).sort())
  const payments = paid.map((endToEndId) => ({ endToEndId, valueCents: 15_050 }))
  t.deepEqual(await faultsOf(api.host.store, payments), [])
}

/** A file that another process holds is let go of again: who takes requests away from us would gain nothing. */
const HELD: SicknessName = 'a file that another process holds'

const isHealthy = async (t: ExecutionContext, api: TestApi, is: boolean) => {
  const answer = await api.ask('GET', '/health')
  if (is) t.like(answer, { status: 200, body: { status: 'ok' } })
  else isRefused(t, answer, '/health')
}

for (const name of SICKNESSES)
  test(`${name}: writes are 503 and leave nothing, reads go on, and all is as it was once it is over`, async (t) => {
    const api = await sickTestApi(t, name)
    const merchant = await api.merchant()
    const first = await api.charge(merchant)
    const ids: number[] = [first.id]
    const paid: string[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const keys = Array.from({ length: AT_ONCE }, (_, index) => `${round}/${index}`)
      const before = await api.everything()
      const shown = await reads(api, merchant)
      await api.sickness.begin()
      const answers: Answer[] = []
      // A page on a full disk may have room for a small record.
      for (let tries = 0; tries < 50 && answers.every(({ status }) => status !== 503); tries += 1)
        answers.push(...(await Promise.all(keys.map((key) => issue(api, merchant, `${key}/${tries}`)))))
      const done = answers.filter(({ status }) => status === 200)
      for (const answer of answers.filter((each) => !done.includes(each))) isRefused(t, answer, `round ${round}`)
      t.true(done.length < answers.length)
      ids.push(...done.map(({ body }) => body.data.id))
      if (name !== 'a full disk') {
        for (const [about, write] of Object.entries(writes(api, merchant))) isRefused(t, await write(), about)
        isRefused(t, await api.pay(first.pix.txid), 'pay')
        t.deepEqual(await api.everything(), before)
        t.deepEqual(await reads(api, merchant), shown)
      }
      t.deepEqual(
        (await reads(api, merchant)).map(([status]) => status),
        shown.map(([status]) => status),
      )
      await tryToWork(t, api)
      await isHealthy(t, api, name === HELD)
      await api.host.store.probe()
      await isHealthy(t, api, name === HELD)

      await api.sickness.end()
      // No write was tried again yet.
      await isHealthy(t, api, name === HELD)
      await api.host.store.probe()
      await isHealthy(t, api, true)
      t.deepEqual(await api.every(writeProbes), [])
      // A key whose intent was recorded is its own until the lease has run out.
      api.clock.advance(LEASE_SECONDS)
      for (let index = 0; index < answers.length; index += 1) {
        if (answers[index]?.status === 200) continue
        const repeat = await issue(api, merchant, `${keys[index % AT_ONCE]}/${Math.floor(index / AT_ONCE)}`)
        t.is(repeat.status, 200, `round ${round}: ${repeat.text}`)
        ids.push(repeat.body.data.id)
      }
      const payment = await api.pay(first.pix.txid)
      t.is(payment.status, 200, payment.text)
      paid.push(payment.body.end_to_end_id)
    }
    await isWhole(t, api, ids, paid)
    for (const [about, write] of Object.entries(writes(api, merchant))) t.true((await write()).status < 300, about)
  })

for (const name of SICKNESSES)
  test(`${name}, between what the bank did and what is recorded of it: 503, and a repeat finishes it`, async (t) => {
    const api = await sickTestApi(t, name)
    const merchant = await api.merchant()
    const ids: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = api.asked.length
      api.beginAfterBank()
      const answer = await issue(api, merchant, `${round}`)
      await api.sickness.end()
      // The last page of a full disk may have had room for it.
      if (answer.status !== 200) {
        isRefused(t, answer, `round ${round}`)
        const left = (await api.every(charges)).at(-1)
        t.like(left, { status: 'pending', operationId: left?.txid, pix: null })
        t.is((await issue(api, merchant, `${round}`)).status, 409)
      } else t.is(name, 'a full disk')
      api.clock.advance(LEASE_SECONDS)
      const repeat = await issue(api, merchant, `${round}`)
      t.is(repeat.status, 200, repeat.text)
      ids.push(repeat.body.data.id)
      // The bank is asked by the same id, and what it knows is not sent again.
      const asked = api.asked.slice(before)
      t.deepEqual(
        asked.map(([operation]) => operation),
        answer.status === 200 ? ['create'] : ['create', 'find'],
      )
      t.is(new Set(asked.map(([, txid]) => txid)).size, 1)
    }
    await isWhole(t, api, ids, [])
  })

const REAIS = 1_000

/** Ways in which money leaves, each with what the bank is asked for it. */
const LEAVING = {
  'pay out': (api: TestApi, { token }: Merchant, key: string) =>
    api.ask('POST', '/legacypay/pix-out/dataBank', {
      token,
      body: payOutBody({ key, valueCents: 100, account: `${key}-1` }),
      headers: { 'idempotency-key': key },
    }),
  'give back': (api: TestApi, { token }: Merchant, key: string) =>
    api.ask('POST', '/invoices/1/refund', {
      token,
      body: { value: 1, reason: key },
      headers: { 'idempotency-key': key },
    }),
} as const

for (const name of SICKNESSES)
  for (const [operation, leave] of Object.entries(LEAVING))
    test(`${name}, between what the bank did (${operation}) and what is recorded of it: 503, it stays reserved, and leaves once`, async (t) => {
      const api = await sickTestApi(t, name)
      const merchant = await api.fund(await api.merchant(), REAIS)
      for (let round = 1; round <= ROUNDS; round += 1) {
        const before = api.asked.length
        api.beginAfterBank()
        const answer = await leave(api, merchant, `${round}`)
        await api.sickness.end()
        // A full disk may have room for a little: for all of it, or for no more than that it is under way.
        const isUnderWay = answer.status === 202
        if (answer.status === 200 || isUnderWay) t.is(name, 'a full disk')
        else {
          isRefused(t, answer, `round ${round}`)
          t.is((await leave(api, merchant, `${round}`)).status, 409)
        }
        const [book] = await api.every(ledgerAccounts)
        t.is(book?.availableCents, (REAIS - round) * 100, 'what is on its way is not there to be spent')
        api.clock.advance(LEASE_SECONDS)
        // An answered request is answered again, and the worker finishes it.
        if (isUnderWay) await api.drain()
        const repeat = await leave(api, merchant, `${round}`)
        t.is(repeat.status, isUnderWay ? 202 : 200, repeat.text)
        // The bank is asked by the same id, and what it knows is not sent again; nor asked for where that was still recorded.
        const asked = api.asked.slice(before)
        const [sent, ...others] = asked.map(([each]) => each)
        t.is(sent, operation)
        t.true(others.every((each) => each === 'find') && others.length <= 1, `${others}`)
        if (name !== 'a full disk') t.is(others.length, 1)
        t.is(new Set(asked.map(([, id]) => id)).size, 1)
        t.is((await api.every(ledgerAccounts))[0]?.balanceCents, (REAIS - round) * 100)
      }
      await api.drain()
      t.deepEqual(await moneyFaults(api.host.store), [])
      const [paid] = await api.every(bankPayments)
      t.deepEqual(
        await faultsOf(api.host.store, paid ? [{ endToEndId: paid.id, valueCents: paid.valueCents }] : []),
        [],
      )
    })
