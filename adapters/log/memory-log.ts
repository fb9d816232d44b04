import type { Log } from '../../core/ports/log.ts'

interface Warning {
  readonly message: string
  readonly facts: Parameters<Log['warn']>[1]
}

/** A log that only keeps what it is told. */
export const memoryLog = (): Log & { readonly warnings: readonly Warning[] } => {
  const warnings: Warning[] = []
  return {
    warnings,
    warn: (message, facts) => void warnings.push({ message, facts }),
  }
}
