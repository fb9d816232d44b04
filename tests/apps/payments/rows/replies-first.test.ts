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
import { rows } from '../../../../apps/payments/catalogue.ts'
import { dialects } from '../../../../apps/payments/dialects.ts'
import { messages } from '../../../../apps/payments/messages.ts'
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

/** Opens a second process on the store of an API, which runs every row and cannot encode a reply. */
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

/** Written by the intent of a pay-out. */
const PAY_OUT = [
  'fake-bank.payouts',
  ...ours(['bank-operations', 'books', 'pay-out-sums', 'sent-withdrawals', 'withdrawals']),
]
const PAID_BY_LINK = [
  'fake-bank.titles',
  ...ours(['bank-operations', 'bounded-counts', 'charges', 'clients', 'link-payers', 'links']),
]

/**
 * The collections that a row writes although its reply fails: the intent, which is committed before the bank request
 * and resumed by the worker, and the bank's own books. The outcome is not written.
 */
const intents: Writing<TestApi>['intents'] = {
  'organizations.create': ['fake-bank.accounts', ...ours(['bank-operations', 'claims', 'openings'])],
  // A look-up is counted before the bank request.
  'recipients.start': ours(['bounded-counts']),
  'recipients.add': ours(['bounded-counts']),
  'legacy-withdrawals.look-up': ours(['bounded-counts']),
  'charges.issue': ['fake-bank.titles', ...ours(['bank-operations', 'charges', 'clients'])],
  'instant-pix.create': ['fake-bank.titles', ...ours(['bank-operations', 'charges', 'clients', 'events'])],
  // Each charge of the plan has its own bank request and event.
  'charges.issue-with-plan': ['fake-bank.titles', ...ours(['bank-operations', 'charges', 'clients', 'events'])],
  'checkout.pay': PAID_BY_LINK,
  // The page calls a use case of its own, whose outcome is committed before the page is built.
  'checkout.pay-by-page': [...PAID_BY_LINK, ...ours(['events'])].toSorted(),
  'charges.delete': ['fake-bank.titles', ...ours(['bank-operations', 'charges'])],
  'charges.refund': [
    'fake-bank.payments',
    'fake-bank.refunds',
    ...ours(['bank-operations', 'books', 'refundable-pix', 'refunds']),
  ],
  'pix.withdraw': [...PAY_OUT, ...ours(['bounded-counts'])].toSorted(),
  'pix.withdraw-bank': PAY_OUT,
  'legacy-withdrawals.confirm': [...PAY_OUT, ...ours(['bounded-counts'])].toSorted(),
  'legacy-withdrawals.pay-account': PAY_OUT,
  'legacy-withdrawals.saida-sicred': [...PAY_OUT, ...ours(['bounded-counts'])].toSorted(),
  'legacy-withdrawals.data-bank': PAY_OUT,
  // The amount is reserved, and neither account has an entry.
  'transfers.send': [
    'fake-bank.payouts',
    ...ours(['bank-operations', 'books', 'pay-out-sums', 'sent-transfers', 'transfers']),
  ],
  'registrations.images': ['fake-bank.accounts', ...ours(['bank-operations', 'files', 'registrations'])],
  // The opening is completed for the applicant; the reply itself would add a session.
  'registrations.full': [
    'fake-bank.accounts',
    ...ours(['bank-operations', 'claims', 'mails', 'registrations', ...OPENED]),
  ],
  // The client is closed before its charges are read again; a repeat completes the erasure.
  'clients.erase': ours(['clients']),
  // The first commit closes the account.
  'organizations.remove': ours(['accounts']),
  // The notification of the platform is committed apart from the reply of the bank's console.
  'fake-bank.pay': ['fake-bank.payments', ...ours(POSTED)],
}

/** POST rows that write nothing. */
const looks = [
  'account-settings.preview-message',
  'charges.amount-due',
  'legacy-withdrawals.boleto',
  'public.boletos-search',
  'simulations.payment',
  'statistics.read',
]

/** Preparations of rows whose example changes nothing. */
const more: Writing<TestApi>['more'] = {
  'manager-users.update': async (_, sent) => ({ ...sent, body: { ...sent.body, name: 'Outro nome' } }),
  'notifications.remove-read': async (api, sent) => {
    const { token = '' } = sent
    await api.ask('PUT', '/access/auth/notifications/mark-all-read', { token })
    return sent
  },
}

const settled = async (t: ExecutionContext, api: TestApi): Promise<void> => {
  await api.drain(LATER_SECONDS)
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
  // It makes later bank requests fail.
  last: 'fake-bank.fail',
  settled,
})
