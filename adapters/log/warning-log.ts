import type { Log } from '../../core/ports/log.ts'

/** A log whose lines are warnings of the process: on stderr, and told to whoever listens for them. */
export const warningLog: Log = {
  warn: (message, facts) => process.emitWarning(facts === undefined ? message : `${message} ${JSON.stringify(facts)}`),
}
