import test from 'ava'
import { seededRandom, systemRandom } from '../../../adapters/crypto/random.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the system returns different bytes each time, also beyond the quota of one call', (t) => {
  t.is(systemRandom.bytes(0).length, 0)
  t.is(systemRandom.bytes(16).length, 16)
  t.not(hex(systemRandom.bytes(16)), hex(systemRandom.bytes(16)))
  const many = systemRandom.bytes(65_536 * 2 + 100)
  t.is(many.length, 65_536 * 2 + 100)
  // 100 zero bytes at the end by chance: 1 in 2^800.
  t.true(many.subarray(-100).some((byte) => byte !== 0))
})

test('a seed gives the same bytes on every machine and in every release', (t) => {
  const random = seededRandom(42)
  for (const [count, known] of [
    [5, '3d945d27b4'],
    [16, '4e30a104211041369c97ee8865e2aae1'],
    [0, ''],
    [32, 'a8e72cba6cbbbd70ff4baa92dfa59bce574ba749e648e399b1e7b6d9e6a7c2a2'],
  ] as const)
    t.is(hex(random.bytes(count)), known)
})

test('near, large and negative seeds give unrelated bytes', (t) => {
  const seeds = [0, 1, 2, 3, -1, 2 ** 32, 2 ** 32 + 1, 2 ** 40, Number.MAX_SAFE_INTEGER]
  t.is(new Set(seeds.map((seed) => hex(seededRandom(seed).bytes(8)))).size, seeds.length)
})

test('seeded bytes are distributed evenly', (t) => {
  const counts = new Array<number>(256).fill(0)
  const size = 256 * 1000
  for (const byte of seededRandom(7).bytes(size)) counts[byte] = (counts[byte] ?? 0) + 1
  const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
  // 255 degrees of freedom: the bounds exclude one sequence in a million at either end.
  t.true(chiSquare > 160 && chiSquare < 380, String(chiSquare))
})
