import test from 'ava'
import { eq, insert } from '../../../core/kernel/records/record.ts'
import { newestQuery } from '../../../core/kernel/running/slices.ts'
import { entriesAfter } from '../../../core/office/audit.ts'
import { sweepJob, sweepsOf } from '../../../core/office/worker.ts'
import { aliveSessions, surplusSession } from '../../../core/payments/access/session.ts'
import { otherMembership } from '../../../core/payments/access/team-changes.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { bankByCode } from '../../../core/payments/banks.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { expiryJob } from '../../../core/payments/charges/end.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { PAYMENT_TYPE_IDS, postedPayments } from '../../../core/payments/ledger/ledger.ts'
import { adminsOf, allMemberships, newestMemberships, teamOf } from '../../../core/payments/members/membership.ts'
import { audit } from '../../../core/payments/office.ts'
import { parts, payments, paymentsCollections } from '../../../core/payments/payments.ts'
import { ADMIN } from '../../../core/payments/payments-ports.ts'
import { dueOnDay, mailsOf, messagesOf } from '../../../core/payments/reminders/remind-payers.ts'
import { failing } from '../kernel/running/tasks.ts'
import { openSqlite, recording } from '../observed-store.ts'
import { anAccount } from './records.ts'
import { NOW, openPayments } from './world.ts'

const ofAccount = (accountId: number) => ({
  from: clients,
  where: eq<'accountId'>('accountId', accountId),
  when: 'live',
})

const PAGE = { page: 3, perPage: 15 }
const ACTOR = { userId: 1, accountId: 1 }

test('reads people, accounts and their lists by an index in its order', async (t) => {
  const store = await openSqlite(t, paymentsCollections)
  const { asked, recorded } = recording(store)
  const { ports } = openPayments({ store: recorded })
  const pay = payments(ports)
  for (const kind of ['people', 'programs'] as const) {
    await pay.team.listMemberships(ACTOR, kind, PAGE)()
    await pay.team.listMemberships(ACTOR, kind, { ...PAGE, search: 'ana', roleId: 3, status: 1 })()
  }
  await pay.team.list(ACTOR, PAGE)()
  await pay.clients.list(ACTOR, PAGE)()
  const few = { type: 'company', gender: 'male', status: 'ACTIVE' }
  const days = { from: '2026-11-01', to: '2026-11-30' }
  await pay.clients.list(ACTOR, PAGE, { where: few })()
  for (const field of ['createdAt', 'updatedAt', 'birthdate'])
    await pay.clients.list(ACTOR, PAGE, { search: 'ana', where: few, within: { [field]: days } })()
  await pay.groups.list(ACTOR, PAGE, { search: 'turma' })()
  await pay.plans.list(ACTOR, PAGE)()
  for (const groupBy of ['days', 'months'] as const) await pay.reports.charges(ACTOR, { ...days, groupBy })()
  const account = anAccount()
  await store.commit([insert(accounts, account)])
  await pay.diagnostics.tallyByBank({ ...days, bankId: bankByCode(account.bankCode)?.id ?? 0 })()
  t.deepEqual(
    asked.slice(-2).map((ask) => ask.kind !== 'find' && [ask.kind, ask.from.name]),
    [
      ['list', 'payments.accounts'],
      ['group', 'payments.charges'],
    ],
  )
  for (const unreadOnly of [true, false]) await pay.notifications.list(ACTOR, { ...PAGE, unreadOnly })()
  await pay.notifications.countUnread(ACTOR)()
  for (const permissions of [ADMIN.permissions, ['charges:read'] as const])
    for (const between of [{}, { from: '2026-11-01', to: '2026-11-30' }])
      await pay.webhooks.listDeliveries({ ...ACTOR, permissions }, { ...PAGE, ...between })()
  await otherMembership(ports.store, 1, 1)
  for (const ask of [newestMemberships(1, 20), allMemberships(1), teamOf(1), adminsOf(1)]) await ports.store.list(ask)
  await ports.store.list(aliveSessions(1))
  for (const kind of ['sign-in', 'API key'] as const) await ports.store.list(surplusSession(1, kind))
  await ports.store.list(entriesAfter(audit, 'account:1', 7))
  await ports.store.list(dueOnDay(1, '2026-11-23', 7, 50))
  for (const account of [null, 1])
    await ports.store.list(postedPayments('E01181521202611231305ABCDEFGHIJK', PAYMENT_TYPE_IDS, account))
  await ports.store.list(newestQuery(ofAccount(1)))
  await ports.store.list(newestQuery(ofAccount(1), { id: 7, createdAt: NOW }))

  const slice = { steady: NOW, cursor: JSON.stringify([NOW, 7]), report: failing }
  const swept = JSON.stringify(
    Object.fromEntries(sweepsOf(parts, ports).map(({ name }) => [name, JSON.stringify([NOW, '7'])])),
  )
  await expiryJob(ports).run(slice)
  await sweepJob(ports, sweepsOf(parts, ports)).run({ ...slice, cursor: swept })

  t.true(asked.length > 20)
  for (const ask of asked) {
    const plan = await store.explain(ask)
    t.regex(plan, /USING (COVERING )?INDEX|tally/, JSON.stringify(ask))
    if ('from' in ask && ask.from === charges)
      t.regex(
        plan,
        ask.kind === 'group'
          ? /SEARCH payments\.charges_tally_\d USING PRIMARY KEY \(b_accountId=\? AND b_dueDate>\? AND b_dueDate<\?\)/
          : /\((f_accountId=\? AND f_dueDate=\? AND (row)?id>\?|f_lapsesAt>\? AND f_lapsesAt<\?)\)/,
      )
    t.notRegex(plan, /TEMP B-TREE FOR ORDER|SCAN payments/, `${plan} ${JSON.stringify(ask)}`)
  }
  for (const ask of [mailsOf(['7|on_due|2026-11-23|email', 'x']), messagesOf(['x', 'y'])]) {
    const plan = await store.explain(ask)
    t.regex(plan, /SEARCH payments\.(mails|messages) USING INDEX sqlite_autoindex_\S+ \(id=\?\)/)
  }
})
