import type { ExecutionContext } from 'ava'
import { fakeAcquirerConsole } from '../../../../adapters/bank/fake/acquirer.ts'
import { payments as bankPayments } from '../../../../adapters/bank/fake/books.ts'
import { fakeBankConsole } from '../../../../adapters/bank/fake/console.ts'
import { scryptHasher } from '../../../../adapters/crypto/hasher.ts'
import { portsOf } from '../../../../apps/bank/payments-ports.ts'
import { mount } from '../../../../apps/http/mount.ts'
import { serve } from '../../../../apps/http/server.ts'
import type { Log } from '../../../../apps/http/telemetry.ts'
import { authSchemesOf } from '../../../../apps/payments/api.ts'
import { fakeBankRows } from '../../../../apps/payments/bank.ts'
import { dialects } from '../../../../apps/payments/dialects.ts'
import { messages } from '../../../../apps/payments/messages.ts'
import { rows } from '../../../../apps/payments/rows.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { payments } from '../../../../core/payments/payments.ts'
import { openings } from '../../../../core/payments/registrations/opening.ts'
import { registrations } from '../../../../core/payments/registrations/registration.ts'
import { transfers } from '../../../../core/payments/transfers/transfer.ts'
import { repliesFirstSuite, type Writing, withFailingReply } from '../../rows/replies-first.ts'
import { wireTo } from '../../rows/wire.ts'
import type { TestApi } from '../test-api.ts'
import { paymentsRows } from './payments-rows.ts'

/** Longer than any lease. */
const LATER_SECONDS = 600
const PUBLIC_URL = 'https://pay.example.com'
const silent: Log = { request: () => {}, failure: () => {}, warn: () => {}, error: () => {}, info: () => {} }

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
    rows: [...rows, ...fakeBankRows(fakeBankConsole(ports, core.bank), fakeAcquirerConsole(ports, core.cards))].map(
      withFailingReply,
    ),
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

/** What the bank has paid is recorded by itself, so that no answer that cannot be given leaves it out of the books. */
const PAID_OUT = [
  'fake-bank.payouts',
  ...ours(['bank-operations', 'books', 'entries', 'events', 'journals', 'paid-parties', 'pay-out-sums']),
  ...ours(['recipients', 'sent-withdrawals', 'withdrawals']),
]
const PAID_BY_LINK = [
  'fake-bank.titles',
  ...ours(['bank-operations', 'bounded-counts', 'charges', 'clients', 'link-payers', 'links']),
]

/**
 * What is written although there is no answer: an intent, which is committed before the bank is asked and which the worker
 * carries on, and what the bank has in its own books by then. What came of it is not there.
 */
const intents: Writing<TestApi>['intents'] = {
  'organizations.create': ['fake-bank.accounts', ...ours(['bank-operations', 'claims', 'openings'])],
  // Each look-up is counted before the bank is asked.
  'recipients.start': ours(['bounded-counts']),
  'legacy-withdrawals.look-up': ours(['bounded-counts']),
  'charges.issue': ['fake-bank.titles', ...ours(['bank-operations', 'charges', 'clients'])],
  'instant-pix.create': ['fake-bank.titles', ...ours(['bank-operations', 'charges', 'clients', 'events'])],
  // Each of its charges is answered by the bank, and told of, by itself.
  'charges.issue-with-plan': ['fake-bank.titles', ...ours(['bank-operations', 'charges', 'clients', 'events'])],
  'checkout.pay': PAID_BY_LINK,
  // A form is paid by a member of the facade, which answers its key: what came of it is there before the page is.
  'checkout.pay-by-page': [...PAID_BY_LINK, ...ours(['events'])].toSorted(),
  'charges.delete': ['fake-bank.titles', ...ours(['bank-operations', 'charges'])],
  'charges.refund': [
    'fake-bank.payments',
    'fake-bank.refunds',
    ...ours(['bank-operations', 'books', 'refundable-pix', 'refunds']),
  ],
  'pix.withdraw': [...PAID_OUT, ...ours(['bounded-counts'])],
  'pix.withdraw-bank': PAID_OUT,
  'legacy-withdrawals.confirm': [...PAID_OUT, ...ours(['bounded-counts'])],
  'legacy-withdrawals.pay-account': PAID_OUT,
  'legacy-withdrawals.saida-sicred': [...PAID_OUT, ...ours(['bounded-counts'])],
  'legacy-withdrawals.data-bank': PAID_OUT,
  // The money is reserved, and neither account has a line of it.
  'transfers.send': [
    'fake-bank.payouts',
    ...ours(['bank-operations', 'books', 'pay-out-sums', 'sent-transfers', 'transfers']),
  ],
  'registrations.images': ['fake-bank.accounts', ...ours(['bank-operations', 'files', 'registrations'])],
  // Here the bank's word is recorded for whoever asked for the account; what the request itself comes to is a session.
  'registrations.full': [
    'fake-bank.accounts',
    ...ours(['bank-operations', 'claims', 'mails', 'registrations', ...OPENED]),
  ],
  // The bank's books are not ours, and what it tells the platform is no part of what its console answers.
  'fake-bank.pay': ['fake-bank.payments', ...ours(POSTED)],
}

/** Rows that are asked by POST and write nothing. */
const looks = ['public.boletos-search', 'simulations.payment', 'statistics.read', 'legacy-withdrawals.boleto']

/** For rows whose example leaves them nothing to write. */
const more: Writing<TestApi>['more'] = {
  'manager-users.update': async (_, sent) => ({ ...sent, body: { ...sent.body, name: 'Outro nome' } }),
  'notifications.remove-read': async (api, sent) => {
    const { token = '' } = sent
    await api.ask('PUT', '/access/auth/notifications/mark-all-read', { token })
    return sent
  },
}

const settled = async (t: ExecutionContext, api: TestApi): Promise<void> => {
  api.clock.advance(LATER_SECONDS)
  await api.drain()
  t.deepEqual(await api.every(openings), [])
  t.deepEqual([...new Set((await api.every(charges)).map(({ operationId }) => operationId))], [null])
  t.false((await api.every(registrations)).some(({ state }) => state === 'UNDER_REVIEW'))
  t.false((await api.every(transfers)).some(({ status }) => status === 'pending'))
  t.false((await api.every(bankPayments)).some(({ dueAt }) => dueAt !== null))
}

repliesFirstSuite(paymentsRows, {
  openFailing: openSpeechless,
  intents,
  readOnly: looks,
  more,
  // It makes the bank fail.
  last: 'fake-bank.fail',
  settled,
})
