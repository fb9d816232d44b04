import type { Log } from '../../core/ports/runtime.ts'

const emit: Log['warn'] = (message, facts) =>
  process.emitWarning(facts === undefined ? message : `${message} ${JSON.stringify(facts)}`)

/** A log whose lines are warnings of the process: on stderr, and events of `process`. */
export const warningLog: Log = { warn: emit, error: emit }
