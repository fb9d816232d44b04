import { scryptSync } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'ava'
import { jsHasher, scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { MAX_WAITING_HASHES } from '../../../core/limits.ts'
import { HasherBusy, type Requester } from '../../../core/ports/identity.ts'
import { isAtOnce } from '../../at-once.ts'
import { AT_ONCE, steppedHasher as stepped } from './stepped-hasher.ts'

const logN = 10
const hashers = { native: scryptHasher({ logN }), javascript: jsHasher({ logN }) }
const SECRETS = ['482913', 'correct horse battery staple', 'sênha com ação 🔐', '', 'x'.repeat(5000)]

for (const [name, hasher] of Object.entries(hashers)) {
  test(`${name}: stores scrypt$N$r$p$salt$key (RFC 7914)`, async (t) => {
    const stored = await hasher.hash('sênha 🔐')
    t.regex(stored, /^scrypt\$1024\$8\$1\$[A-Za-z\d+/]{22}==\$[A-Za-z\d+/]{43}=$/)
    const [, , , , salt = '', key = ''] = stored.split('$')
    t.is(scryptSync('sênha 🔐', Buffer.from(salt, 'base64'), 32, { N: 1024, r: 8, p: 1 }).toString('base64'), key)
  })

  test(`${name}: stores a secret differently each time`, async (t) => {
    t.not(await hasher.hash('482913'), await hasher.hash('482913'))
  })

  test(`${name}: verifies only the secret itself`, async (t) => {
    const stored = await hasher.hash('482913')
    t.true(await hasher.verify('482913', stored))
    for (const wrong of ['482914', '', '4829131', ' 482913', '482913 ', '４８２９１３'])
      t.false(await hasher.verify(wrong, stored), JSON.stringify(wrong))
    t.is(await hasher.verifyDummy('482913'), undefined)
  })

  test(`${name}: verifies hashes of another cost`, async (t) => {
    const key = (N: number, r: number, p: number) => scryptSync('segredo', Buffer.alloc(16, 1), 32, { N, r, p })
    for (const [N, r, p] of [
      [2, 1, 1],
      [16, 8, 3],
      [2048, 4, 2],
    ] as const) {
      const salt = Buffer.alloc(16, 1).toString('base64')
      const stored = `scrypt$${N}$${r}$${p}$${salt}$${key(N, r, p).toString('base64')}`
      t.true(await hasher.verify('segredo', stored), stored)
      t.false(await hasher.verify('outro', stored), stored)
    }
  })

  test(`${name}: rejects another form, an empty key or an excessive cost`, async (t) => {
    const stored = await hasher.hash('482913')
    const [, , , , salt = '', key = ''] = stored.split('$')
    const wrong = [
      '',
      'scrypt',
      '482913',
      '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
      ` ${stored}`,
      `${stored}\n`,
      `${stored}$`,
      stored.replace('scrypt', 'Scrypt'),
      `scrypt$1024$8$1$${salt}$`,
      `scrypt$1024$8$1$$${key}`,
      `scrypt$1024$8$1$${salt}$${key.slice(4)}`,
      `scrypt$1024$8$1$${salt.slice(4)}$${key}`,
      ...['1000', '0', '1', '-2', '1e3', '0x400', '', '01024', '262144', '2097152', '1099511627776'].map(
        (N) => `scrypt$${N}$8$1$${salt}$${key}`,
      ),
      ...['0', '-1', '', '8.0', '100', '1000000'].map((r) => `scrypt$1024$${r}$1$${salt}$${key}`),
      ...['0', '-1', '', '10', '1000000'].map((p) => `scrypt$1024$8$${p}$${salt}$${key}`),
      `scrypt$131072$8$2$${salt}$${key}`,
      `scrypt$65536$99$1$${salt}$${key}`,
      `scrypt$65536$1$1$${salt}$${key}`,
    ]
    for (const text of wrong) t.false(await hasher.verify('482913', text), text)
  })

  test(`${name}: hashes and verifies concurrently`, async (t) => {
    const stored = await Promise.all(SECRETS.map((secret) => hasher.hash(secret)))
    const matrix = await Promise.all(
      SECRETS.map((secret) => Promise.all(stored.map((text) => hasher.verify(secret, text)))),
    )
    t.deepEqual(
      matrix,
      SECRETS.map((_, row) => SECRETS.map((_, column) => row === column)),
    )
  })
}

test('both hashers store the same bytes for a secret and a salt', async (t) => {
  const options = () => ({ logN, random: seededRandom(9) })
  for (const secret of SECRETS)
    t.is(await scryptHasher(options()).hash(secret), await jsHasher(options()).hash(secret), secret)
})

test('the default cost is N = 2^15', async (t) => {
  t.true((await scryptHasher().hash('482913')).startsWith('scrypt$32768$8$1$'))
})

test('throws for a cost that verify rejects', (t) => {
  for (const wrong of [0, -1, 1.5, 18, 40, Number.NaN]) {
    t.throws(() => scryptHasher({ logN: wrong }), { instanceOf: RangeError }, String(wrong))
  }
})

test('native: does not block the event loop', async (t) => {
  t.false(await isAtOnce(scryptHasher({ logN: 14 }).hash('482913')))
})

test.serial('javascript: yields to the event loop', async (t) => {
  let [rounds, isDone] = [0, false]
  const goRound = () => {
    rounds += 1
    if (!isDone) setImmediate(goRound)
  }
  setImmediate(goRound)
  await jsHasher({ logN: 12 }).hash('482913')
  isDone = true
  // 2 * 4096 blocks in slices of 125 are 66 rounds.
  t.true(rounds >= 60, `${rounds}`)
})

const steppedHasher = () => {
  const { hasher, ...work } = stepped()
  const outcomes = { done: 0, busy: 0 }
  const ask = async (secret: string, requester?: Requester) => {
    try {
      await hasher.hash(secret, requester)
      outcomes.done += 1
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error
      outcomes.busy += 1
    }
  }
  return { ...work, hasher, ask, outcomes }
}

const at = (address: string): Requester => ({ address })

test('600 requests from one address do not delay another address', async (t) => {
  const { ask, step, started, outcomes } = steppedHasher()
  const all = Array.from({ length: 600 }, (_, number) => ask(`a${number}`, at('203.0.113.7')))
  const other = ask('b', at('198.51.100.9'))
  await nextTurn()
  // The queue is full: the request of the other address displaced one of the first address.
  t.deepEqual(outcomes, { done: 0, busy: 600 - AT_ONCE - MAX_WAITING_HASHES + 1 })
  const before = started.length
  await step()
  t.deepEqual(started.slice(before), ['b'])
  while (started.length > outcomes.done) await step()
  await Promise.all([...all, other])
  t.is(outcomes.done, AT_ONCE + MAX_WAITING_HASHES)
})

test('an IPv6 /64, and an IPv4 address in any form, count as one network', async (t) => {
  for (const [theirs, other, isOne] of [
    [['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:0db8:0:1:ffff::3'], '2001:db8:0:2::1', false],
    [['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'], '203.0.113.8', false],
    [['2001:db8:0:1::1'], '2001:db8:0:1::9', true],
  ] as const) {
    const { ask, step, started, isBusy } = steppedHasher()
    const waiting = Array.from({ length: 12 }, (_, number) =>
      ask(`a${number}`, at(theirs[number % theirs.length] ?? '')),
    )
    const last = ask('b', at(other))
    await nextTurn()
    await step()
    t.is(started.includes('b'), !isOne, other)
    while (isBusy()) await step()
    await Promise.all([...waiting, last])
  }
})

test('does not hash for disconnected requesters, at any place of the queue', async (t) => {
  const { ask, step, started, isBusy, outcomes } = steppedHasher()
  const hungUp = new AbortController()
  const all = Array.from({ length: 100 }, (_, number) =>
    ask(`a${number}`, { address: '203.0.113.7', signal: hungUp.signal }),
  )
  const other = ask('b', at('203.0.113.7'))
  await nextTurn()
  hungUp.abort()
  await step()
  t.deepEqual(started, ['a0', 'a1', 'b'])
  await ask('too late', { address: '203.0.113.7', signal: hungUp.signal })
  while (isBusy()) await step()
  await Promise.all([...all, other])
  t.deepEqual(started, ['a0', 'a1', 'b'])
  t.deepEqual(outcomes, { done: 3, busy: 99 })
})

test('requests without a requester share one queue', async (t) => {
  const { ask, hasher, step, started, isBusy } = steppedHasher()
  const all = ['c0', 'c1', 'c2', 'c3'].map((secret) => ask(secret))
  const known = ask('b', at('198.51.100.9'))
  const dummy = hasher.verifyDummy('w', null)
  await nextTurn()
  for (let steps = 0; steps < 2; steps += 1) await step()
  t.deepEqual(started, ['c0', 'c1', 'b', 'c2'])
  while (isBusy()) await step()
  await Promise.all([...all, known, dummy])
})
