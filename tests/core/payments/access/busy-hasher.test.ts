import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { editSelf } from '../../../../core/payments/access/change-user.ts'
import { codes } from '../../../../core/payments/access/code.ts'
import { codeTryCounts } from '../../../../core/payments/access/code-tries.ts'
import { logIn, throttles } from '../../../../core/payments/access/log-in.ts'
import {
  forgotByLink,
  forgotPassword,
  resetByToken,
  resetPassword,
} from '../../../../core/payments/access/password-reset.ts'
import { register } from '../../../../core/payments/access/register.ts'
import { addTeamMember, updateTeamMember } from '../../../../core/payments/access/team-changes.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { checkPin, decidePinUncompared, setPin } from '../../../../core/payments/accounts/pin.ts'
import { updateAccount } from '../../../../core/payments/accounts/update-account.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { registerFull } from '../../../../core/payments/registrations/register-full.ts'
import { HasherBusy, type Requester } from '../../../../core/ports/identity.ts'
import { byId } from '../../../../core/ports/store.ts'
import { anAccount } from '../records.ts'
import { column, failureOf, NOW, ORIGIN, PASSWORD, right, withPerson } from '../world.ts'

const EMAIL = 'maria@example.com'
const RIGHT = { email: EMAIL, password: PASSWORD }
const WRONG = { email: EMAIL, password: 'outra coisa' }
const NEW = 'outra bem longa'
const DOCUMENT = '52998224725'
const BUSY = { tag: 'unavailable', code: 'server.busy', retryAfterSeconds: 2 } as const
/** More than any count of wrong guesses. */
const OFTEN = 30

/**
 * A registered user, an account (1) with a PIN, and a hasher that is busy inside `rushed` and records the requesters.
 */
const here = async () => {
  const all = await withPerson()
  all.clock.advance(1)
  await all.ports.store.commit([
    patch(users, all.signedIn.user.id, { set: { document: DOCUMENT }, when: always }),
    insert(accounts, anAccount({ pinHash: 'hash of 135790' })),
  ])
  const requesters: (Requester | null | undefined)[] = []
  let isBusy = false
  const { hash, verify, verifyDummy } = all.ports.hasher
  const unlessBusy =
    <A extends readonly unknown[], B>(call: (...args: A) => Promise<B>, requesterAt: number) =>
    async (...args: A): Promise<B> => {
      requesters.push(args[requesterAt] as Requester | null | undefined)
      if (isBusy) throw new HasherBusy('too much waits')
      return call(...args)
    }
  const hasher = { hash: unlessBusy(hash, 1), verify: unlessBusy(verify, 2), verifyDummy: unlessBusy(verifyDummy, 1) }
  /** Asks while the hasher is busy. */
  const rushed = async <A>(ask: () => Promise<A>): Promise<A> => {
    isBusy = true
    try {
      return await ask()
    } finally {
      isBusy = false
    }
  }
  return { ...all, ports: { ...all.ports, hasher }, requesters, rushed }
}

test('counts no guess at a password that the busy hasher did not compare, and still counts wrong ones', async (t) => {
  const { ports, rushed, every } = await here()
  const enter = logIn(ports)
  for (let tries = 0; tries < OFTEN; tries += 1) {
    t.deepEqual(failureOf(await rushed(() => enter(RIGHT, ORIGIN)())), BUSY)
  }
  t.is((await every(throttles))[0]?.failures, 0)
  for (let tries = 0; tries < 4; tries += 1) t.is(failureOf(await enter(WRONG, ORIGIN)())?.code, 'credentials.wrong')
  t.deepEqual(failureOf(await rushed(() => enter(RIGHT, ORIGIN)())), BUSY)
  t.is((await every(throttles))[0]?.failures, 4)
  const unknown = { email: 'unknown@example.com', password: PASSWORD }
  t.is(failureOf(await enter(unknown, ORIGIN)())?.code, 'credentials.wrong')
  t.is(failureOf(await enter(RIGHT, ORIGIN)()), null)
})

