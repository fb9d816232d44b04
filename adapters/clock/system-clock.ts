import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../core/ports/runtime.ts'
import { warningLog } from '../telemetry/log.ts'
import { machineTime } from './steady-time.ts'

/** The machine's own clock. That it jumped is a warning of the process. */
export const systemClock: Clock = {
  ...machineTime(warningLog.warn),
  wait: (milliseconds) => setTimeout(milliseconds),
}
