import type { ServerResponse } from 'node:http'

/** Answers that last as long as something may happen, each with what ends it. */
const endings = new WeakMap<ServerResponse, () => void>()

/** Ends an answer that waits for what may happen, as if nothing more came; any other goes on. */
export const endLive = (answer: ServerResponse): void => endings.get(answer)?.()

const END: IteratorResult<never> = { done: true, value: undefined }

/** The pieces of an answer, until `endLive`: whoever waits for the next one is let go then, and so is what makes them. */
export const untilEnded = <A>(answer: ServerResponse, pieces: AsyncIterable<A>): AsyncIterable<A> => {
  const each = pieces[Symbol.asyncIterator]()
  let isEnded = false
  let wake = (): void => {}
  const letGo = async (): Promise<IteratorResult<A>> => {
    isEnded = true
    await each.return?.()
    return END
  }
  endings.set(answer, () => {
    if (isEnded) return
    letGo().catch(() => {})
    wake()
  })
  const next = (): Promise<IteratorResult<A>> =>
    new Promise((resolve, reject) => {
      wake = () => resolve(END)
      if (isEnded) wake()
      else each.next().then(resolve, reject)
    })
  return { [Symbol.asyncIterator]: () => ({ next, return: letGo }) }
}
