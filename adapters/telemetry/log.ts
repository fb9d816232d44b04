import type { Log } from '../../core/ports/runtime.ts'

const emit: Log['warn'] = (message, facts) =>
  process.emitWarning(facts === undefined ? message : `${message} ${JSON.stringify(facts)}`)

/** Emits log lines as warnings of the process: on stderr, and as events of `process`. */
export const warningLog: Log = { warn: emit, error: emit }

interface Line {
  readonly message: string
  readonly facts: Parameters<Log['warn']>[1]
}

/** Stores log lines in memory. */
export const memoryLog = (): Log & { readonly warnings: readonly Line[]; readonly errors: readonly Line[] } => {
  const warnings: Line[] = []
  const errors: Line[] = []
  return {
    warnings,
    errors,
    warn: (message, facts) => void warnings.push({ message, facts }),
    error: (message, facts) => void errors.push({ message, facts }),
  }
}
