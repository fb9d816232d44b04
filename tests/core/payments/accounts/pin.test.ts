import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { checkPin, decidePinRight, decidePinTry, isWeakPin, setPin } from '../../../../core/payments/accounts/pin.ts'
import { byId, StoreUnavailable } from '../../../../core/ports/store.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { anAccount, freshAt } from '../records.ts'
import { failureOf, NOW, openPayments, right } from '../world.ts'

const LOCK_SECONDS = 1_800
const at = (seconds: number) => freshAt(addSeconds(NOW, seconds))

test('counts each guess before it is compared, locks at the fifth, and clears an expired lock', (t) => {
  const set = { pinHash: 'hash' }
  const counted = (pinTries: number, pinLockedUntil: string | null, seconds: number) =>
    right(decidePinTry(anAccount({ ...set, pinTries, pinLockedUntil }), at(seconds))).changes
  t.like(counted(0, null, 0)[0], { set: { pinTries: 1, pinLockedUntil: null } })
  t.like(counted(3, null, 0)[0], { set: { pinTries: 4, pinLockedUntil: null } })
  const lockedUntil = addSeconds(NOW, LOCK_SECONDS)
  t.like(counted(4, null, 0)[0], { set: { pinTries: 5, pinLockedUntil: lockedUntil } })
  const locked = anAccount({ ...set, pinTries: 5, pinLockedUntil: lockedUntil })
  t.like(failureOf(decidePinTry(locked, at(LOCK_SECONDS - 1))), { tag: 'forbidden', code: 'pin.locked' })
  t.like(counted(5, lockedUntil, LOCK_SECONDS)[0], { set: { pinTries: 1, pinLockedUntil: null } })
})

test('rejects a guess for an account without a PIN, and for a removed one', (t) => {
  t.like(failureOf(decidePinTry(anAccount(), at(0))), { code: 'pin.none' })
  t.like(failureOf(decidePinTry(anAccount({ removedAt: NOW }), at(0))), { code: 'account.unknown' })
  t.like(failureOf(decidePinTry(null, at(0))), { code: 'account.unknown' })
})

test('accepts a right guess only for the PIN that it was compared with', (t) => {
  t.like(failureOf(decidePinRight(anAccount({ pinHash: 'another' }), 'hash')), { code: 'pin.wrong' })
  t.is(right(decidePinRight(anAccount({ pinHash: 'hash', pinTries: 3 }), 'hash')).changes.length, 1)
})

/** Ports with an account whose PIN is 135790. */
const withPin = async (pinTries = 0) => {
  const here = openPayments()
  await here.ports.store.commit([insert(accounts, anAccount({ pinHash: 'hash of 135790', pinTries }))])
  return here
}

test('compares five of 100 wrong guesses in two processes', async (t) => {
  const { ports, compared } = await withPin()
  const processes = [checkPin(ports), checkPin(ports)]
  const guesses = Array.from({ length: 100 }, (_, n) => processes[n % 2]?.({ accountId: 1 }, `${200_000 + n}`)())
  const said = (await Promise.all(guesses)).map((answer) => answer && failureOf(answer)?.code)
  t.is(compared.length, 5)
  t.is(said.filter((code) => code === 'pin.wrong').length, 5)
  t.is(said.filter((code) => code === 'pin.locked').length, 95)
})

test('compares simultaneous right guesses once and resets the counter, and counts each of equal wrong ones', async (t) => {
  const { ports, compared } = await withPin(2)
  let commits = 0
  const store = beforeCommits(ports.store, () => {
    commits += 1
  })
  const check = checkPin({ ...ports, store })
  const guess = async (pin: string, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => check({ accountId: 1 }, pin)()))).map(
      (answer) => failureOf(answer)?.code,
    )
  t.deepEqual(await guess('135790', 200), Array(200).fill(undefined))
  t.true(commits <= 4, `${commits}`)
  t.like(await ports.store.find(byId(accounts, 1)), { pinTries: 0, pinLockedUntil: null })
  const said = await guess('200000', 50)
  t.deepEqual(compared, ['135790', ...Array(5).fill('200000')])
  t.is(said.filter((code) => code === 'pin.locked').length, 45)
  t.like(failureOf(await check({ accountId: 1 }, '135790')()), { code: 'pin.locked' })
})

test('rejects a right guess if the PIN changes while it is compared', async (t) => {
  const { ports } = await withPin(2)
  const verify: typeof ports.hasher.verify = async (...given) => {
    const set = { pinHash: 'hash of 246802' }
    t.true((await ports.store.commit([patch(accounts, 1, { set, when: always })])).ok)
    return ports.hasher.verify(...given)
  }
  const check = checkPin({ ...ports, hasher: { ...ports.hasher, verify } })
  t.like(failureOf(await check({ accountId: 1 }, '135790')()), { code: 'pin.wrong' })
  t.like(await ports.store.find(byId(accounts, 1)), { pinTries: 3 })
})