test('counts no guess if the busy hasher could not hash a new password', async (t) => {
  const { ports, caller, rushed, every } = await here()
  const edit = () => editSelf(ports)(caller, { currentPassword: PASSWORD, newPassword: NEW }, ORIGIN)()
  for (let tries = 0; tries < OFTEN; tries += 1) t.deepEqual(failureOf(await rushed(edit)), BUSY)
  t.is((await every(throttles))[0]?.failures, 0)
  t.is(failureOf(await edit()), null)
})

test('counts no try at a PIN that the busy hasher did not compare', async (t) => {
  const { ports, rushed } = await here()
  const tries = async () => (await ports.store.find(byId(accounts, 1)))?.pinTries
  const check = checkPin(ports)
  for (let count = 0; count < OFTEN; count += 1) {
    t.deepEqual(failureOf(await rushed(() => check({ accountId: 1 }, '135790')())), BUSY)
  }
  t.is(await tries(), 0)
  for (let count = 0; count < 4; count += 1)
    t.is(failureOf(await check({ accountId: 1 }, '111222')())?.code, 'pin.wrong')
  // A counted fifth try would lock the PIN.
  t.deepEqual(failureOf(await rushed(() => check({ accountId: 1 }, '135790')())), BUSY)
  t.is(await tries(), 4)
  t.is(failureOf(await check({ accountId: 1 }, '135790')()), null)
})

test('counts a guess that differs from the secret remembered for a minute, even if the hasher is busy', async (t) => {
  const { ports, rushed } = await here()
  const [check, enter] = [checkPin(ports), logIn(ports)]
  const pin = (guess: string) => rushed(() => check({ accountId: 1 }, guess)())
  const password = (guess: typeof RIGHT) => rushed(() => enter(guess, ORIGIN)())
  t.is(failureOf(await check({ accountId: 1 }, '135790')()), null)
  t.is(failureOf(await enter(RIGHT, ORIGIN)()), null)
  for (let tries = 0; tries < 5; tries += 1) {
    t.deepEqual(failureOf(await pin('111222')), BUSY)
    t.deepEqual(failureOf(await password(WRONG)), BUSY)
  }
  t.is(failureOf(await pin('135790'))?.code, 'pin.locked')
  t.is(failureOf(await password(RIGHT))?.code, 'login.throttled')
})

test('does not compare with a remembered PIN that was replaced', async (t) => {
  const { ports, rushed } = await here()
  const check = checkPin(ports)
  t.is(failureOf(await check({ accountId: 1 }, '135790')()), null)
  await ports.store.commit([patch(accounts, 1, { set: { pinHash: 'hash of 246813' }, when: always })])
  t.deepEqual(failureOf(await rushed(() => check({ accountId: 1 }, '246813')())), BUSY)
  t.is((await ports.store.find(byId(accounts, 1)))?.pinTries, 0)
})

test('uncounts only an open try at the present PIN', (t) => {
  const changes = (over: Parameters<typeof anAccount>[0], hash = 'hash') =>
    right(decidePinUncompared(anAccount({ pinHash: 'hash', ...over }), { hash, tryId: 'tryId' })).changes
  t.like(changes({ pinTries: 5, pinLockedUntil: NOW, pinOpenTries: 'other tryId' })[0], {
    set: { pinTries: 4, pinLockedUntil: null, pinOpenTries: 'other' },
  })
  t.deepEqual(changes({ pinTries: 3, pinOpenTries: 'other' }), [])
  t.deepEqual(changes({ pinTries: 3, pinOpenTries: 'tryId' }, 'another'), [])
  t.deepEqual(right(decidePinUncompared(null, { hash: 'hash', tryId: 'tryId' })).changes, [])
})

