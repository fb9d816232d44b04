import test from 'ava'
import { always, patch, remove } from '../../../../core/kernel/records/record.ts'
import { organizationView, updateOrganization } from '../../../../core/payments/access/organizations.ts'
import { accounts, apiKeyOf, webhookSecretOf } from '../../../../core/payments/accounts/account.ts'
import { bankOperations, type Operation } from '../../../../core/payments/bank/operation.ts'
import { operationQueues } from '../../../../core/payments/bank/run-operation.ts'
import { claimId, claims } from '../../../../core/payments/claim.ts'
import { ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { users } from '../../../../core/payments/members/user.ts'
import {
  accountOpenings,
  decideOpening,
  type Opening,
  openAccount,
  openings,
} from '../../../../core/payments/registrations/opening.ts'
import { registerFull } from '../../../../core/payments/registrations/register-full.ts'
import { removeOrganization } from '../../../../core/payments/registrations/remove-organization.ts'
import { byId } from '../../../../core/ports/store.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { anOperation as bankOperation } from '../records.ts'
import {
  column,
  failureOf,
  failuresOf,
  NOW,
  ORIGIN,
  openPayments,
  PASSWORD,
  right,
  taken,
  withPerson,
} from '../world.ts'
import { scriptedBank } from './registration-fixtures.ts'

const BAKERY = { name: 'Padaria', email: 'contato@padaria.com', document: '11222333000181' }
const TAKEN = taken('document')
const UNREACHED = { tag: 'unavailable', code: 'bank.unavailable', retryAfterSeconds: 2 }

const withMaria = async () => {
  const bank = scriptedBank()
  const here = await withPerson({ instead: () => ({ bank: bank.bank }) })
  return { ...here, bank, open: openAccount(here.ports) }
}

/** An opening that the bank has not answered. */
const withUnanswered = async (outcome: 'unavailable' | 'unknown' = 'unknown') => {
  const here = await withMaria()
  here.bank.script.push({ outcome })
  const failure = failureOf(await here.open(here.caller, BAKERY)())
  const [operation] = await here.every(bankOperations)
  const id = operation?.id ?? ''
  return { ...here, failure, operation, id, resume: accountOpenings(here.ports).repeat(id) }
}

const anOpening = (over: Partial<Opening> = {}): Opening => ({
  id: '00000000-0000-4000-8000-000000000009',
  userId: 1,
  ...BAKERY,
  address: null,
  device: null,
  operationId: '00000000-0000-4000-8000-000000000009',
  createdAt: NOW,
  ...over,
})

const anOperation = (over: Partial<Operation> = {}): Operation =>
  bankOperation({
    id: anOpening().id,
    accountId: null,
    kind: 'open-account',
    subject: [openings.name, anOpening().id],
    dueAt: NOW,
    createdAt: NOW,
    ...over,
  })

test('opens an INACTIVE organization with its founder as ADMIN', async (t) => {
  const { open, caller, every, bank, ports } = await withMaria()
  const account = right(await open(caller, BAKERY)())
  t.deepEqual(onWire(organizationView, account), { id: 1, uuid: account.uuid, ...BAKERY, status: 'INACTIVE' })
  t.like(account, { agency: '0001', account: '10-1', bankCode: '748', pixKey: account.uuid, admins: 1, hasPin: false })
  t.deepEqual(bank.asked, [{ reference: account.uuid, name: 'Padaria', document: '11222333000181' }])
  t.like((await every(memberships))[0], { userId: 1, accountId: 1, roleId: 1, status: 1 })
  t.like((await every(ledgerAccounts))[0], { id: '1:main', balanceCents: 0 })
  t.deepEqual(await every(openings), [])
  const held = await ports.store.find(byId(claims, claimId('document', '11222333000181')))
  t.like(held, { holder: 1, accountId: 1 })
})

test('seals the secrets, and claims the digest of the API key', async (t) => {
  const { open, caller, ports } = await withMaria()
  const shown = right(await open(caller, BAKERY)())
  const account = await ports.store.find(byId(accounts, shown.id))
  if (!account) return t.fail('it was opened')
  const apiKey = apiKeyOf(ports.cipher, account)
  t.regex(apiKey, /^[A-Za-z][A-Za-z0-9]{39}$/)
  for (const secret of [apiKey, account.apiKeySealed, account.webhookSecretSealed])
    t.false(JSON.stringify(shown).includes(secret))
  const held = await ports.store.find(byId(claims, claimId('api-key', ports.digest.sha256(apiKey))))
  t.like(held, { holder: 1, accountId: 1 })
  const [prefix, secret = ''] = webhookSecretOf(ports.cipher, account).split('_')
  t.is(prefix, 'whsec')
  t.is(Buffer.from(secret, 'base64').toString('base64'), secret)
  t.is(Buffer.from(secret, 'base64').length, 33)
  t.throws(() => apiKeyOf(ports.cipher, { ...account, apiKeySealed: account.webhookSecretSealed }))
})

test('rejects a document that is taken by any organization', async (t) => {
  const { open, caller, person, bank } = await withMaria()
  right(await open(caller, BAKERY)())
  t.deepEqual(failureOf(await open(caller, BAKERY)()), TAKEN)
  const { caller: joao } = await person('joao@example.com')
  t.deepEqual(failureOf(await open(joao, BAKERY)()), TAKEN)
  t.is(bank.asked.length, 1)
})

test('rejects the document of an organization that the caller has by a registration, however recent', async (t) => {
  const { open, caller, ports } = await withMaria()
  const { uuid } = right(await open(caller, BAKERY)())
  const told = async (kind: string) => {
    await ports.store.commit([patch(bankOperations, uuid, { set: { kind, attempts: 1 }, when: always })])
    return open(caller, BAKERY)()
  }
  t.is(right(await told('open-account')).uuid, uuid)
  t.deepEqual(failureOf(await told('review-registration')), TAKEN)
})

test('opens one of twenty simultaneous openings of one document, with one bank call', async (t) => {
  const { open, caller, bank, every } = await withMaria()
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(caller, BAKERY)()))
  t.deepEqual(failuresOf(opened), Array(19).fill(TAKEN))
  t.is(bank.asked.length, 1)
  t.is((await every(accounts)).length, 1)
})

