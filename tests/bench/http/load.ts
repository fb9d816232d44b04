import type { Work } from '../rates.ts'
import { type Wire, wire } from './wire.ts'

/** The bytes of the request of that number. */
export type Requests = (number: number) => Buffer

const CONNECTIONS = 32
/** More than are ever in hand where the server keeps up; when it does not, requests wait for one and that counts. */
const OPEN_CONNECTIONS = 128

const connected = (url: string, connections: number): Promise<Wire[]> =>
  Promise.all(Array.from({ length: connections }, () => wire(url)))

const ask = async (one: Wire, request: Buffer): Promise<void> => {
  const { status, body } = await one.ask(request)
  if (status >= 300) throw new Error(`${request.toString('latin1', 0, 40)}… was answered ${status}: ${body}`)
}

/** As much as it takes: every connection asks again as soon as it was answered. */
export const closedLoad = (url: string, requests: Requests): Work => {
  let asked = 0
  return async (endMs) => {
    const wires = await connected(url, CONNECTIONS)
    const before = asked
    const lane = async (one: Wire): Promise<void> => {
      while (performance.now() < endMs) {
        asked += 1
        await ask(one, requests(asked))
      }
    }
    await Promise.all(wires.map(lane))
    for (const one of wires) one.close()
    return asked - before
  }
}

/** So many requests, as quickly as they are answered. */
export const burst = async (url: string, count: number, requests: Requests): Promise<void> => {
  const wires = await connected(url, Math.min(count, CONNECTIONS))
  let asked = 0
  const lane = async (one: Wire): Promise<void> => {
    while (asked < count) {
      asked += 1
      await ask(one, requests(asked))
    }
  }
  await Promise.all(wires.map(lane))
  for (const one of wires) one.close()
}

/**
 * At a fixed rate, whatever the answers do: how long each request took, in milliseconds from the moment at which it was
 * due, so that a server that stops for a while is charged with all whom it kept waiting.
 */
export const openLoad = async (
  url: string,
  requests: Requests,
  { perSecond, forMs }: { readonly perSecond: number; readonly forMs: number },
): Promise<readonly number[]> => {
  const wires = await connected(url, OPEN_CONNECTIONS)
  const free = [...wires]
  const count = Math.floor((perSecond * forMs) / 1_000)
  const start = performance.now()
  const dueAt = (number: number): number => start + (number * 1_000) / perSecond
  const tookMs: number[] = []
  let failure: { readonly error: unknown } | null = null
  const send = async (one: Wire, number: number): Promise<void> => {
    await ask(one, requests(number))
    tookMs.push(performance.now() - dueAt(number))
    free.push(one)
  }
  let sent = 0
  while (tookMs.length < count && failure === null) {
    for (let one = free.at(-1); one && sent < count && dueAt(sent) <= performance.now(); one = free.at(-1)) {
      free.pop()
      send(one, sent).catch((error: unknown) => {
        failure = { error }
      })
      sent += 1
    }
    // A timer would be late by more than the answers take.
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const one of wires) one.close()
  if (failure !== null) throw new Error('a request of an open load failed', { cause: failure })
  return tookMs
}
