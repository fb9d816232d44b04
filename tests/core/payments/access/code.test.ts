import test from 'ava'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import { right as rightOf } from '../../../../core/failure.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { editSelf } from '../../../../core/payments/access/change-user.ts'
import { type Code, codes, mailedCode, newCode, requestCode, useCode } from '../../../../core/payments/access/code.ts'
import { codeHash, DIGITS, decideTry, parseTypedCode } from '../../../../core/payments/access/code-tries.ts'
import {
  forgotByLink,
  forgotPassword,
  resetByToken,
  resetPassword,
} from '../../../../core/payments/access/password-reset.ts'
import { sessions } from '../../../../core/payments/access/session.ts'
import { users } from '../../../../core/payments/members/user.ts'
import type { Hasher } from '../../../../core/ports/identity.ts'
import { byId } from '../../../../core/ports/store.ts'
import { justBefore, writesTo } from '../../kernel/running/tasks.ts'
import { column, failureOf, NOW, ORIGIN, openPayments, PASSWORD, right } from '../world.ts'

const cipher = aesCipher(new Uint8Array(32).fill(7))

const code: Code = {
  id: 'maria@example.com',
  userId: 1,
  flow: 'verify',
  codeId: 'c-1',
  hash: codeHash(cipher, 'c-1', '123456'),
  triesLeft: 5,
  expiresAt: '2026-11-23T14:05:09.123Z',
  verifySentAt: null,
  recoverySentAt: NOW,
  legacyRecoverySentAt: null,
  createdAt: NOW,
  length: 6,
  passwordMark: null,
}

const { ports } = openPayments()
const owner = { id: 1, email: code.id, passwordHash: 'hash' }

test('hashes a code with the operator’s key and the id of the code', (t) => {
  t.not(codeHash(aesCipher(new Uint8Array(32).fill(8)), 'c-1', '123456'), code.hash)
  t.not(codeHash(cipher, 'c-2', '123456'), code.hash)
})

const nothingKnown = { ofAddress: null, ofSubject: null, atCode: null }
const verifying = { subject: 'verify|maria@example.com', short: DIGITS, origin: ORIGIN }

/** Decides a try at a stored code, which may lack fields of later releases. */
const tried = (over: Partial<Record<keyof Code, unknown>>, typed = '123456') => {
  const found = rightOf(mailedCode(ports, { ...code, ...over } as Code, 'verify', owner))
  return right(decideTry({ ...nothingKnown, found }, parseTypedCode(typed, DIGITS), verifying, { steady: NOW }))
}
const idsIn = ({ changes }: ReturnType<typeof tried>) => [...new Set(changes.map(({ at }) => at[1]))]
const EVERYWHERE = ['address|203.0.113.7', 'verify|maria@example.com']

test('counts a right and a wrong try for the address, the e-mail, the code, and the code from that address', (t) => {
  for (const typed of ['123456', '654321']) {
    t.deepEqual(idsIn(tried({}, typed)), [...EVERYWHERE, code.id, 'c-1|203.0.113.7'])
    t.is(tried({}, typed).value(() => null).mailed?.codeId, 'c-1')
  }
  const [guard] = tried({ triesLeft: 3 }).changes.filter(({ at }) => at[1] === code.id)
  t.like(guard, { add: { triesLeft: -1 } })
  t.true(JSON.stringify(guard).includes('"gt":["triesLeft",0]'))
})

test('uses up a right code of its user once, also in two simultaneous uses', async (t) => {
  for (const other of [null, { ...code, hash: null }, { ...code, codeId: 'c-2' }, { ...code, userId: 2 }])
    t.is(useCode(ports, other, { codeId: 'c-1' }, owner), null)
  const { store } = openPayments().ports
  const use = useCode(ports, code, { codeId: 'c-1' }, owner)
  if (!use) return t.fail('the code is unused')
  await store.commit([insert(codes, code)])
  t.deepEqual([(await store.commit([use])).ok, (await store.commit([use])).ok], [true, false])
  t.is((await store.find(byId(codes, code.id)))?.hash, null)
})

test('voids a recovery code, but no verification code, when the user’s password changes', (t) => {
  const changed = { ...owner, passwordHash: 'another' }
  for (const [flow, isGood] of [
    ['verify', true],
    ['recovery', false],
    ['legacy-recovery', false],
  ] as const) {
    const { codeId, change } = newCode(ports, openPayments().fresh(), null, { user: owner, flow, tries: null })
    const mailed = (change as unknown as { readonly record: Code }).record
    t.not(mailedCode(ports, mailed, flow, owner), null)
    t.is(mailedCode(ports, mailed, flow, changed) !== null, isGood, flow)
    t.is(useCode(ports, mailed, { codeId }, changed) !== null, isGood, flow)
  }
})

const CHANGED = 'trocada e longa'

for (const moment of ['is hashed', 'is committed'] as const)
  test(`keeps a password that is changed while the new one of a reset ${moment}`, async (t) => {
    const { ports, person, mailsTo, every } = openPayments()
    const { caller } = await person(code.id)
    right(await forgotPassword(ports)({ email: code.id })())
    const typed =
      /^\d{6}$/m.exec((await mailsTo(code.id)).find((text) => text.includes('nova senha:')) ?? '')?.[0] ?? ''
    const change = async () =>
      right(await editSelf(ports)(caller, { currentPassword: PASSWORD, newPassword: CHANGED }, ORIGIN)())
    const hash: Hasher['hash'] = async (...args) => {
      if (moment === 'is hashed') await change()
      return ports.hasher.hash(...args)
    }
    const meanwhile = justBefore(writesTo(users))
    if (moment === 'is committed') meanwhile.act = change
    const slow = { ...ports, hasher: { ...ports.hasher, hash }, store: meanwhile.on(ports.store) }
    const refused = await resetPassword(slow)({ email: code.id, code: typed, password: 'nova e longa' })()
    t.is(failureOf(refused)?.code, 'code.invalid')
    t.deepEqual(column(await every(users), 'passwordHash'), [await ports.hasher.hash(CHANGED)])
  })

