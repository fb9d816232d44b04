import { scryptSync } from 'node:crypto'
import test from 'ava'
import { jsHasher, scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { isAtOnce } from '../../at-once.ts'

const logN = 10
const hashers = { native: scryptHasher({ logN }), javascript: jsHasher({ logN }) }
const SECRETS = ['482913', 'correct horse battery staple', 'sênha com ação 🔐', '', 'x'.repeat(5000)]

for (const [name, hasher] of Object.entries(hashers)) {
  test(`${name}: the stored form is scrypt$N$r$p$salt$key, by RFC 7914`, async (t) => {
    const stored = await hasher.hash('sênha 🔐')
    t.regex(stored, /^scrypt\$1024\$8\$1\$[A-Za-z\d+/]{22}==\$[A-Za-z\d+/]{43}=$/)
    const [, , , , salt = '', key = ''] = stored.split('$')
    t.is(scryptSync('sênha 🔐', Buffer.from(salt, 'base64'), 32, { N: 1024, r: 8, p: 1 }).toString('base64'), key)
  })

  test(`${name}: the same secret is never stored alike`, async (t) => {
    t.not(await hasher.hash('482913'), await hasher.hash('482913'))
  })

  test(`${name}: only the secret itself is verified`, async (t) => {
    const stored = await hasher.hash('482913')
    t.true(await hasher.verify('482913', stored))
    for (const wrong of ['482914', '', '4829131', ' 482913', '482913 ', '４８２９１３']) {
      t.false(await hasher.verify(wrong, stored), JSON.stringify(wrong))
    }
  })

  test(`${name}: hashes of another cost are verified`, async (t) => {
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

  test(`${name}: another form, an empty key or an absurd cost is false`, async (t) => {
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

  test(`${name}: verifyDummy takes the work of verify and returns nothing`, async (t) => {
    t.is(await hasher.verifyDummy('482913'), undefined)
  })

  test(`${name}: with a given source of salts the hash is reproducible`, async (t) => {
    const make = name === 'native' ? scryptHasher : jsHasher
    const hash = () => make({ logN, random: seededRandom(1) }).hash('482913')
    t.is(await hash(), await hash())
  })

  test(`${name}: many at once are all right`, async (t) => {
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

test('each verifies what the other hashed', async (t) => {
  for (const secret of SECRETS) {
    t.true(await hashers.javascript.verify(secret, await hashers.native.hash(secret)), secret)
    t.true(await hashers.native.verify(secret, await hashers.javascript.hash(secret)), secret)
  }
})

test('both work alike for well-known salts: byte for byte', async (t) => {
  const options = () => ({ logN, random: seededRandom(9) })
  t.is(await scryptHasher(options()).hash('ação'), await jsHasher(options()).hash('ação'))
})

test('the cost by default is N = 2^15', async (t) => {
  t.true((await scryptHasher().hash('482913')).startsWith('scrypt$32768$8$1$'))
})

test('a cost that verify would refuse cannot be asked for', (t) => {
  for (const wrong of [0, -1, 1.5, 18, 40, Number.NaN]) {
    t.throws(() => scryptHasher({ logN: wrong }), { instanceOf: RangeError }, String(wrong))
  }
})

test('native: the event loop is free while it hashes', async (t) => {
  t.false(await isAtOnce(scryptHasher({ logN: 14 }).hash('482913')))
})

test.serial('javascript: the event loop goes round while it hashes', async (t) => {
  let [rounds, isDone] = [0, false]
  const goRound = () => {
    rounds += 1
    if (!isDone) setImmediate(goRound)
  }
  setImmediate(goRound)
  await jsHasher({ logN: 12 }).hash('482913')
  isDone = true
  // 2 * 4096 blocks in slices of 125 are 66 rounds; computed in one go it would not go round.
  t.true(rounds >= 60, `${rounds}`)
})
