/** Adapters within this process, for tests and trials. */
export { type MemoryCharging, memoryCharging } from '../charging/memory-charging.ts'
export { setClock } from '../clock/set-clock.ts'
export { seededRandom } from '../crypto/random.ts'
export { memoryFiles } from '../files/memory-files.ts'
export { memoryLog } from '../telemetry/log.ts'
export { memoryEstatePorts, memoryPorts } from './memory-ports.ts'
export {
  type MemoryIdentity,
  memoryIdentity,
  memoryMailer,
  memoryMessenger,
  memorySender,
  memoryTenantMailer,
} from './memory-services.ts'
export { type MemoryOptions, type MemoryRecords, memoryRecords, memoryStore } from './memory-store.ts'
