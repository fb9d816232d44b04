import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { tellMaking } from '../../../apps/host/tell-making.ts'

const told = async (settled: (() => Promise<void>) | undefined, isEnding = false): Promise<readonly string[]> => {
  const lines: string[] = []
  const log = { info: (message: string) => void lines.push(message) }
  await tellMaking(settled ? { settled } : {}, log, () => isEnding)
  return lines
}
const MAKING = 'the store is being made what this release needs, beside what is served'

test('a store that has all it needs, or never says, is not spoken of', async (t) => {
  t.deepEqual(await told(async () => {}), [])
  t.deepEqual(await told(undefined), [])
})

test('an operator hears that something is made, and when it is', async (t) => {
  t.deepEqual(await told(() => sleep(400)), [MAKING, 'store ready'])
})

test('a process that ends meanwhile does not say that it was done', async (t) => {
  t.deepEqual(await told(() => sleep(400), true), [MAKING])
})
