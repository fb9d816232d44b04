/** Adapters that keep everything in this process: for tests, and for trying the core without anything else. */
export { setClock } from '../clock/set-clock.ts'
export { seededRandom } from '../crypto/seeded-random.ts'
export { memoryMailer } from '../mail/memory-mailer.ts'
export { memorySender } from '../webhooks/memory-sender.ts'
export { memoryPorts } from './memory-ports.ts'
export { type MemoryOptions, memoryStore } from './memory-store.ts'
