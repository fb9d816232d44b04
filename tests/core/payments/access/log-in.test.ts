import test from 'ava'
import { failure, left } from '../../../../core/failure.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { throttleIn } from '../../../../core/office/throttle.ts'
import { authenticate } from '../../../../core/payments/access/authenticate.ts'
import { decideLogIn, logIn, throttles } from '../../../../core/payments/access/log-in.ts'
import { sessions } from '../../../../core/payments/access/session.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { nfcHasher } from '../../../../core/payments/secret-hashing.ts'
import { cheapHasher, failureOf, failuresOf, NOW, ORIGIN, PASSWORD, right, withPerson } from '../world.ts'

const EMAIL = 'maria@example.com'
const { decideTry } = throttleIn('payments')
const WRONG = { tag: 'unauthorized', code: 'credentials.wrong' }
const RIGHT_PASSWORD = { email: EMAIL, password: PASSWORD }
const WRONG_PASSWORD = { email: EMAIL, password: 'outra coisa' }

const registered = async () => {
  const here = await withPerson()
  return { ...here, enter: logIn(here.ports) }
}

test('opens a session for the right password', async (t) => {
  const { ports, enter, every, signedIn } = await registered()
  const entered = right(await enter(RIGHT_PASSWORD, { address: '203.0.113.7', device: 'painel' })())
  t.is(entered.user.id, signedIn.user.id)
  t.not(entered.accessToken, signedIn.accessToken)
  t.like(right(await authenticate(ports)(entered.accessToken)()), { userId: 1 })
  t.like(right(await authenticate(ports)(signedIn.accessToken)()), { userId: 1 })
  const device = (await every(sessions)).map((session) => session.device)
  t.deepEqual(device.sort(), [null, 'painel'].sort())
  t.deepEqual(await every(throttles), [])
})

test('gives a wrong password and an unknown e-mail one failure, after one comparison each, five times', async (t) => {
  const { enter, compared } = await registered()
  const tried = [WRONG_PASSWORD, { email: 'unknown@example.com', password: 'segredo' }]
  for (let failure = 1; failure <= 5; failure += 1)
    for (const each of tried) t.deepEqual(failureOf(await enter(each, ORIGIN)()), WRONG)
  t.deepEqual(compared.slice(0, 2), ['outra coisa', 'segredo'])
  for (const each of tried) t.is(failureOf(await enter(each, ORIGIN)())?.tag, 'throttled')
  t.is(compared.length, 10)
})

test('rejects an e-mail that only a pending registration has', async (t) => {
  const { ports, enter } = await registered()
  await ports.store.commit([reserveUnique('email', 'a@b.co', 'x', null)])
  t.deepEqual(failureOf(await enter({ email: 'a@b.co', password: PASSWORD }, ORIGIN)()), WRONG)
})

test('rejects the right password after five failures, until fifteen minutes after the first', async (t) => {
  const { enter, clock, compared } = await registered()
  for (let failure = 1; failure <= 5; failure += 1) {
    t.deepEqual(failureOf(await enter(WRONG_PASSWORD, ORIGIN)()), WRONG, `failure ${failure}`)
    clock.advance(10)
  }
  const refused = failureOf(await enter(RIGHT_PASSWORD, ORIGIN)())
  t.deepEqual(refused, { tag: 'throttled', code: 'login.throttled', retryAfterSeconds: 850 })
  t.is(compared.length, 5)
  clock.advance(849.999)
  t.is(failureOf(await enter(RIGHT_PASSWORD, ORIGIN)())?.tag, 'throttled')
  clock.advance(0.001)
  t.is(failureOf(await enter(RIGHT_PASSWORD, ORIGIN)()), null)
})

test('counts failures by e-mail and address, and those of an IPv6 network together', async (t) => {
  const from = (address: string) => ({ ...ORIGIN, address })
  for (const [address, same, other] of [
    ['203.0.113.7', '203.0.113.7', '198.51.100.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::9', '2001:db8:0:2::1'],
  ] as const) {
    const { enter, person } = await registered()
    await person('joao@example.com')
    for (let failure = 1; failure <= 5; failure += 1)
      t.deepEqual(failureOf(await enter(WRONG_PASSWORD, from(address))()), WRONG)
    t.is(failureOf(await enter(RIGHT_PASSWORD, from(same))())?.tag, 'throttled')
    t.is(failureOf(await enter(RIGHT_PASSWORD, from(other))()), null)
    t.is(failureOf(await enter({ ...RIGHT_PASSWORD, email: 'joao@example.com' }, from(same))()), null)
  }
})

test('deletes the failures after a success', async (t) => {
  const { enter } = await registered()
  for (let round = 1; round <= 3; round += 1) {
    for (let failure = 1; failure <= 4; failure += 1) await enter(WRONG_PASSWORD, ORIGIN)()
    t.is(failureOf(await enter(RIGHT_PASSWORD, ORIGIN)()), null, `round ${round}`)
  }
})

test('ignores failures of a past window', async (t) => {
  const { enter, clock, every } = await registered()
  for (let failure = 1; failure <= 4; failure += 1) await enter(WRONG_PASSWORD, ORIGIN)()
  clock.advance(15 * 60)
  t.deepEqual(failureOf(await enter(WRONG_PASSWORD, ORIGIN)()), WRONG)
  t.like((await every(throttles))[0], { failures: 1, expiresAt: '2026-11-23T13:35:09.123Z' })
})

