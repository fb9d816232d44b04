import { StoreUnavailable } from '../../core/ports/store.ts'
import { CannotListen } from '../http/server.ts'
import { CannotStart } from './environment.ts'
import { whyOf } from './open-store.ts'

/** Runs a program to its end; what an operator can mend and keeps it from its work is one line and exit code 1. */
export const runProgram = async (program: () => Promise<void>): Promise<void> => {
  try {
    await program()
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`)
    process.exitCode = 1
  }
}

const lineOf = (error: unknown): string => {
  if (error instanceof CannotStart || error instanceof CannotListen) return error.message
  if (error instanceof StoreUnavailable) return `STORE_URL: ${whyOf(error)}`
  throw error
}
