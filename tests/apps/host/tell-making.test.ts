import test from 'ava'
import { logUpgrade } from '../../../apps/host/run.ts'

const MAKING = 'the store is being upgraded for this release while it serves'

const told = async (settled: (() => Promise<void>) | undefined): Promise<readonly string[]> => {
  const lines: string[] = []
  await logUpgrade(settled ? { settled } : {}, { info: (message) => void lines.push(message) }, () => false)
  return lines
}

/** What is told of a store that is made as soon as it is told of. */
const toldOfMaking = async ({ isEnding = false } = {}): Promise<readonly string[]> => {
  const lines: string[] = []
  let make = (): void => {}
  const made = new Promise<void>((resolve) => {
    make = resolve
  })
  const info = (message: string) => {
    lines.push(message)
    make()
  }
  await logUpgrade({ settled: () => made }, { info }, () => isEnding)
  return lines
}

test('a store that has all it needs, or never says, is not spoken of', async (t) => {
  t.deepEqual(await told(async () => {}), [])
  t.deepEqual(await told(undefined), [])
})

test('an operator hears that something is made, and when it is', async (t) => {
  t.deepEqual(await toldOfMaking(), [MAKING, 'store ready'])
})

test('a process that ends meanwhile does not say that it was done', async (t) => {
  t.deepEqual(await toldOfMaking({ isEnding: true }), [MAKING])
})