test('releases the document if the bank refuses, and keeps the reason in the operation for a month', async (t) => {
  const { open, caller, bank, every, ports } = await withMaria()
  bank.script.push({ outcome: 'refused', reason: 'Documento irregular.' })
  const refusal = { tag: 'refused', code: 'bank.refused', reason: 'Documento irregular.' }
  t.deepEqual(failureOf(await open(caller, BAKERY)()), refusal)
  const [refused] = await every(bankOperations)
  t.like(refused, { state: 'refused', dueAt: null, expiresAt: '2026-12-23T13:05:09.123Z' })
  t.deepEqual([await every(openings), await every(accounts)], [[], []])
  const resume = () => accountOpenings(ports).repeat(refused?.id ?? '')()
  t.deepEqual(failureOf(await resume()), refusal)
  await ports.store.commit([remove(bankOperations, refused?.id ?? '', always)])
  t.is(failureOf(await resume())?.code, 'opening.unknown')
  t.is(bank.asked.length, 1)
  t.is(right(await open(caller, BAKERY)()).id, 1)
})

for (const outcome of ['unavailable', 'unknown'] as const) {
  test(`${outcome}: keeps the opening and its document, and the worker completes it`, async (t) => {
    const { failure, operation, id, resume, bank } = await withUnanswered(outcome)
    t.deepEqual(failure, UNREACHED)
    t.is(operation?.dueAt, '2026-11-23T13:05:11.123Z')
    const account = right(await resume())
    t.is(id, account.uuid)
    t.is(right(await resume()).id, account.id)
    t.deepEqual(column(bank.asked, 'reference'), [account.uuid, account.uuid])
  })
}

test('continues an opening only for its own founder, also while the worker runs it', async (t) => {
  const { open, caller, person, id, clock, every, ports } = await withUnanswered('unavailable')
  clock.advance(2)
  const [queue] = operationQueues([accountOpenings(ports)])
  const [due] = (await queue?.due(ports.store, ports.clock.now(), 1)) ?? []
  t.truthy(await due?.claim(ports.store, ports.clock.now()), 'the worker has taken it up')
  const { caller: joao } = await person('joao@example.com')
  t.deepEqual(failureOf(await open(joao, BAKERY)()), TAKEN)
  const again = await Promise.all(Array.from({ length: 5 }, () => open(caller, { ...BAKERY, name: 'Padaria Nova' })()))
  for (const each of again) t.like(right(each), { uuid: id, name: 'Padaria Nova' })
  t.is((await every(accounts)).length, 1)
})

