/** The reason why a webhook got no answer. The codes are stable: they are stored with the delivery. */
export type Fault =
  | 'bad url'
  | 'refused port'
  | 'private address'
  | 'dns'
  | 'connection refused'
  | 'tls'
  | 'timeout'
  | 'network'

/** Returns the text of a fault that a setting would prevent, with the setting's name; null for any other fault. */
export const refusalOf = (fault: Fault): string | null =>
  fault === 'private address' || fault === 'refused port'
    ? `${fault}: only WEBHOOKS_ALLOW_PRIVATE=true allows it`
    : null

/** Carries a fault through undici, which passes errors on. */
export class FaultError extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(refusalOf(fault) ?? fault)
    this.fault = fault
  }
}

const TIMEOUTS = /TIMEOUT|^ETIMEDOUT$/
const DNS = /^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_\w+)$/
const TLS =
  /^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+|CERT_\w+|UNABLE_TO_\w+|CRL_\w+|INVALID_CA|INVALID_PURPOSE|\w*SELF_SIGNED\w*)$/

/** Returns the fault behind an error of the network or of undici. */
export const faultOf = (error: unknown): Fault => {
  if (error instanceof FaultError) return error.fault
  if (!(error instanceof Error)) return 'network'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (DNS.test(code)) return 'dns'
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (TLS.test(code)) return 'tls'
  return TIMEOUTS.test(code) ? 'timeout' : 'network'
}

/** Rejects after the time limit. undici respects the signal only once it is connected, hence the race. */
export const withinTime = async <A>(timeoutMs: number, task: (signal: AbortSignal) => Promise<A>): Promise<A> => {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort(new FaultError('timeout'))
      reject(new FaultError('timeout'))
    }, timeoutMs)
  })
  try {
    return await Promise.race([task(controller.signal), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a whole body as UTF-8. Throws if it is longer than the limit. */
export const readText = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`)
  }
  return Buffer.concat(chunks).toString('utf8')
}
