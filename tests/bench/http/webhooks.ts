import { createServer } from 'node:http'
import { listening } from '../../listening.ts'
import { inTurns, median } from '../rates.ts'
import type { Figure } from '../table.ts'
import { burst, requestOf } from './load.ts'
import { issuing, type Stage } from './stage.ts'

const ROUNDS = 3
const WEBHOOKS = 400

const receiver = async () => {
  let times: number[] = []
  let wanted = Number.POSITIVE_INFINITY
  let all = (): void => {}
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(204).end()
      if (times.push(performance.now()) === wanted) all()
    })
  })
  const { port, close } = await listening(server)
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    /** Makes so many webhooks be sent; returns how many a second came, from the first to the last. */
    async heard(count: number, sending: Promise<unknown>): Promise<number> {
      times = []
      wanted = count
      const heard = new Promise<void>((resolve) => {
        all = resolve
      })
      await sending
      await heard
      return (count / ((times.at(-1) ?? 0) - (times[0] ?? 0))) * 1_000
    },
    close,
  }
}

/** Webhooks that arrive per second: issuing charges, fanning out, signing, posting and recording what came of it. */
export const webhookFigure = async ({ ours, floor, token }: Stage): Promise<Figure> => {
  const merchant = await receiver()
  const issue = issuing(token, () => ({ webhook: merchant.url }))
  const send = requestOf('POST', '/deliveries', null, { url: merchant.url, count: WEBHOOKS })
  const taken = await inTurns(
    ROUNDS,
    () => merchant.heard(WEBHOOKS, burst(ours.server.url, WEBHOOKS, issue)),
    () =>
      merchant.heard(
        WEBHOOKS,
        burst(floor.server.url, 1, () => send),
      ),
  )
  await merchant.close()
  return {
    name: 'webhooks delivered, with the charges they tell of',
    unit: '/s',
    ours: median(taken.ours),
    floor: median(taken.floor),
    of: 'undici, 4 posts at once, one row each',
    aim: { atLeast: 0.5 },
  }
}
