import { setImmediate } from 'node:timers/promises'
import type { Statement, StatementHolder, StatementRenderer } from '../../../core/ports/documents.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { sideThread, threadEntry } from '../../concurrency/side-thread.ts'
import { slots } from '../../concurrency/slots.ts'
import { receiptPdf } from './receipt-pdf.ts'

const DRAWER = 'statement-drawer'
/** Statements of one account that are drawn or wait: what they hold, and whoever waits for them, would else have no bound. */
const MOST_WAITING = 16

/** A thread for each, which takes what it has needed of the memory with it. */
const drawnAside = async (statement: Statement): Promise<Uint8Array> => {
  const drawer = sideThread<Statement, Uint8Array>(DRAWER, threadEntry(import.meta.url, DRAWER), null)
  try {
    return await drawer.ask(statement)
  } finally {
    await drawer.close()
  }
}

const accountOf = ({ bank, agency, account }: StatementHolder): string => [bank, agency, account].join('|')

/** At most so many of one account; what is over it is told so at once. */
const bounded = (most: number) => {
  const counts = new Map<string, number>()
  return async <A>(of: string, task: () => Promise<A>): Promise<A> => {
    const count = counts.get(of) ?? 0
    if (count >= most) throw new StoreUnavailable(`${most} statements of the account wait to be drawn`)
    counts.set(of, count + 1)
    try {
      return await task()
    } finally {
      const left = (counts.get(of) ?? 1) - 1
      if (left > 0) counts.set(of, left)
      else counts.delete(of)
    }
  }
}

/**
 * Statements by pdf-lib, each in a thread, one at a time and account by account: thousands of lines take seconds. A receipt is
 * short, and drawn where it is asked for, between two turns of whoever else is served. Rejects with `StoreUnavailable` where
 * too many statements of one account wait.
 */
export const pdfStatementRenderer = (
  draw: (statement: Statement) => Promise<Uint8Array> = drawnAside,
): StatementRenderer => {
  const [aside, here, held] = [slots(1), slots(1), bounded(MOST_WAITING)]
  return {
    statementPdf: (statement) => {
      const of = accountOf(statement.holder)
      return held(of, () => aside(() => draw(statement), of))
    },
    receiptPdf: (receipt) =>
      here(async () => {
        await setImmediate()
        return receiptPdf(receipt)
      }, accountOf(receipt.holder)),
  }
}