test('creates no account and releases the document if the founder was removed', async (t) => {
  const { open, caller, every, ports, person, resume } = await withUnanswered()
  await ports.store.commit([patch(users, caller.userId, { set: { removedAt: NOW }, when: always })])
  t.is(failureOf(await resume())?.code, 'opening.unknown')
  t.deepEqual([await every(openings), await every(accounts), await every(memberships)], [[], [], []])
  const { caller: joao } = await person('joao@example.com')
  t.is(right(await open(joao, BAKERY)()).document, BAKERY.document)
})

test('fails one of two simultaneous commits: the end of an opening or the removal of its founder', async (t) => {
  const { caller, id, every, ports } = await withUnanswered()
  // Removed after the opening was read, and before it is committed.
  const store = beforeCommits(ports.store, async (changes) => {
    if (changes.some(({ at }) => at[0] === accounts.name))
      await ports.store.commit([patch(users, caller.userId, { set: { removedAt: NOW }, when: always })])
  })
  const ended = await accountOpenings({ ...ports, store }).repeat(id)()
  t.is(failureOf(ended)?.code, 'opening.unknown')
  t.deepEqual(await every(accounts), [])
})

const UNKNOWN = { only: null, foundings: null }

test('decideOpening continues only an opening of the same founder, after the first request has ended', (t) => {
  const { ports, fresh } = openPayments()
  const { id } = anOpening()
  const claim = { id: 'document:11222333000181', accountId: null, holder: id }
  const decide = (opening: Opening | null, operation: Operation | null) =>
    decideOpening(
      ports,
      { document: { claim, release: () => null }, ...UNKNOWN, holder: { id, opening, operation } },
      { userId: 1 },
      BAKERY,
      fresh(),
    )
  const leased = { dueAt: '2026-11-23T13:06:09.123Z' }
  const own = [
    anOperation(),
    anOperation({ ...leased, attempts: 1 }),
    anOperation({ dueAt: '2026-11-23T13:05:11.123Z' }),
    null,
  ]
  for (const operation of own)
    t.deepEqual(
      right(decide(anOpening(), operation)).value(() => null),
      { intent: id, order: null },
    )
  t.deepEqual(failureOf(decide(anOpening(), anOperation(leased))), TAKEN)
  t.deepEqual(failureOf(decide(anOpening({ userId: 2 }), anOperation())), TAKEN)
  const ended = { state: 'done', dueAt: null } as const
  t.is(right(decide(null, anOperation({ ...ended, attempts: 1 }))).changes.length, 0)
  t.deepEqual(failureOf(decide(null, anOperation(ended))), TAKEN, 'who began it was told')
  const old = { ...ended, attempts: 1, createdAt: '2026-11-20T13:05:09.123Z' }
  t.deepEqual(failureOf(decide(null, anOperation(old))), TAKEN)
})

const DOCUMENT = '11222333000181'
const DAY = 24 * 3_600
/** A founder with an organization, confirmed or not, and a rival who wants its document. */
const withFounder = async (is: { readonly isConfirmed: boolean; readonly hasEntries?: boolean }) => {
  const here = openPayments()
  const { ports } = here
  const founder = (await here.person('ana@example.com')).caller
  const rival = (await here.person('bia@example.com')).caller
  const found = (by: typeof founder, document = DOCUMENT) =>
    openAccount(ports)(by, { name: 'Padaria', email: 'contato@padaria.com', document })()
  const { id } = right(await found(founder))
  const confirm = ({ userId }: typeof founder) =>
    ports.store.commit([patch(users, userId, { set: { emailVerifiedAt: NOW }, when: always })])
  if (is.isConfirmed) await confirm(founder)
  await ports.store.commit([patch(ledgerAccounts, `${id}:main`, { set: { seq: is.hasEntries ? 1 : 0 }, when: always })])
  const acting = { accountId: id, userId: founder.userId, origin: null }
  return {
    ...here,
    founder,
    rival,
    confirm,
    found,
    update: (document: string) => updateOrganization(ports)(acting, { name: 'Outra', document })(),
    remove: async () => right(await removeOrganization(ports)(acting)()),
    holder: async (document = DOCUMENT) =>
      (await ports.store.find(byId(claims, claimId('document', document))))?.holder ?? null,
    registerFull: () =>
      registerFull(ports)({ name: 'Cia', email: 'cia@example.com', document: DOCUMENT, password: PASSWORD }, ORIGIN)(),
  }
}

