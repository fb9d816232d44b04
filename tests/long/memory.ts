import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { start } from '../apps/host/process.ts'
import { inLanes, numbers } from '../apps/processes/lanes.ts'
import { chargeBody, inDirectory, merchant } from '../bench/http/stage.ts'

const REQUESTS = 140_000
const AT_ONCE = 16
const SAMPLES = 40
/** So many charges fill the store's cache, which is bounded and no leak. */
const FILL = 20_000
/** The most growth from the second quarter to the last one, 70,000 requests later. */
export const MOST_GROWTH_MB = 12

const MB = 1_048_576

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The status of a successful answer. */
  readonly status: number
}

interface Sample {
  readonly residentMb: number
  readonly heapMb: number
}

const apiClient =
  (url: string, agent: Agent) =>
  async (asked: Sent, token: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const sent = request(url + asked.path, { method: asked.method, headers, agent }, async (answer) => {
        let text = ''
        for await (const piece of answer.setEncoding('utf8')) text += piece
        if (answer.statusCode === asked.status) resolve(text)
        else reject(new Error(`${asked.method} ${asked.path}: ${answer.statusCode} ${text}`))
      })
      sent.on('error', reject)
      sent.end(asked.body === undefined ? undefined : JSON.stringify(asked.body))
    })

type Ask = ReturnType<typeof apiClient>

const ISSUE: Sent = { method: 'POST', path: '/invoices', body: chargeBody(1), status: 200 }

/** A day of a server: mostly reading, some writing, some nonsense. */
const DAY: readonly Sent[] = [
  ISSUE,
  { method: 'GET', path: '/invoices/1', status: 200 },
  { method: 'GET', path: '/invoices?per_page=15', status: 200 },
  { method: 'GET', path: '/consolidation/balance', status: 200 },
  { method: 'GET', path: '/invoices/1', status: 200 },
  { method: 'POST', path: '/invoices', body: { value: -1 }, status: 422 },
  { method: 'GET', path: '/nowhere', status: 404 },
  { method: 'GET', path: '/access/account', status: 200 },
  { method: 'GET', path: '/invoices/999999999', status: 404 },
  { method: 'GET', path: '/health', status: 200 },
]

const sampleOf = async (ask: Ask): Promise<Sample> => {
  const text = await ask({ method: 'GET', path: '/metrics', status: 200 }, '')
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN) / MB
  return { residentMb: read('process_resident_memory_bytes'), heapMb: read('nodejs_heap_size_used_bytes') }
}

/** Between two collections of garbage everything grows: what counts is the least of each quarter. */
const growthOf = (values: readonly number[]): number => {
  const quarter = (place: number) => Math.min(...values.slice((place * SAMPLES) / 4, ((place + 1) * SAMPLES) / 4))
  return quarter(3) - quarter(1)
}

/** Checks that memory stays flat over many requests to the built apps. */
export const memory = () =>
  inDirectory(async (directory) => {
    const app = start({ DATA_DIR: directory, STORE_URL: `sqlite:${join(directory, 'portico.db')}` })
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    try {
      const { payments } = await app.ready
      const ask = apiClient(payments, agent)
      const token = await merchant(payments)
      await inLanes(AT_ONCE, numbers(FILL), () => ask(ISSUE, token))
      const samples: Sample[] = []
      for (let batch = 0; batch < SAMPLES; batch += 1) {
        await inLanes(AT_ONCE, numbers(REQUESTS / SAMPLES), (place) => ask(DAY[place % DAY.length] ?? ISSUE, token))
        samples.push(await sampleOf(ask))
      }
      /** The growth of the least resident memory and heap from the second quarter to the last. */
      const residentGrowthMb = growthOf(samples.map(({ residentMb }) => residentMb))
      const heapGrowthMb = growthOf(samples.map(({ heapMb }) => heapMb))
      return { requests: REQUESTS, samples, residentGrowthMb, heapGrowthMb }
    } finally {
      agent.destroy()
      app.child.kill('SIGTERM')
      await app.ended
    }
  })