for (const [proof, field] of [
  ['a code', 'code'],
  ['a code or link', 'token'],
  ['a link', 'token'],
] as const)
  test(`names ${field} if another reset uses ${proof} while the new password is hashed`, async (t) => {
    const { ports, person, mailsTo } = openPayments()
    const { caller } = await person(code.id)
    await ports.store.commit([patch(users, caller.userId, { set: { document: '52998224725' }, when: always })])
    const request = { email: code.id, document: '52998224725', url: 'http://localhost/nova' }
    right(await (proof === 'a code' ? forgotPassword(ports)({ email: code.id }) : forgotByLink(ports)(request))())
    const mail = (await mailsTo(code.id)).find((text) => text.includes('nova senha')) ?? ''
    const typed = /^\d{6}$/m.exec(mail)?.[0] ?? ''
    const token = /token=([\w-]+)/.exec(mail)?.[1] ?? ''
    const reset = (of: typeof ports, password: string) =>
      ({
        'a code': resetPassword(of)({ email: code.id, code: typed, password }),
        'a code or link': resetByToken(of)({ email: code.id, token: typed, password }),
        'a link': resetByToken(of)({ token, password }),
      })[proof]()
    const hash: Hasher['hash'] = async (...args) => {
      right(await reset(ports, 'a primeira senha'))
      return ports.hasher.hash(...args)
    }
    const second = await reset({ ...ports, hasher: { ...ports.hasher, hash } }, 'a segunda senha')
    t.like(failureOf(second), { code: 'code.invalid', issues: [{ path: field, code: 'code.invalid' }] })
  })

test('counts a try without a usable code, and compares nothing', (t) => {
  for (const over of [{ flow: 'recovery' }, { hash: null }, { triesLeft: 0 }, { expiresAt: NOW }] as const) {
    const none = tried(over)
    t.is(none.value(() => null).mailed, null, JSON.stringify(over))
    t.deepEqual(idsIn(none), EVERYWHERE, JSON.stringify(over))
  }
})

test('counts no try of a text of another length', (t) => {
  for (const typed of ['', '12345', '1234567', 'A'.repeat(19), 'A'.repeat(20), 'A'.repeat(21)])
    t.deepEqual(tried({}, typed).changes, [], typed)
  t.deepEqual(tried({ length: 20 }, '123456').changes, [])
  t.deepEqual(idsIn(tried({ length: 20, triesLeft: 0 }, 'ab-'.repeat(10))), EVERYWHERE.slice(0, 1))
})

test('accepts a code of an earlier release with its remaining tries and six digits', (t) => {
  const { length: _, ...earlier } = code
  for (const triesLeft of [5, 1]) {
    const found = rightOf(mailedCode(ports, { ...earlier, triesLeft } as Code, 'verify', owner))
    const { changes } = right(
      decideTry({ ...nothingKnown, found }, parseTypedCode('123456', DIGITS), verifying, { steady: NOW }),
    )
    t.is(changes.filter(({ at }) => at[1] === code.id).length, 1)
  }
  t.deepEqual(idsIn(tried({ length: undefined, triesLeft: 0 })), EVERYWHERE)
})

test('makes each flow wait two minutes after its own last request', (t) => {
  const { fresh, clock } = openPayments()
  const waitFor = (flow: Code['flow']) => {
    const refused = failureOf(requestCode(ports, { user: owner, code, tries: null }, flow, fresh()))
    return refused?.tag === 'throttled' ? refused.retryAfterSeconds : null
  }
  t.is(waitFor('verify'), null)
  t.is(waitFor('recovery'), 120)
  clock.advance(119)
  t.is(waitFor('recovery'), 1)
  clock.advance(1)
  t.is(waitFor('recovery'), null)
  const to = { user: owner, flow: 'verify', tries: null } as const
  for (const [isRequested, sentAt] of [
    [true, NOW],
    [false, null],
  ] as const) {
    const { change } = newCode(ports, openPayments().fresh(), null, to, isRequested)
    t.like(change, { kind: 'insert', record: { verifySentAt: sentAt, recoverySentAt: null, triesLeft: 20, length: 6 } })
  }
})

test('a reset ends the sessions of the user and uses up its code', async (t) => {
  const { ports, person, mailsTo, every } = openPayments()
  await person(code.id)
  right(await forgotPassword(ports)({ email: code.id })())
  const [typed = ''] = (await mailsTo(code.id)).flatMap((text) =>
    text.includes('nova senha:') ? (/^\d{6}$/m.exec(text)?.[0] ?? []) : [],
  )
  right(await resetPassword(ports)({ email: code.id, code: typed, password: 'nova e longa' })())
  t.deepEqual(
    (await every(sessions)).map(({ endedAt }) => endedAt === null),
    [false],
  )
  t.deepEqual(
    column(
      (await every(codes)).filter(({ flow }) => flow === 'recovery'),
      'hash',
    ),
    [null],
  )
})
