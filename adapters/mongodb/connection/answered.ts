import { type MongoClient, MongoNetworkTimeoutError } from 'mongodb'
import { isUnsent } from './faults.ts'

/** Asks the driver, and waits for its answer, but not for ever. */
export type Answered = <T>(ask: () => Promise<T>) => Promise<T>

/**
 * The driver (7.9) has no bound of its own for a connection that ends in the very moment in which it is written to: it
 * waits for a socket that is gone, or passes on the socket's own error and asks no second time.
 */
export const answeredBy = ({ options }: Pick<MongoClient, 'options'>): Answered => {
  const { serverSelectionTimeoutMS, socketTimeoutMS } = options
  const withinMs = serverSelectionTimeoutMS + (socketTimeoutMS || ANSWER_MS)
  return (ask) => bounded(ask(), withinMs)
}

/** The same for a question: what was never sent is asked again. A write is not: the driver may have sent it before. */
export const answeredOrAskedAgain = async <T>(answered: Answered, ask: () => Promise<T>): Promise<T> => {
  try {
    return await answered(ask)
  } catch (error) {
    if (!isUnsent(error)) throw error
  }
  return answered(ask)
}

/** How long an answer may take: a host that went away without a word is given up after it. */
export const ANSWER_MS = 20_000

const bounded = <T>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new MongoNetworkTimeoutError(`no answer in ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
