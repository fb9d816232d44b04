import test from 'ava'
import { logIn } from '../../../../core/payments/access/log-in.ts'
import { passwordLinks, resetByToken } from '../../../../core/payments/access/password-reset.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { claims } from '../../../../core/payments/claim.ts'
import { ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { storedFiles } from '../../../../core/payments/office.ts'
import { registrations } from '../../../../core/payments/registrations/registration.ts'
import { submitImages } from '../../../../core/payments/registrations/review.ts'
import { failureOf, NOW, ORIGIN, PASSWORD, right } from '../world.ts'
import { IMAGES, MARIA, pairOf, registrationFixtures } from './registration-fixtures.ts'

const refusal = (code: string) => ({ tag: 'invalid', code: 'fields', issues: [{ path: 'registrationId', code }] })

test('creates user, account and organization on approval, and mails a link to set the password', async (t) => {
  const { confirmed, submit, every, bank, mailsTo } = registrationFixtures()
  const begun = await confirmed()
  const approved = right(await submit(pairOf(begun), IMAGES)())
  t.like(approved, { state: 'APPROVED', userId: 1, accountId: 1, dueAt: null })
  t.deepEqual(bank.asked, [{ reference: begun.uuid, name: 'Maria', document: MARIA.document }])
  const { name, email, document } = MARIA
  t.like((await every(accounts))[0], { id: 1, uuid: begun.uuid, name, email, document, status: 'ACTIVE', admins: 1 })
  t.like((await every(users))[0], { name, email, document, passwordHash: null, emailVerifiedAt: NOW, removedAt: null })
  t.like((await every(memberships))[0], { userId: 1, accountId: 1, roleId: 1, status: 1 })
  t.like((await every(ledgerAccounts))[0], { id: '1:main' })
  const held = (await every(claims)).filter(({ id }) => !id.startsWith('api-key:'))
  t.deepEqual(held.map(({ id, holder, accountId }) => [id, holder, accountId]).sort(), [
    ['document:52998224725', 1, 1],
    ['email:maria@example.com', 1, null],
    ['user-document:52998224725', 1, null],
  ])
  t.regex((await mailsTo(email)).join('\n'), /^http:\/\/localhost\/password\?token=\w{43}$/m)
})

test('sets the first password by the link, once, within seven days', async (t) => {
  const { confirmed, submit, every, ports, mailsTo, clock } = registrationFixtures()
  const tokenIn = async () => /token=(\w{43})/.exec((await mailsTo(MARIA.email)).join('\n'))?.[1] ?? ''
  right(await submit(pairOf(await confirmed()), IMAGES)())
  t.like((await every(passwordLinks))[0], { userId: 1, codeId: null, expiresAt: '2026-11-30T13:05:09.123Z' })
  const reset = resetByToken(ports)
  const credentials = { email: MARIA.email, password: PASSWORD }
  t.is(failureOf(await logIn(ports)(credentials, ORIGIN)())?.code, 'credentials.wrong')
  clock.advance(7 * 24 * 3_600 - 1)
  const proof = { token: await tokenIn(), email: null, password: PASSWORD }
  right(await reset(proof)())
  t.is(failureOf(await reset(proof)())?.code, 'code.invalid')
  t.is(right(await logIn(ports)(credentials, ORIGIN, 'the newest account')()).roleId, 1)
})

test('rejects images before the e-mail is confirmed and after the decision, and stores none', async (t) => {
  const { begin, submit, files, confirmed, bank } = registrationFixtures()
  const early = right(await begin({ ...MARIA, document: '12345678909', email: 'a@example.com' })())
  t.deepEqual(failureOf(await submit(pairOf(early), IMAGES)()), refusal('registration.unconfirmed'))
  t.deepEqual(files.names(), [])
  const begun = await confirmed()
  right(await submit(pairOf(begun), IMAGES)())
  t.is(files.names().length, 2)
  t.deepEqual(failureOf(await submit(pairOf(begun), IMAGES)()), refusal('registration.over'))
  t.is(files.names().length, 2)
  t.is(bank.asked.length, 1)
})

test('stores and mails the reason of a refusal, and releases all claims', async (t) => {
  const { confirmed, submit, bank, every, mailsTo, status, clock } = registrationFixtures()
  bank.script.push({ outcome: 'refused', reason: 'Documento ilegível.' })
  const begun = await confirmed()
  const rejected = right(await submit(pairOf(begun), IMAGES)())
  t.like(rejected, { state: 'REJECTED', reason: 'Documento ilegível.', dueAt: null })
  t.regex((await mailsTo(MARIA.email)).join('\n'), /Motivo: Documento ilegível\./)
  t.deepEqual([await every(claims), await every(users), await every(accounts)], [[], [], []])
  t.deepEqual(failureOf(await submit(pairOf(begun), IMAGES)()), refusal('registration.over'))
  clock.advance(1)
  const again = await confirmed()
  t.is(right(await status(MARIA.document)()).id, again.id)
  t.is(right(await submit(pairOf(again), IMAGES)()).state, 'APPROVED')
})

for (const outcome of ['unavailable', 'unknown'] as const) {
  test(`${outcome}: stays under review, and the worker repeats the request with the same id`, async (t) => {
    const { confirmed, submit, bank, clock, review, every } = registrationFixtures()
    bank.script.push({ outcome }, { outcome })
    const begun = await confirmed()
    t.is(right(await submit(pairOf(begun), IMAGES)()).state, 'UNDER_REVIEW')
    const runs: number[] = []
    for (const seconds of [0, 2, 3, 1, 3_600]) {
      clock.advance(seconds)
      runs.push(await review())
    }
    t.deepEqual(runs, [0, 1, 0, 1, 0])
    t.like((await every(registrations))[0], { state: 'APPROVED', accountId: 1 })
    t.deepEqual(new Set(bank.asked.map(({ reference }) => reference)), new Set([begun.uuid]))
  })
}

test('mails a refusal that only the worker received', async (t) => {
  const { confirmed, submit, bank, clock, review, every, mailsTo } = registrationFixtures()
  bank.script.push({ outcome: 'unknown' }, { outcome: 'refused', reason: 'Não.' })
  right(await submit(pairOf(await confirmed()), IMAGES)())
  clock.advance(2)
  await review()
  t.is((await every(registrations))[0]?.state, 'REJECTED')
  t.regex((await mailsTo(MARIA.email)).join('\n'), /Motivo: Não\./)
})

test('completes the review after a crash between images and review', async (t) => {
  const { confirmed, ports, clock, review, every } = registrationFixtures()
  const bank = { ...ports.bank, openAccount: () => Promise.reject(new Error('crash')) }
  const begun = await confirmed()
  await t.throwsAsync(submitImages({ ...ports, bank })({ ...pairOf(begun), ...IMAGES })(), { message: 'crash' })
  t.is((await every(registrations))[0]?.state, 'UNDER_REVIEW')
  t.is(await review(), 0)
  clock.advance(60)
  t.is(await review(), 1)
  t.is((await every(registrations))[0]?.state, 'APPROVED')
})

test('replaces images under review, and removes the earlier files', async (t) => {
  const { confirmed, submit, bank, files, tidy, every } = registrationFixtures()
  bank.script.push({ outcome: 'unknown' })
  const begun = await confirmed()
  const first = right(await submit(pairOf(begun), IMAGES)())
  const second = right(await submit(pairOf(begun), IMAGES)())
  t.is(second.state, 'APPROVED')
  await tidy()
  t.deepEqual([...files.names()].sort(), [second.image1Id ?? '', second.image2Id ?? ''].sort())
  t.false(files.names().includes(first.image1Id ?? ''))
  t.deepEqual(
    (await every(storedFiles)).map(({ kind, dueAt }) => `${kind} ${dueAt}`),
    ['registration null', 'registration null'],
  )
})

test('opens one account and stores one pair of files for simultaneous images', async (t) => {
  const { confirmed, submit, files, tidy, every, clock } = registrationFixtures()
  const pair = pairOf(await confirmed())
  const both = await Promise.all([submit(pair, IMAGES)(), submit(pair, IMAGES)()])
  for (const each of both) t.true(failureOf(each) === null || failureOf(each)?.code === 'fields')
  t.is((await every(accounts)).length, 1)
  t.is((await every(users)).length, 1)
  clock.advance(3_600)
  await tidy()
  t.is(files.names().length, 2)
})
