import test from 'ava'
import type { RawResult } from '../../../adapters/sqlite/execute.ts'
import type { Plan } from '../../../adapters/sqlite/plan.ts'
import { readerPool } from '../../../adapters/sqlite/reader/reader-pool.ts'
import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

const planOf = (whose: string, text: string): Plan => ({
  kind: 'doc',
  sql: { text, values: [] },
  longProbe: null,
  owner: whose,
})

/** A pool over threads that answer when they are told to, and what was asked of them, in order. */
const staged = () => {
  const asked: { readonly text: string; answer(): void; fail(): void }[] = []
  const pool = readerPool('', () => ({
    run: ([plan]) =>
      new Promise<readonly RawResult[]>((resolve, reject) => {
        const text = plan?.kind === 'doc' ? plan.sql.text : ''
        asked.push({ text, answer: () => resolve([{ kind: 'doc', doc: text }]), fail: () => reject(new Error(text)) })
      }),
    close: async () => {},
  }))
  const texts = () => asked.map(({ text }) => text)
  const answer = async (text: string, how: 'answer' | 'fail' = 'answer') => {
    asked.find((one) => one.text === text)?.[how]()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { texts, answer, ask: (whose: string, text: string) => pool.run([planOf(whose, text)]), close: pool.close }
}

test('whoever asks for much has one thread, and another owner goes before what they still wait for', async (t) => {
  const { texts, answer, ask } = staged()
  for (const text of ['a1', 'a2', 'a3', 'a4']) void ask('a', text)
  t.deepEqual(texts(), ['a1'])
  void ask('b', 'b1')
  t.deepEqual(texts(), ['a1', 'b1'])
  void ask('c', 'c1')
  void ask('b', 'b2')
  await answer('a1')
  t.deepEqual(texts(), ['a1', 'b1', 'c1'])
  await answer('c1')
  t.deepEqual(texts(), ['a1', 'b1', 'c1', 'a2'])
  await answer('b1')
  await answer('b2')
  await answer('a2')
  t.deepEqual(texts(), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('each is told its own answer, and one that fails holds nobody up', async (t) => {
  const { answer, ask } = staged()
  const [first, second] = [ask('a', 'a1'), ask('a', 'a2')]
  const failed = t.throwsAsync(first, { message: 'a1' })
  await answer('a1', 'fail')
  await answer('a2')
  await failed
  t.deepEqual(await second, [{ kind: 'doc', doc: 'a2' }])
})

test('a line has an end: who asks for more is told so, and others are not', async (t) => {
  const { ask, texts } = staged()
  for (let number = 0; number <= MAX_WAITING_WALKS; number += 1) void ask('a', `a${number}`)
  await t.throwsAsync(ask('a', 'too much'), { instanceOf: StoreUnavailable })
  void ask('b', 'b1')
  t.true(texts().includes('b1'))
})

test('one that is closed answers what is with a thread, and asks no thread any more', async (t) => {
  const { ask, answer, close, texts } = staged()
  const [first, second] = [ask('a', 'a1'), ask('a', 'a2')]
  const refused = t.throwsAsync(second, { instanceOf: StoreUnavailable, message: 'the store is closed' })
  await Promise.all([close(), refused])
  await answer('a1')
  t.deepEqual(await first, [{ kind: 'doc', doc: 'a1' }])
  await t.throwsAsync(ask('b', 'b1'), { instanceOf: StoreUnavailable })
  t.deepEqual(texts(), ['a1'])
})
