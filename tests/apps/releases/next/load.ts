import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../payments/test-api.ts'
import { chargeBody } from '../../processes/merchants.ts'
import type { Process } from '../../processes/processes.ts'
import type { KnownCharge } from '../known.ts'

const EVERY_MS = 50
const ENDS_WITHIN_MS = 12_000

/** What was answered for good: it is in the store for ever. */
export interface Acknowledged {
  readonly issued: { readonly id: number; readonly valueCents: number }[]
  /** By the end-to-end ids of their payments, of which the bank said that the platform has taken them. */
  readonly paid: { readonly endToEndId: string; readonly valueCents: number }[]
}

export interface Load extends Acknowledged {
  /** Requests that were sent, and those of them that nobody answered since their process was killed. */
  readonly sent: () => number
  readonly lost: () => number
  /** What a caller must never get, a line each. */
  readonly wrong: readonly string[]
  /** Answers that told a caller to come again. */
  readonly later: () => number
  /** Sends all further requests there; null while nobody listens. */
  aim(process: Process | null): void
  stop(): Promise<void>
}

interface Caller {
  readonly token: string
  readonly clientId: number
  readonly charge: KnownCharge
}

/** A request, and what its answer comes to where it worked. */
interface Kind {
  readonly method: string
  readonly path: string
  readonly body?: object
  worked?(answer: Answer): void
}

/** Twenty requests a second, of those who read and of those who write, whatever becomes of them. */
export const startLoad = ({ token, clientId, charge }: Caller, older: Process): Load => {
  const issued: Acknowledged['issued'] = []
  const paid: Acknowledged['paid'] = []
  const wrong: string[] = []
  const open = new Set<Promise<void>>()
  const unpaid: { readonly txid: string; readonly valueCents: number }[] = []
  let at: Process | null = null
  let [sent, lost, later] = [0, 0, 0]

  const kinds: readonly ((turn: number) => Kind)[] = [
    () => ({ method: 'GET', path: '/invoices?limit=20' }),
    (turn) => issuing(turn),
    () => ({ method: 'GET', path: '/consolidation/balance' }),
    (turn) => paying(turn) ?? { method: 'GET', path: `/invoices/${charge.id}` },
    () => ({ method: 'GET', path: `/invoices/${charge.id}` }),
    (turn) => ({ method: 'PUT', path: `/v1/clients/${clientId}`, body: { name: `Clara ${turn}` } }),
    () => ({ method: 'GET', path: '/invoices?status=pending&limit=5' }),
    (turn) => issuing(turn),
  ]
  const issuing = (turn: number): Kind => {
    const valueCents = 1_001 + (turn % 90) * 100
    return {
      method: 'POST',
      path: '/invoices',
      body: chargeBody({ value: valueCents / 100 }),
      worked: ({ body }) => {
        issued.push({ id: body.data.id, valueCents })
        // Without one its bank has not answered yet.
        if (body.data.pix) unpaid.push({ txid: body.data.pix.txid, valueCents })
      },
    }
  }
  const paying = (turn: number): Kind | null => {
    const charge = unpaid.shift()
    if (!charge) return null
    const { txid, valueCents } = charge
    const endToEndId = `E${`${Date.now()}${turn}`.padStart(31, '0').slice(-31)}`
    return {
      method: 'POST',
      path: '/fake-bank/payments',
      body: { txid, value: valueCents / 100, end_to_end_id: endToEndId },
      // One that is pending the bank tells of again.
      worked: ({ body }) => {
        if (body.status === 'confirmed') paid.push({ endToEndId, valueCents })
      },
    }
  }

  const send = async (process: Process, { method, path, body, worked }: Kind): Promise<void> => {
    sent += 1
    let answer: Answer
    try {
      answer = await process.ask(method, path, { token, ...(body && { body }) })
    } catch (error) {
      // Whoever was asked has been killed, or is about to end: nobody else may leave somebody without an answer.
      const hasEnded = await Promise.race([process.ended.then(() => true), sleep(ENDS_WITHIN_MS, false)])
      if (hasEnded) lost += 1
      else wrong.push(`${method} ${path}: ${error}`)
      return
    }
    if (answer.status < 300) worked?.(answer)
    // Who reads is told so only by the older one, whose indexes may be gone while it ends.
    else if (isLater(answer) && (method !== 'GET' || process === older)) later += 1
    else wrong.push(`${method} ${path}: ${answer.status} ${answer.text}`)
  }
  let turn = 0
  const timer = setInterval(() => {
    const kind = kinds[turn % kinds.length]?.(turn)
    turn += 1
    if (!at || !kind) return
    const sending = send(at, kind).finally(() => open.delete(sending))
    open.add(sending)
  }, EVERY_MS)

  return {
    issued,
    paid,
    wrong,
    sent: () => sent,
    lost: () => lost,
    later: () => later,
    aim: (process) => {
      at = process
    },
    stop: async () => {
      at = null
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

const isLater = ({ status, headers }: Answer): boolean => status === 503 && headers.get('retry-after') !== null
