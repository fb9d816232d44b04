import { StoreUnavailable } from '../../core/ports/store.ts'
import { CannotListen } from '../http/serve.ts'
import { CannotStart } from './environment.ts'

/** Runs a program to its end; what an operator can mend and keeps it from its work is one line and exit code 1. */
export const runProgram = async (program: () => Promise<void>): Promise<void> => {
  try {
    await program()
  } catch (error) {
    if (!isOperators(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

const isOperators = (error: unknown): error is Error =>
  [CannotStart, CannotListen, StoreUnavailable].some((kind) => error instanceof kind)