test('compares five of fifty simultaneous guesses in two processes', async (t) => {
  const here = await registered()
  const doors = [logIn(here.ports), logIn(here.ports)]
  const guesses = Array.from({ length: 50 }, (_, index) =>
    (doors[index % 2] ?? here.enter)({ ...WRONG_PASSWORD, password: `${index}` }, ORIGIN)(),
  )
  const tags = (await Promise.all(guesses)).map((guess) => failureOf(guess)?.tag)
  t.is(here.compared.length, 5)
  t.is(tags.filter((tag) => tag === 'unauthorized').length, 5)
  t.is(tags.filter((tag) => tag === 'throttled').length, 45)
})

test('counts the fifth guess once if two processes decide on it from the same read', async (t) => {
  const { ports } = await registered()
  const read = { id: EMAIL, failures: 4, expiresAt: addSeconds(NOW, 900), openTries: null }
  await ports.store.commit([insert(throttles, read)])
  const decisions = [7, 8].map((seed) =>
    right(decideTry(read, EMAIL, { now: NOW, steady: NOW, text: () => `${seed}`.repeat(20) })),
  )
  const committed = []
  for (const { changes } of decisions) committed.push((await ports.store.commit(changes)).ok)
  t.deepEqual(committed, [true, false])
})

test('accepts fifty simultaneous right passwords after one comparison', async (t) => {
  const { enter, compared } = await registered()
  const entered = await Promise.all(Array.from({ length: 50 }, () => enter(RIGHT_PASSWORD, ORIGIN)()))
  t.deepEqual(failuresOf(entered), [])
  t.is(compared.length, 1)
})

test('remembers a right password for a minute, unless it is changed', async (t) => {
  const { ports, enter, compared, clock } = await registered()
  right(await enter(RIGHT_PASSWORD, ORIGIN)())
  clock.advance(59)
  right(await enter(RIGHT_PASSWORD, ORIGIN)())
  t.is(compared.length, 1)
  clock.advance(1)
  right(await enter(RIGHT_PASSWORD, ORIGIN)())
  t.is(compared.length, 2)
  await ports.store.commit([patch(users, 1, { set: { passwordHash: 'hash of another' }, when: always })])
  t.deepEqual(failureOf(await enter(RIGHT_PASSWORD, ORIGIN)()), WRONG)
})

test('uncounts guesses of a dead process when their lease ends, but not wrong ones', async (t) => {
  const { ports, enter, clock, every } = await registered()
  t.deepEqual(failureOf(await enter({ ...RIGHT_PASSWORD, password: 'errada' }, ORIGIN)()), WRONG)
  for (let dead = 0; dead < 4; dead += 1)
    await new Promise<void>((started) => {
      const verify = () => {
        started()
        return new Promise<never>(() => {})
      }
      void logIn({ ...ports, hasher: { ...ports.hasher, verify } })(RIGHT_PASSWORD, ORIGIN)()
    })
  t.like(failureOf(await enter(RIGHT_PASSWORD, ORIGIN)()), { code: 'login.throttled' })
  clock.advance(15)
  t.deepEqual(failureOf(await enter({ ...RIGHT_PASSWORD, password: 'errada' }, ORIGIN)()), WRONG)
  t.like(await every(throttles), [{ failures: 2, openTries: null }])
  right(await enter(RIGHT_PASSWORD, ORIGIN)())
})

test('rejects a user who is removed between comparison and commit', async (t) => {
  const { ports, enter, every } = await registered()
  const isRight = ports.hasher.verify
  ports.hasher.verify = async (...compared) => {
    const answer = await isRight(...compared)
    await ports.store.commit([patch(users, 1, { set: { removedAt: NOW }, when: always })])
    return answer
  }
  const before = await every(sessions)
  t.not(failureOf(await enter(RIGHT_PASSWORD, ORIGIN)()), null)
  t.is((await every(sessions)).length, before.length)
})

test('rejects a password that was changed after the comparison', async (t) => {
  const { ports, every, fresh } = await registered()
  const [user = null] = await every(users)
  const decide = (now: typeof user) => {
    const facts = { throttle: null, user: now, surplus: [], newest: null, factor: null, trusted: null }
    const options = { origin: ORIGIN, tokenAccount: 'no account', isGuarded: false } as const
    return decideLogIn(ports, facts, user, options, fresh(), () => left(failure('forbidden', 'second-factor.required')))
  }
  for (const changed of [user && { ...user, passwordHash: 'another' }, null])
    t.deepEqual(failureOf(decide(changed)), WRONG)
  t.like(right(decide(user)).changes, [{ kind: 'check' }, { kind: 'insert', record: { createdAt: NOW } }])
})

const { hasher: plain } = cheapHasher()
const [NFC, NFD] = ['canção'.normalize('NFC'), 'canção'.normalize('NFD')]

test('verifies a hash of an earlier release by the text as typed', async (t) => {
  const hasher = nfcHasher(plain)
  const before = await plain.hash(NFD)
  t.true(await hasher.verify(NFD, before))
  t.false(await hasher.verify(NFC, before))
  const now = await hasher.hash(NFD)
  t.true(await hasher.verify(NFC, now))
  t.true(await hasher.verify(NFD, now))
})

test('compares as often without a hash as with one', async (t) => {
  const asked: string[] = []
  const counted = nfcHasher({
    ...plain,
    verify: async (secret) => asked.push(secret) < 0,
    verifyDummy: async (secret) => void asked.push(secret),
  })
  for (const secret of [NFC, NFD]) {
    await counted.verify(secret, 'any')
    await counted.verifyDummy(secret)
  }
  t.deepEqual(asked, [NFC, NFC, NFC, NFD, NFC, NFD])
})
