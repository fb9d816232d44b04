import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { decideUpdate, listOrganizations } from '../../../../core/payments/access/organizations.ts'
import { type Account, accounts, newSecrets, shownAccount } from '../../../../core/payments/accounts/account.ts'
import { accountDetail, accountView } from '../../../../core/payments/accounts/views.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { ADMIN, ROLES } from '../../../../core/payments/payments-ports.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { aMembership, anAccount, kindsOf } from '../records.ts'
import { column, failureOf, NOW, openPayments, right, withPerson } from '../world.ts'

/** The view of an account for users other than an ADMIN. */
const shownToOthers = (account: Account) =>
  onWire(accountView, { account: shownAccount(account), secrets: null, logoUrl: null })

const withOrganizations = async (count: number) => {
  const here = await withPerson()
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  await here.ports.store.commit(
    ids.flatMap((id) => {
      const createdAt = new Date(Date.parse(NOW) + id * 1000).toISOString()
      const membership = aMembership({ id, accountId: id, createdAt })
      return [insert(accounts, anAccount({ id, uuid: `uuid-${id}` })), insert(memberships, membership)]
    }),
  )
  return { ...here, caller: () => here.again(here.signedIn.accessToken) }
}

test('lists organizations newest first, all or a page, without removed ones and inactive memberships', async (t) => {
  const { ports, caller } = await withOrganizations(45)
  await ports.store.commit([
    patch(accounts, 45, { set: { removedAt: NOW }, when: always }),
    patch(memberships, 3, { set: { status: 0 }, when: always }),
  ])
  const listing = right(await listOrganizations(ports)(await caller(), null)())
  const ids: number[] = []
  if ('all' in listing) for await (const { id } of listing.all) ids.push(id)
  const expected = Array.from({ length: 44 }, (_, index) => 44 - index).filter((id) => id !== 3)
  t.deepEqual(ids, expected)
  const page = right(await listOrganizations(ports)(await caller(), { page: 2, perPage: 20 })())
  if (!('records' in page)) return t.fail()
  t.deepEqual([page.page, page.perPage, page.total], [2, 20, 43])
  t.deepEqual(column(page.records, 'id'), expected.slice(20, 40))
})

test('lists each organization once if their number is a multiple of the page that is read', async (t) => {
  const { ports, caller } = await withOrganizations(40)
  const page = right(await listOrganizations(ports)(await caller(), { page: 1, perPage: 500 })())
  t.is('records' in page ? page.records.length : null, 40)
})

test('shows the secrets of an account to an ADMIN only', (t) => {
  const { ports, fresh } = openPayments()
  const account = anAccount(newSecrets(ports.cipher, fresh(), 1).sealed)
  for (const { id, permissions } of ROLES) {
    const shown = onWire(accountView, accountDetail(ports, account, { permissions }))
    const isAdmin = id === ADMIN.id
    t.deepEqual([/^[A-Za-z0-9]{40}$/.test(shown.token), /^whsec_/.test(shown.webhook_secret)], [isAdmin, isAdmin])
    if (!isAdmin) t.like(shown, { token: null, webhook_secret: null })
  }
})

test('shows every field of an account, money in reais', (t) => {
  const taxes = {
    pixInCents: 99,
    pixOutCents: 0,
    boletoInCents: 150,
    boletoCents: 1,
    bolepixCents: 0,
    feeHundredths: 349,
  }
  const limits = { ...anAccount().limits, pixOutDailyCents: 100_050 }
  t.deepEqual(shownToOthers(anAccount({ taxes, limits, pinHash: 'hash' })), {
    id: 1,
    code_account: 'A1',
    client_id: null,
    name: 'Padaria',
    email: null,
    document: '11222333000181',
    agency: '0001',
    account: '10-1',
    token: null,
    webhook_secret: null,
    status: { code: 1, title: 'Ativa' },
    webhook_url: null,
    path_logo: null,
    bank: '748',
    bank_id: shownToOthers(anAccount()).bank_id,
    address: null,
    smtp: null,
    notification_rules: null,
    boleto_configs: null,
    taxes: { pix_in: 0.99, pix_out: 0, boleto_in: 1.5, boleto: 0.01, bolepix: 0, fee: 3.49 },
    limits: {
      pix_out_per_transaction: null,
      pix_out_daily: 1000.5,
      pix_out_nightly: null,
      charge_min: null,
      charge_max: null,
    },
    has_pin: true,
    created_at: '2026-11-23T10:05:09-03:00',
    updated_at: '2026-11-23T10:05:09-03:00',
  })
  t.is(typeof shownToOthers(anAccount()).bank_id, 'number')
})

test('shows every blocked status as Bloqueada on legacy', (t) => {
  const titles = (
    ['ACTIVE', 'INACTIVE', 'SUSPENDED', 'DISABLED', 'DISQUALIFIED', 'SOFT_DELETED', 'DELETED'] as const
  ).map((status) => shownToOthers(anAccount({ status })).status)
  t.deepEqual(titles, [
    { code: 1, title: 'Ativa' },
    { code: 2, title: 'Inativa' },
    ...Array.from({ length: 5 }, () => ({ code: 3, title: 'Bloqueada' })),
  ])
})

test('throws on secrets that were sealed for another account', async (t) => {
  const { ports } = openPayments()
  const account = anAccount({ apiKeySealed: ports.cipher.seal('x', 'payments.accounts/2/apiKey') })
  t.throws(() => accountDetail(ports, account, ADMIN))
})

test('moves the claim of a changed document, and rejects a taken one', (t) => {
  const { fresh } = openPayments()
  const account = anAccount()
  const document = '52998224725'
  const decide = (facts: Partial<Parameters<typeof decideUpdate>[0]>, change: Parameters<typeof decideUpdate>[2]) =>
    decideUpdate({ account, claim: null, ...facts }, { userId: 77 }, change, fresh())
  t.deepEqual(kindsOf(right(decide({}, { document })).changes), [
    'patch payments.accounts',
    'remove payments.claims',
    'insert payments.claims',
  ])
  const claim = { id: `document:${document}`, accountId: 5, holder: 5 }
  t.like(failureOf(decide({ claim }, { document })), { issues: [{ path: 'document' }] })
  const own = { ...claim, holder: account.id }
  t.deepEqual(kindsOf(right(decide({ claim: own }, { document: account.document })).changes), [
    'patch payments.accounts',
  ])
  t.deepEqual(right(decide({}, {})).changes, [])
  t.like(failureOf(decide({ account: anAccount({ removedAt: NOW }) }, { name: 'x' })), { tag: 'not-found' })
})
