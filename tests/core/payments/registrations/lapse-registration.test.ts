import test from 'ava'
import { claims } from '../../../../core/payments/claim.ts'
import { decideExpiry, decideResend } from '../../../../core/payments/registrations/register.ts'
import { registrations } from '../../../../core/payments/registrations/registration.ts'
import { byId } from '../../../../core/ports/store.ts'
import { failureOf, right } from '../access/test-ports.ts'
import { IMAGES, MARIA, pairOf, registrationFixtures } from './registration-fixtures.ts'

const DAY = 24 * 3_600

test('who does not confirm in a day is forgotten, and holds nothing any more', async (t) => {
  const { begin, review, every, clock, confirm, lettersTo } = registrationFixtures()
  const begun = right(await begin(MARIA)())
  clock.advance(DAY - 1)
  t.is(await review(), 0)
  clock.advance(1)
  t.is(await review(), 1)
  t.deepEqual([await every(registrations), await every(claims)], [[], []])
  const letters = await lettersTo(MARIA.email)
  t.like(failureOf(await confirm(pairOf(begun), letters)()), { code: 'registration.unknown' })
  t.is(right(await begin(MARIA)()).state, 'PENDING_EMAIL')
})

test('another code gives no other day: nobody holds an e-mail by asking for codes', async (t) => {
  const { begin, resend, review, every, clock } = registrationFixtures()
  const begun = right(await begin(MARIA)())
  clock.advance(DAY - 1)
  right(await resend(pairOf(begun))())
  t.is(await review(), 0)
  clock.advance(1)
  await review()
  t.deepEqual(await every(registrations), [])
})

test('who confirmed has a month for the images, and is then forgotten likewise', async (t) => {
  const { confirmed, submit, review, every, clock } = registrationFixtures()
  const waiting = await confirmed()
  clock.advance(30 * DAY - 1)
  t.is(await review(), 0)
  clock.advance(1)
  await review()
  t.deepEqual([await every(registrations), await every(claims)], [[], []])
  t.like(failureOf(await submit(pairOf(waiting), IMAGES)()), { code: 'registration.unknown' })
})

test('another code that was asked for while the last one was confirmed is not sent', async (t) => {
  const { begin, confirm, ports, fresh, every, clock, lettersTo } = registrationFixtures()
  const begun = right(await begin(MARIA)())
  clock.advance(120)
  const found = await ports.store.find(byId(registrations, begun.id))
  const { changes } = right(decideResend(ports, { found, tries: null }, fresh()))
  const { dueAt } = right(await confirm(pairOf(begun), await lettersTo(MARIA.email))())
  t.false((await ports.store.commit(changes)).ok)
  t.is((await every(registrations))[0]?.dueAt, dueAt)
})

test('whoever goes on in the same moment is not forgotten, and what is decided never is', async (t) => {
  const { confirmed } = registrationFixtures()
  const waiting = await confirmed()
  const { dueAt } = waiting
  t.is(right(decideExpiry(waiting, { dueAt })).changes.length, 4)
  t.is(right(decideExpiry({ ...waiting, dueAt: '2030-01-01T00:00:00.000Z' }, { dueAt })).changes.length, 0)
  for (const state of ['UNDER_REVIEW', 'APPROVED', 'REJECTED'] as const)
    t.is(right(decideExpiry({ ...waiting, state }, { dueAt })).changes.length, 0)
  t.is(right(decideExpiry(null, { dueAt })).changes.length, 0)
})
