// Runs in test:long only.

import { connect } from 'node:net'
import test from 'ava'
import { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS, serve } from '../../../../apps/http/server.ts'
import { buildPayments } from '../../../../apps/payments/app.ts'
import { FULL } from '../../../size.ts'
import { given } from '../given/given.ts'
import { paymentsRows } from './payments-rows.ts'

const SOCKETS = FULL ? 1_000 : 50
/** The time limits of the server; shorter ones outside of the long run. */
const patience = FULL
  ? { headersMs: HEADERS_TIMEOUT_MS, requestMs: REQUEST_TIMEOUT_MS }
  : { headersMs: 1_000, requestMs: 1_500, checkMs: 50 }
const DRIP_MS = patience.headersMs / 10
const HONEST = 20

const HEAD = 'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
/** The first bytes of a slow sender, and those that it repeats: an endless head, and an endless body. */
const BEGINNINGS: Readonly<Record<string, readonly [beginning: string, drip: string]>> = {
  head: [HEAD, 'X'],
  body: [`${HEAD}Content-Length: 1000\r\n\r\n{`, ' '],
}

interface Slow {
  /** The text that the server sent before it closed the connection. */
  readonly closed: Promise<string>
}

const slow = (port: number, beginning: string, drip: string): Promise<Slow> =>
  new Promise((resolve, reject) => {
    let text = ''
    let dripping: NodeJS.Timeout | undefined
    const socket = connect(port, '127.0.0.1')
    const closed = new Promise<string>((done) => {
      socket.on('close', () => {
        clearInterval(dripping)
        done(text)
      })
    })
    socket.on('data', (piece: Buffer) => {
      text += piece
    })
    socket.on('connect', () => {
      socket.write(beginning, () => resolve({ closed }))
      dripping = setInterval(() => socket.writable && socket.write(drip), DRIP_MS)
    })
    // A write to a closed socket is expected.
    socket.on('error', reject)
  })

for (const [what, [beginning, drip]] of Object.entries(BEGINNINGS))
  test.serial(
    `serves other requests during ${SOCKETS} slow senders of a ${what}, and closes their connections`,
    async (t) => {
      t.timeout(4 * REQUEST_TIMEOUT_MS)
      const api = await paymentsRows.open(t)
      const { token = '' } = (await given.account?.(api)) ?? {}
      const app = await buildPayments(api.host)
      const { port, url, stop } = await serve(app.api, { host: '127.0.0.1', port: 0, timeouts: patience })
      t.teardown(async () => {
        await stop()
        await app.close()
      })
      const slows = await Promise.all(Array.from({ length: SOCKETS }, () => slow(port, beginning, drip)))
      for (let asked = 0; asked < HONEST; asked += 1) {
        const answer = await fetch(`${url}/access/account`, { headers: { authorization: `Bearer ${token}` } })
        t.is(answer.status, 200)
        await answer.text()
      }
      // The reply is lost if the sender writes to the closed socket first.
      for (const text of await Promise.all(slows.map(({ closed }) => closed))) t.regex(text, /^(HTTP\/1\.1 408 |$)/)
      t.is((await fetch(`${url}/health`)).status, 200)
    },
  )
