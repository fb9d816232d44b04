import test, { type ExecutionContext } from 'ava'
import { payments as bankPayments } from '../../../adapters/bank/fake/books.ts'
import { fakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { mount } from '../../../apps/http/mount.ts'
import type { AnyReply } from '../../../apps/http/replies/reply.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { serve } from '../../../apps/http/serve.ts'
import type { Log } from '../../../apps/http/telemetry/log.ts'
import { portsOf } from '../../../apps/payments/app.ts'
import { authSchemesOf } from '../../../apps/payments/auth-schemes.ts'
import { fakeBankRows } from '../../../apps/payments/bank/fake-bank.ts'
import { dialects } from '../../../apps/payments/dialects.ts'
import { messages } from '../../../apps/payments/messages/catalogue.ts'
import { rows as paymentsRows } from '../../../apps/payments/rows.ts'
import { idempotencyKeys } from '../../../core/office/keys/key-record.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { payments } from '../../../core/payments/payments.ts'
import { openings } from '../../../core/payments/registrations/opening/opening.ts'
import { registrations } from '../../../core/payments/registrations/registration.ts'
import type { TestApi } from '../payments/test-api.ts'
import { dumpOf, writtenBetween } from './dump.ts'
import { openRows } from './open-rows.ts'
import { askAt, type Place, type Prepared, placesOf, prepare, rows } from './places.ts'
import { wireTo } from './wire.ts'

/** Longer than any lease. */
const LATER_SECONDS = 600
const PUBLIC_URL = 'https://pay.example.com'
const silent: Log = { request: () => {}, failure: () => {}, warn: () => {}, info: () => {} }

const speechless = (row: AnyRow): AnyRow => {
  const encode = (): never => {
    throw new TypeError('no words for it')
  }
  return { ...row, reply: { ...row.reply, encode } as AnyReply }
}

/** A second process on the store of a api, which does everything and has words for nothing. */
const openSpeechless = async (t: ExecutionContext, api: TestApi): Promise<TestApi> => {
  const ports = await portsOf(api.host, PUBLIC_URL, silent)
  const core = payments({ ...ports, hasher: scryptHasher({ logN: 8 }) })
  const mounted = mount({
    ...ports,
    name: 'payments',
    title: 'Pagamentos',
    version: '0',
    core,
    authSchemes: authSchemesOf(core),
    rows: [...paymentsRows, ...fakeBankRows(fakeBankConsole(ports, core.bank))].map(speechless),
    dialects,
    defaultDialect: 'envelope',
    messages,
    log: silent,
    corsOrigins: [],
    trustProxy: false,
    publicUrl: PUBLIC_URL,
  })
  const serving = await serve(mounted, { host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await serving.stop()
    await ports.close()
  })
  return { ...api, url: serving.url, wire: wireTo(t, serving) }
}

const OPENED = ['accounts', 'audit', 'audit-chains', 'books', 'memberships', 'users'] as const
const POSTED = ['books', 'charges', 'claims', 'entries', 'events', 'journals'] as const
const ours = (names: readonly string[]): readonly string[] => names.map((name) => `payments.${name}`)

/**
 * What is written although there is no answer: an intent, which is committed before the bank is asked and which the worker
 * carries on, and what the bank has in its own books by then. What came of it is not there.
 */
const INTENTS: Readonly<Record<string, readonly string[]>> = {
  'organizations.create': ['fake-bank.accounts', ...ours(['bank-operations', 'claims', 'openings'])],
  'charges.issue': ['fake-bank.titles', ...ours(['bank-operations', 'charges', 'clients'])],
  'registrations.images': ['fake-bank.accounts', ...ours(['bank-operations', 'files', 'registrations'])],
  // Here the bank's word is recorded for whoever asked for the account; what the request itself comes to is a session.
  'registrations.full': [
    'fake-bank.accounts',
    ...ours(['bank-operations', 'claims', 'mails', 'registrations', ...OPENED]),
  ],
  // The bank's books are not ours, and what it tells the platform is no part of what its console answers.
  'fake-bank.pay': ['fake-bank.payments', ...ours(POSTED)],
}

/** For rows whose example leaves them nothing to write. */
const MORE: Readonly<Record<string, (api: TestApi, sent: Prepared) => Promise<Prepared>>> = {
  'manager-users.update': async (_, sent) => ({ ...sent, body: { ...sent.body, name: 'Outro nome' } }),
  'notifications.remove-read': async (api, sent) => {
    const { token = '' } = sent
    await api.ask('PUT', '/access/auth/notifications/mark-all-read', { token })
    return sent
  },
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const places = rows
  .flatMap((row) => placesOf(row).filter(({ method, path }) => WRITES.has(method) && path === row.paths[0]))
  // What makes the bank fail comes last.
  .toSorted((a, b) => Number(a.row.name === 'fake-bank.fail') - Number(b.row.name === 'fake-bank.fail'))

/** Collections of what was written between two dumps. */
const collectionsOf = (written: readonly string[]): readonly string[] =>
  [...new Set(written.map((line) => line.split('/')[0] ?? ''))].sort()

/** A row that is asked what it has no words for, and then, where nothing came of that, what it has. */
const tried = async (api: TestApi, mute: TestApi, place: Place, headers: Readonly<Record<string, string>>) => {
  const usual = await prepare(api, place)
  await api.drain()
  const sent = (await MORE[place.row.name]?.(api, usual)) ?? usual
  const asked = async (whom: TestApi) => {
    const before = await dumpOf(api)
    const { status } = await askAt(whom, place, sent, { headers })
    return { status, written: collectionsOf(writtenBetween(before, await dumpOf(api))) }
  }
  const first = await asked(mute)
  return { first, again: Object.hasOwn(INTENTS, place.row.name) ? null : await asked(api) }
}

test.serial('whatever writes makes its answer before its commit: where there is none, nothing was done', async (t) => {
  t.timeout(300_000)
  const api = await openRows(t, 'drawing')
  const mute = await openSpeechless(t, api)
  const busy = new Set(Object.keys(INTENTS))
  for (const place of places) {
    const { name, reply } = place.row
    for (const key of place.method === 'POST' ? [null, `${place.path}: uma vez`] : [null]) {
      const about = `${name} ${place.method}${key === null ? '' : ' by key'}`
      const { first, again } = await tried(api, mute, place, key === null ? {} : { 'idempotency-key': key })
      t.is(first.status, 500, about)
      // The key of an intent says that it runs.
      const own = first.written.filter(
        (collection) => key === null || again !== null || collection !== idempotencyKeys.name,
      )
      t.deepEqual(own, [...(INTENTS[name] ?? [])].sort(), about)
      if (again === null) continue
      t.is(again.status, reply.doc.status, about)
      if (again.written.some((collection) => collection !== idempotencyKeys.name)) busy.add(name)
    }
  }
  t.deepEqual(
    places.flatMap(({ row: { name } }) => (busy.has(name) ? [] : [name])),
    [],
    'every row had something to write',
  )

  api.clock.advance(LATER_SECONDS)
  await api.drain()
  t.deepEqual(await api.every(openings), [])
  t.deepEqual([...new Set((await api.every(charges)).map(({ operationId }) => operationId))], [null])
  t.false((await api.every(registrations)).some(({ state }) => state === 'UNDER_REVIEW'))
  t.false((await api.every(bankPayments)).some(({ dueAt }) => dueAt !== null))
})
