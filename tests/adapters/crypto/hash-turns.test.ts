import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { MAX_WAITING_HASHES } from '../../../core/limits.ts'
import { HasherBusy, type Requester } from '../../../core/ports/identity.ts'
import { AT_ONCE, steppedHasher as stepped } from './stepped-hasher.ts'

/** The same, with what came of all that was asked. */
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

test('600 from one address hold up nobody: somebody else’s is begun next', async (t) => {
  const { ask, step, begun, outcomes } = steppedHasher()
  const all = Array.from({ length: 600 }, (_, number) => ask(`a${number}`, at('203.0.113.7')))
  const other = ask('b', at('198.51.100.9'))
  await setImmediate()
  // Those who came last wait still, and the one who was asked for last has given nobody of others' away.
  t.deepEqual(outcomes, { done: 0, busy: 600 - AT_ONCE - MAX_WAITING_HASHES + 1 })
  const before = begun.length
  await step()
  t.deepEqual(begun.slice(before), ['b'])
  while (begun.length > outcomes.done) await step()
  await Promise.all([...all, other])
  t.is(outcomes.done, AT_ONCE + MAX_WAITING_HASHES)
})

test('the longest waiters of whoever has most give way, and whoever has fewest is served whole', async (t) => {
  const { ask, step, begun, outcomes } = steppedHasher()
  const few = ['b0', 'b1', 'b2'].map((secret) => ask(secret, at('198.51.100.9')))
  const many = Array.from({ length: 600 }, (_, number) => ask(`a${number}`, at('203.0.113.7')))
  while (begun.length > outcomes.done) await step()
  await Promise.all([...few, ...many])
  t.deepEqual(
    begun.filter((secret) => secret.startsWith('b')),
    ['b0', 'b1', 'b2'],
  )
  t.true(begun.includes('a599'), 'the newcomer does not give way')
  t.false(begun.includes('a0'))
})

test('one network takes turns with others as one: an IPv6 /64, and an IPv4 address in any form', async (t) => {
  for (const [theirs, other, isOne] of [
    [['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:0db8:0:1:ffff::3'], '2001:db8:0:2::1', false],
    [['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'], '203.0.113.8', false],
    [['2001:db8:0:1::1'], '2001:db8:0:1::9', true],
  ] as const) {
    const { ask, step, begun, isBusy } = steppedHasher()
    const waiting = Array.from({ length: 12 }, (_, number) =>
      ask(`a${number}`, at(theirs[number % theirs.length] ?? '')),
    )
    const last = ask('b', at(other))
    await setImmediate()
    await step()
    t.is(begun.includes('b'), !isOne, other)
    while (isBusy()) await step()
    await Promise.all([...waiting, last])
  }
})

test('nothing is begun for whoever hung up, at the head of the line as at its end', async (t) => {
  const { ask, step, begun, isBusy, outcomes } = steppedHasher()
  const hungUp = new AbortController()
  const all = Array.from({ length: 100 }, (_, number) =>
    ask(`a${number}`, { address: '203.0.113.7', signal: hungUp.signal }),
  )
  const other = ask('b', at('203.0.113.7'))
  await setImmediate()
  hungUp.abort()
  await step()
  t.deepEqual(begun, ['a0', 'a1', 'b'])
  await ask('too late', { address: '203.0.113.7', signal: hungUp.signal })
  while (isBusy()) await step()
  await Promise.all([...all, other])
  t.deepEqual(begun, ['a0', 'a1', 'b'])
  t.deepEqual(outcomes, { done: 3, busy: 99 })
})

test('those of whom nobody says who they are for wait in one line', async (t) => {
  const { ask, hasher, step, begun, isBusy } = steppedHasher()
  const all = ['c0', 'c1', 'c2', 'c3'].map((secret) => ask(secret))
  const known = ask('b', at('198.51.100.9'))
  const dummy = hasher.verifyDummy('w', null)
  await setImmediate()
  for (let steps = 0; steps < 2; steps += 1) await step()
  t.deepEqual(begun, ['c0', 'c1', 'b', 'c2'])
  while (isBusy()) await step()
  await Promise.all([...all, known, dummy])
})
