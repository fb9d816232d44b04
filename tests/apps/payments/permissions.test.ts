import test from 'ava'
import { rows } from '../../../apps/payments/catalogue.ts'

/** The rows of each permission. The generated tests of roles take the permission from the row. */
const ROWS: Readonly<Record<string, string>> = {
  'account:write': `
    account-settings.audit account-settings.change-second-factor account-settings.replace-key account-settings.secrets
    account.set-pin account.update api-keys.create api-keys.list api-keys.revoke api-keys.rotate api-keys.show
    api-keys.update clients.erase organizations.remove organizations.update split-receivers.create split-receivers.revoke
    users.erase users.personal-data`,
  'charges:read': `
    account-settings.preview-message charges.download-pdf charges.export charges.history charges.list charges.payments
    charges.show charges.summary charges.terms groups.list groups.show instant-pix.list instant-pix.ok instant-pix.open-code instant-pix.show
    plans.list plans.show reports.charges`,
  'charges:write': `
    charges.amount-due charges.delete charges.issue charges.issue-with-plan charges.mail charges.notify charges.notify-many
    charges.refund charges.simulate-payment charges.update groups.create groups.remove groups.update
    instant-pix.create plans.create plans.remove plans.update simulations.payment webhook-notifications.replay`,
  'clients:read': `
    clients.list clients.personal-data clients.show legacy-clients.list legacy-clients.show`,
  'clients:write': `
    clients.create clients.remove clients.update legacy-clients.create legacy-clients.remove
    legacy-clients.update`,
  'links:read': `
    links.list links.paid-payments links.payments links.show`,
  'links:write': `
    links.create links.pause links.remove links.resume links.update`,
  'statements:read': `
    balances.show card-sales.balance card-sales.entries card-sales.list card-sales.summary consolidation.balance
    consolidation.balance-days consolidation.balance-summary consolidation.export-statement
    consolidation.export-transactions consolidation.extract consolidation.grouped-by-method
    consolidation.methods-payment consolidation.sales-chart consolidation.sales-per-month
    consolidation.settlement consolidation.statement-detailed consolidation.totals consolidation.transaction
    consolidation.transaction-pdf consolidation.transaction-types consolidation.transactions
    consolidation.transactions-extract consolidation.transactions-linked consolidation.transactions-summed
    consolidation.v2-transaction-pdf extracts.by-day extracts.by-method extracts.by-type extracts.confirmed
    extracts.list extracts.show extracts.statement statistics.boletos statistics.read`,
  'users:read': `
    api-tokens.list api-tokens.show manager-users.list manager-users.show users.list users.show`,
  'users:write': `
    api-tokens.create api-tokens.remove api-tokens.update manager-users.create manager-users.remove
    manager-users.update users.create users.remove users.reset-second-factor users.update`,
  'withdrawals:read': `
    account-settings.limits legacy-recipients.frequent legacy-recipients.list legacy-recipients.show legacy-withdrawals.list
    legacy-withdrawals.show recipients.frequent recipients.list recipients.show`,
  'withdrawals:write': `
    card-sales.withdraw legacy-withdrawals.boleto legacy-withdrawals.confirm legacy-withdrawals.data-bank
    legacy-withdrawals.look-up legacy-withdrawals.pay-account legacy-withdrawals.saida-sicred pix.withdraw
    pix.withdraw-bank recipients.add recipients.remove recipients.start transfers.send`,
}

test('each row requires its permission', (t) => {
  const namesOf = (permission: string) => rows.filter((row) => row.permission === permission).map(({ name }) => name)
  for (const [permission, names] of Object.entries(ROWS))
    t.deepEqual(namesOf(permission).sort(), names.trim().split(/\s+/), permission)
  t.deepEqual(
    rows.flatMap(({ name, permission = 'none' }) => (permission === 'none' || permission in ROWS ? [] : [name])),
    [],
  )
})

test('only these rows of an account are read by every role', (t) => {
  const inAccount: ReadonlySet<unknown> = new Set(['account', 'organization', 'pathOrganization'])
  const open = rows.filter(({ auth, permission }) => inAccount.has(auth) && permission === undefined)
  t.deepEqual(open.map(({ name, methods }) => `${methods} ${name}`).sort(), [
    'GET account-settings.access',
    'GET account-settings.second-factor',
    'GET account-settings.show',
    'GET account.show',
    'GET legacy-auth.me',
    'GET organizations.show',
    'GET roles.list',
    'GET split-receivers.list',
    'GET split-receivers.show',
    'GET webhook-notifications.list',
    'GET webhook-notifications.show',
  ])
})
