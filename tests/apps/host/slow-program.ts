import { writeSync } from 'node:fs'
import { run } from '../../../apps/host/run.ts'
import { slow } from './slow.ts'

const STDOUT = 1

/** Says so and never ends, in the thread that migrates. */
const endless = (): null => {
  writeSync(STDOUT, 'migrating\n')
  for (;;);
}

const start = (): Promise<never> => {
  writeSync(STDOUT, 'starting\n')
  return new Promise(() => setInterval(() => {}, 1_000))
}

// An app that takes for ever to start; or, where there are records without the key, whose store takes for ever to open.
const keys = process.env.MIGRATE === 'true' ? { keys: { never: endless } } : {}
await run([{ name: 'slow', collections: [{ ...slow, ...keys }], start }], () => {})
