// By its file: Bun puts a thing of its own in the place of the package, which has no certificates of ours.
import { Agent, request } from 'undici/index.js'
import { faultOf } from '../../../webhooks/fault.ts'
import type { PixApiSettings } from './settings.ts'

const TIMEOUT_MS = 8_000
/** More than any page of payments; what is longer is none. */
const MAX_BODY_BYTES = 4_194_304

/** What is asked of a server of the bank. */
export interface Asking {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What was answered; `unsent` where certainly nothing was asked, `lost` where it may have been, and its answer is not known. */
export type Exchanged = { readonly status: number; readonly text: string } | 'unsent' | 'lost'

/** One connection's end of mutual TLS. */
export interface Exchange {
  (asking: Asking): Promise<Exchanged>
  close(): Promise<void>
}

/** Exchanges with the bank over mutual TLS: none takes longer than its time, and none rejects. */
export const exchangeOf = ({ cert, key, ca = null, timeoutMs = TIMEOUT_MS }: PixApiSettings): Exchange => {
  const connect = { cert, key, ...(ca === null ? {} : { ca }), minVersion: 'TLSv1.2', timeout: timeoutMs / 2 } as const
  const dispatcher = new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const exchange = async ({ url, ...asking }: Asking): Promise<Exchanged> => {
    try {
      return await within(timeoutMs, async (signal) => {
        const answer = await request(url, { ...asking, dispatcher, signal })
        return { status: answer.statusCode, text: await wholeOf(answer.body) }
      })
    } catch (error) {
      return isUnsent(error) ? 'unsent' : 'lost'
    }
  }
  return Object.assign(exchange, { close: () => dispatcher.destroy() })
}

/** Ends what takes too long, wherever it hangs: undici heeds the signal only once it is connected, hence the race. */
const within = async <A>(timeoutMs: number, task: (signal: AbortSignal) => Promise<A>): Promise<A> => {
  const signal = AbortSignal.timeout(timeoutMs)
  let end = (): void => {}
  const over = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
  })
  try {
    return await Promise.race([task(signal), over])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

const wholeOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error('the answer is too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}

const UNSENT: readonly string[] = ['dns', 'connection refused', 'tls']

/** Only what no connection was made for was certainly not asked; who is not let in by certificate asks nothing. */
const isUnsent = (error: unknown): boolean => {
  if (UNSENT.includes(faultOf(error))) return true
  const { code, syscall }: { readonly code?: unknown; readonly syscall?: unknown } = Object(error)
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || String(code).startsWith('ERR_OSSL_')
}
