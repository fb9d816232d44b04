import { writeSync } from 'node:fs'
import { run } from '../../../apps/host/run.ts'
import { slow } from './slow.ts'

const STDOUT = 1

/** Blocks the migrating thread for ever. */
const endless = (): null => {
  writeSync(STDOUT, 'migrating\n')
  for (;;);
}

const start = (): Promise<never> => {
  writeSync(STDOUT, 'starting\n')
  return new Promise(() => setInterval(() => {}, 1_000))
}

// An app that never completes its start; with MIGRATE its store never completes its migration.
const keys = process.env.MIGRATE === 'true' ? { keys: { never: endless } } : {}
await run([{ name: 'slow', collections: [{ ...slow, ...keys }], start }], () => {})
