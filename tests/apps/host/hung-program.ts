import { writeSync } from 'node:fs'
import { run } from '../../../apps/host/run.ts'
import { slow } from './slow.ts'

const STDOUT = 1

const start = async () => {
  setInterval(() => {}, 1_000)
  return { url: 'http://hung', stop: () => new Promise<void>(() => {}) }
}

// An app that never completes its stop.
await run([{ name: 'hung', collections: [slow], start }], () => void writeSync(STDOUT, 'serving\n'))