test('answers simultaneous requests with one PIN even if the first of them is aborted', async (t) => {
  const { ports } = await here()
  const gone = { ...ORIGIN, signal: { aborted: true } }
  const hasher: typeof ports.hasher = {
    ...ports.hasher,
    async verify(secret, stored, requester) {
      if (requester?.signal?.aborted) throw new HasherBusy('the request was aborted')
      return ports.hasher.verify(secret, stored, requester)
    },
  }
  const check = checkPin({ ...ports, hasher })
  const [first, ...others] = await Promise.all(
    [gone, ORIGIN, ORIGIN, ORIGIN].map((origin) => check({ accountId: 1, origin }, '135790')()),
  )
  t.is(first && failureOf(first)?.code, 'server.busy')
  for (const answer of others) t.is(failureOf(answer), null)
})

test('counts no try at a right code if the busy hasher could not hash the password', async (t) => {
  for (const flow of ['v1', 'legacy'] as const) {
    const { ports, rushed, mailsTo, every } = await here()
    if (flow === 'v1') right(await forgotPassword(ports)({ email: EMAIL })())
    else right(await forgotByLink(ports)({ email: EMAIL, document: DOCUMENT, url: 'http://localhost/nova' })())
    const code = /^\d{6}$/m.exec((await mailsTo(EMAIL)).at(-1) ?? '')?.[0] ?? ''
    const reset = async () => {
      const answer = await (flow === 'v1'
        ? resetPassword(ports)({ email: EMAIL, code, password: NEW }, ORIGIN)()
        : resetByToken(ports)({ email: EMAIL, token: code, password: NEW }, ORIGIN)())
      return failureOf(answer)
    }
    for (let tries = 0; tries < OFTEN; tries += 1) t.deepEqual(await rushed(reset), BUSY, flow)
    t.is((await every(codes))[0]?.triesLeft, 20, flow)
    t.deepEqual(new Set(column(await every(codeTryCounts), 'wrong')), new Set([0]), flow)
    t.is(await reset(), null, flow)
    t.is((await reset())?.code, 'code.invalid', flow)
  }
})

test('uses up no link if the busy hasher could not hash the password', async (t) => {
  const { ports, rushed, mailsTo } = await here()
  right(await forgotByLink(ports)({ email: EMAIL, document: DOCUMENT, url: 'http://localhost/nova' })())
  const token = /token=([\w-]+)/.exec((await mailsTo(EMAIL)).at(-1) ?? '')?.[1] ?? ''
  const reset = async () => failureOf(await resetByToken(ports)({ token, password: NEW }, ORIGIN)())
  t.deepEqual(await rushed(reset), BUSY)
  t.is(await reset(), null)
})

test('passes the requester to the hasher and fails with server.busy in every use case that hashes a secret', async (t) => {
  const { ports, caller, signedIn, requesters, rushed, every } = await here()
  const origin = { address: '198.51.100.9', device: null, signal: { aborted: false } }
  await ports.store.commit([patch(accounts, 1, { set: { pinHash: null }, when: always })])
  const actor = { accountId: 1, userId: signedIn.user.id, boundTo: null, permissions: [], origin }
  const person = { name: 'Rui', email: 'rui@example.com', password: PASSWORD }
  const ways = {
    register: register(ports)(person, origin),
    registerFull: registerFull(ports)({ ...person, document: '11144477735', phone: '61 91234-5678' }, origin),
    logIn: logIn(ports)(RIGHT, origin),
    'logIn with an unknown e-mail': logIn(ports)({ email: 'unknown@example.com', password: PASSWORD }, origin),
    editSelf: editSelf(ports)(caller, { currentPassword: PASSWORD, newPassword: NEW }, origin),
    addTeamMember: addTeamMember(ports)(actor, { ...person, roleId: 2 }),
    updateTeamMember: updateTeamMember(ports)(actor, signedIn.user.id, { password: NEW }),
    setPin: setPin(ports)(actor, { pin: '135790' }),
    updateAccount: updateAccount(ports)(actor, { newPin: '135790' }),
  }
  const before = await every(accounts)
  for (const [name, way] of Object.entries(ways)) {
    requesters.length = 0
    t.deepEqual(failureOf(await rushed(() => way() as ReturnType<typeof ways.setPin>)), BUSY, name)
    t.deepEqual(requesters, [origin], name)
  }
  t.deepEqual(await every(accounts), before)
})
