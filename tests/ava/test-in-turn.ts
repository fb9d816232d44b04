import ava, { type ExecutionContext, type TestFn } from 'ava'
import fc from 'fast-check'
import { SEED } from '../seed.ts'

// Replaces AVA's `test` in files that share a process: the titles of each file are kept apart, and the
// files run one after the other, since hundreds of tests at once would keep each other waiting. How long a test took is
// therefore counted from when the process began.

export * from 'ava'

fc.configureGlobal({ seed: SEED })

/** A test file among those of its process. */
interface Turn {
  readonly name: string
  /** Resolves when the files before it are done. */
  readonly begins: Promise<void>
  /** The number of its unfinished tests. */
  left: number
  end(): void
}

let turn: Turn | null = null
let last: Promise<void> = Promise.resolve()

/** Whatever is declared from now on is of this file. */
export const enter = (name: string): void => {
  if (turn?.left === 0) turn.end()
  const begins = last
  const entered: Turn = { name, begins, left: 0, end: () => {} }
  const ended = new Promise<void>((resolve) => {
    entered.end = resolve
  })
  last = begins.then(() => ended)
  turn = entered
}

type Body = (t: ExecutionContext, ...args: unknown[]) => unknown
type Declare = (title: string, body: Body, ...args: unknown[]) => void

const titled =
  (declare: Declare): Declare =>
  (title, body, ...args) =>
    declare(turn ? `${turn.name} › ${title}` : title, body, ...args)

const inTurn =
  (declare: Declare): Declare =>
  (title, body, ...args) => {
    const own = turn
    if (!own) return declare(title, body, ...args)
    own.left += 1
    const whenItIsTime: Body = async (t, ...more) => {
      await own.begins
      // Teardowns run in reverse order.
      t.teardown(() => {
        own.left -= 1
        if (own.left === 0) own.end()
      })
      return body(t, ...more)
    }
    return declare(title, whenItIsTime, ...args)
  }

// Serial tests go one by one before all others as it is.
const serial = Object.assign(titled(ava.serial as Declare), ava.serial)

export default Object.assign(inTurn(titled(ava as Declare)), ava, { serial }) as TestFn