for (const [isConfirmed, hasEntries, isRemoved, isTaken] of [
  [true, false, false, true],
  [false, true, false, true],
  [false, false, false, false],
  [true, false, true, false],
  [true, true, true, true],
] as const) {
  const founder = isConfirmed ? 'a confirmed' : 'an unconfirmed'
  const state = `${isRemoved ? 'removed ' : ''}organization of ${founder} founder ${hasEntries ? 'with' : 'without'} entries`
  test(`the document of a ${state} is ${isTaken ? 'taken' : 'free'} to another founder`, async (t) => {
    for (const way of ['found', 'found unconfirmed', 'registerFull'] as const) {
      const { rival, confirm, ...here } = await withFounder({ isConfirmed, hasEntries })
      if (isRemoved) await here.remove()
      if (way === 'found') await confirm(rival)
      const answer = await (way === 'registerFull' ? here.registerFull() : here.found(rival))
      const isHeld = isTaken || (way !== 'found' && !isRemoved)
      t.deepEqual(failureOf(answer), isHeld ? TAKEN : null, way)
      t.is(await here.holder(), isHeld ? 1 : 2)
    }
  })
}

test('gives the document of a removed organization to its founder after 30 days', async (t) => {
  const { found, founder, remove, clock, holder } = await withFounder({ isConfirmed: true })
  await remove()
  clock.advance(30 * DAY - 1)
  t.deepEqual(failureOf(await found(founder)), TAKEN)
  clock.advance(1)
  t.is(failureOf(await found(founder)), null)
  t.is(await holder(), 2)
})

test('keeps the claim of the new holder when the former one changes its document', async (t) => {
  const { found, founder, rival, confirm, update, holder } = await withFounder({ isConfirmed: false })
  await confirm(rival)
  t.deepEqual(failureOf(await found(founder)), TAKEN)
  right(await found(rival))
  t.is(right(await update(DOCUMENT)).document, DOCUMENT)
  right(await update('11444777000161'))
  t.deepEqual([await holder(), await holder('11444777000161')], [2, 1])
  t.deepEqual(failureOf(await update(DOCUMENT)), TAKEN)
  right(await update('12ABC34501DE35'))
  t.is(await holder('11444777000161'), null)
})

test('gives the personal document of a user without organizations to an applicant', async (t) => {
  const { ports, every } = openPayments()
  const apply = (email: string) =>
    registerFull(ports)({ name: 'Ana', email, document: '52998224725', password: PASSWORD }, ORIGIN)()
  right(await apply('falsa@example.com'))
  t.deepEqual(failureOf(await apply('ana@example.com')), TAKEN)
  right(await removeOrganization(ports)({ accountId: 1, userId: 1, origin: null })())
  right(await apply('ana@example.com'))
  t.deepEqual(
    (await every(users)).map(({ document, documentPassedAt }) => [document, documentPassedAt !== null]),
    [
      ['52998224725', true],
      ['52998224725', false],
    ],
  )
})

/** Digits of a CNPJ by its number. */
const cnpj = (number: number): string => {
  const digits = [...`${10_000_000 + number}0001`].map(Number)
  for (const length of [12, 13]) {
    const sum = digits.slice(0, length).reduce((all, digit, at) => all + digit * (((length - 1 - at) % 8) + 2), 0)
    digits.push(sum % 11 < 2 ? 0 : 11 - (sum % 11))
  }
  return digits.join('')
}

test('limits a founder to 30 organizations a day, removed ones included, also if simultaneous', async (t) => {
  const { founder, found, rival, clock, remove } = await withFounder({ isConfirmed: true })
  await remove()
  const all = await Promise.all(Array.from({ length: 40 }, (_, number) => found(founder, cnpj(number))))
  t.is(all.filter((each) => failureOf(each) === null).length, 29)
  const refused = { tag: 'throttled', code: 'organization.limit', retryAfterSeconds: DAY }
  t.deepEqual(failureOf(await found(founder, cnpj(41))), refused)
  t.is(failureOf(await found(rival, cnpj(41))), null)
  clock.advance(DAY)
  t.is(failureOf(await found(founder, cnpj(42))), null)
})
