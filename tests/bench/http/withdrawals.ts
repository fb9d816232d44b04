import { chargeBody, paid, setPin } from '../../apps/payments/given/merchants.ts'
import { clientAt, worked } from '../../apps/rows/wire.ts'
import { anyEmail, PASSWORD, PIN } from '../../core/payments/world.ts'
import { inTurns, median } from '../rates.ts'
import type { Figure } from '../table.ts'
import { burst, requestOf } from './load.ts'
import { rested } from './servers.ts'
import type { Stage } from './stage.ts'

const ROUNDS = 5
const WITHDRAWALS = 300
const KEY = 'maria@example.com'
const FUNDS = 900_000
/** A company may look up 1,000 Pix keys an hour before it confirms a withdrawal, a person 100. */
const COMPANY = '11222333000181'

/**
 * Sets up an active account with a PIN and money. Returns a function that looks a Pix key up and returns the
 * confirmation of that withdrawal.
 */
export const withdrawalsOf = async (url: string): Promise<() => Promise<Buffer>> => {
  const api = clientAt(url)
  const person = { name: 'Ana Souza', email: anyEmail(), document: COMPANY, password: PASSWORD }
  const { token } = worked(await api.ask('POST', '/access/register-full', { body: person })).data
  await setPin(api, { token })
  await paid(api, { token }, chargeBody({ value: FUNDS }))
  // Each of another value: the same to the same key within the hour would be a repeat.
  let cents = 0
  return async () => {
    cents += 1
    const [keypix, value] = [KEY, cents / 100]
    const { internal_id } = worked(await api.ask('POST', '/recipients', { token, body: { keypix, value } })).data
    return requestOf('POST', '/api/pix/withdraw', token, { internal_id, keypix, value, pin: PIN })
  }
}

/**
 * Measures confirmed withdrawals of one account: the count of PIN tries, the reserve and the outcome are three commits,
 * as in the floor. The hash of the PIN is not measured: a correct PIN is remembered for a minute.
 */
export const withdrawalFigure = async ({ ours, floor }: Stage): Promise<Figure> => {
  const { url } = ours.server
  const lookedUp = await withdrawalsOf(url)
  const perSecond = async (server: string, requests: readonly Buffer[]): Promise<number> => {
    const begun = performance.now()
    await burst(server, requests.length, (number) => requests[number - 1] ?? Buffer.alloc(0))
    return (requests.length / (performance.now() - begun)) * 1_000
  }
  const three = requestOf('POST', '/commits', null, {})
  const round = async (): Promise<number> => {
    const requests: Buffer[] = []
    while (requests.length < WITHDRAWALS) requests.push(await lookedUp())
    await rested(ours.server)
    // Uncounted: it hashes the PIN for this minute.
    await burst(url, 1, () => requests[0] ?? Buffer.alloc(0))
    return perSecond(url, requests.slice(1))
  }
  const floorRound = () =>
    perSecond(
      floor.server.url,
      Array.from({ length: WITHDRAWALS }, () => three),
    )
  await round()
  await floorRound()
  const taken = await inTurns(ROUNDS, round, floorRound)
  return {
    name: 'withdrawals of one account confirmed, without the hash of the PIN',
    unit: '/s',
    ours: median(taken.ours),
    floor: median(taken.floor),
    of: 'bare Koa, router, body parser and three commits',
    aim: { atLeast: 0.5 },
  }
}
