import test from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { updateOrganization } from '../../../../core/payments/access/organizations.ts'
import { removeOrganization } from '../../../../core/payments/access/remove-organization.ts'
import { claimId, claims } from '../../../../core/payments/claim.ts'
import { ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { openAccount } from '../../../../core/payments/registrations/opening.ts'
import { registerFull } from '../../../../core/payments/registrations/register-full.ts'
import { byId } from '../../../../core/ports/store.ts'
import { failureOf, NOW, ORIGIN, openPayments, PASSWORD, right, taken } from '../world.ts'

const DOCUMENT = '11222333000181'
const DAY = 24 * 3_600
const TAKEN = taken('document')

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