/** Processes on one store; a process that crashes during a comparison never returns. */
const dyingProcesses = async () => {
  const { ports, compared, clock } = await withPin()
  const alive = () => checkPin(ports)
  const dies = async (pin: string): Promise<void> => {
    const comparing = new Promise<void>((begun) => {
      const verify = () => {
        begun()
        return new Promise<never>(() => {})
      }
      void checkPin({ ...ports, hasher: { ...ports.hasher, verify } })({ accountId: 1 }, pin)()
    })
    await comparing
  }
  const code = async (pin: string, check = alive()) => failureOf(await check({ accountId: 1 }, pin)())?.code ?? 'right'
  return { ports, compared, clock, dies, code }
}

test('uncounts guesses of a crashed process when their lease ends', async (t) => {
  const { clock, dies, code, ports } = await dyingProcesses()
  for (const pin of ['135790', '135790', '200000', '135790', '135790']) await dies(pin)
  t.is(await code('135790'), 'pin.locked')
  clock.advance(15)
  t.is(await code('135790'), 'right')
  t.like(await ports.store.find(byId(accounts, 1)), { pinTries: 0, pinLockedUntil: null, pinOpenTries: null })
})

test('keeps compared wrong guesses counted while others are uncounted', async (t) => {
  const { clock, dies, code, compared } = await dyingProcesses()
  for (let guess = 0; guess < 3; guess += 1) t.is(await code(`20000${guess}`), 'pin.wrong')
  await dies('135790')
  await dies('135790')
  t.is(await code('135790'), 'pin.locked')
  clock.advance(15)
  t.is(await code('200003'), 'pin.wrong')
  t.is(await code('200004'), 'pin.wrong')
  t.is(await code('135790'), 'pin.locked')
  t.is(compared.length, 5)
  clock.advance(60)
  t.is(await code('135790'), 'pin.locked')
})

test('counts anew a wrong guess that is compared after its lease', async (t) => {
  const { ports, clock, code } = await dyingProcesses()
  const slow = () => {
    const verify: typeof ports.hasher.verify = async (...given) => {
      clock.advance(16)
      // Another process uncounts it in the meantime.
      await code('135791')
      return ports.hasher.verify(...given)
    }
    return checkPin({ ...ports, hasher: { ...ports.hasher, verify } })
  }
  t.is(await code('200000', slow()), 'pin.wrong')
  t.like(await ports.store.find(byId(accounts, 1)), { pinTries: 2, pinOpenTries: null })
  for (const pin of ['200001', '200002', '200003']) t.is(await code(pin), 'pin.wrong')
  t.is(await code('135790'), 'pin.locked')
})

test('returns the failure of a wrong guess only once it is stored', async (t) => {
  const { ports, code } = await dyingProcesses()
  let commits = 0
  const store = beforeCommits(ports.store, () => {
    commits += 1
    if (commits === 2) throw new StoreUnavailable('away')
  })
  t.is(await code('200000', checkPin({ ...ports, store })), 'store.unavailable')
})

test('sets a first PIN of six digits, once', async (t) => {
  const { ports } = openPayments()
  await ports.store.commit([insert(accounts, anAccount())])
  const set = (pin: unknown) => setPin(ports)({ accountId: 1, userId: 1, permissions: [] }, { pin: pin as string })()
  for (const [pin, code] of [
    ['12345', 'digits'],
    ['1234567', 'digits'],
    ['１３５７９０', 'digits'],
    ['', 'required'],
    [undefined, 'required'],
    [135_790, 'text'],
  ] as const)
    t.like(failureOf(await set(pin)), { tag: 'invalid', issues: [{ path: 'pin', code }] }, `${pin}`)
  const [first, second] = await Promise.all([set('135790'), set('246801')])
  t.true(right(first).account.hasPin)
  t.like(failureOf(second), { code: 'pin.set' })
  t.is((await ports.store.find(byId(accounts, 1)))?.pinHash, 'hash of 135790')
})

test('rejects runs and repeated digits as weak', (t) => {
  for (const pin of ['123456', '456789', '012345', '654321', '987654', '000000', '777777']) t.true(isWeakPin(pin), pin)
  for (const pin of ['890123', '901234', '210987', '123457', '135791', '112233', '246801']) t.false(isWeakPin(pin), pin)
})
