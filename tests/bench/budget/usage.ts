import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startAgency } from '../agency/figures.ts'
import { FEW } from '../agency/history.ts'
import { burst, type Requests, requestOf } from '../http/load.ts'
import { residentMb, rested, type Server, usedMs } from '../http/servers.ts'
import { inDirectory, onStage, type Side } from '../http/stage.ts'
import { type Kind, type Prepared, requestsOf } from './requests.ts'

/** The work of one request, its background work included. */
export interface Usage {
  /** Allocated on the heap of the main thread. */
  readonly kb: number
  /** Processor time, and that of the bare server; null except on Linux. */
  readonly usedMs: { readonly ours: number; readonly floor: number } | null
}

const PROBE = fileURLToPath(new URL('./probe.mjs', import.meta.url))
const KB = 1_024
/** Requests before a measurement, and again within it. A write waits for the disk. */
const READS = 2_000
const WRITES = 250

/** The probe of a process that is started with `env`. */
const probeIn = (directory: string) => {
  const path = join(directory, 'probe.sock')
  return {
    env: { NODE_OPTIONS: `--import=${PROBE}`, BENCH_PROBE: path },
    /** Returns the bytes that the main thread has allocated on the heap so far. */
    allocated: async (): Promise<number> => {
      let text = ''
      for await (const chunk of connect(path)) text += chunk
      return Number(text)
    },
  }
}

type Probe = ReturnType<typeof probeIn>

/** Sends requests and returns the processor time of one; null except on Linux. */
const timeOf = async (server: Server, count: number, requests: Requests, url = server.url): Promise<number | null> => {
  await rested(server)
  const before = usedMs(server)
  await burst(url, count, requests)
  await rested(server)
  const after = usedMs(server)
  return before === null || after === null ? null : (after - before) / count
}

/** The request of the bare server that stands beside each kind. */
const bareRequests = ({ show, list, issue }: Side, kind: Kind): Requests => {
  if (kind === 'confirmation') return () => requestOf('POST', '/commits', null, {})
  if (kind === 'POST' || kind === 'keyed POST') return issue
  return kind === 'GET' || kind === 'page' ? show : list
}

const WRITE_KINDS: readonly Kind[] = ['POST', 'keyed POST', 'confirmation']

interface Measured {
  readonly server: Server
  readonly probe: Probe
  readonly floor: Side
}

const usageOf = async (kind: Kind, { url, prepare }: Prepared, { server, probe, floor }: Measured): Promise<Usage> => {
  const count = WRITE_KINDS.includes(kind) ? WRITES : READS
  const next = async (): Promise<Requests> => {
    const requests = await prepare(count)
    return (number) => requests[number - 1] ?? requests[0]
  }
  await burst(url, count, await next())
  const requests = await next()
  await rested(server)
  const before = await probe.allocated()
  const ours = await timeOf(server, count, requests, url)
  const kb = ((await probe.allocated()) - before) / KB / count
  const bare = bareRequests(floor, kind)
  await burst(floor.server.url, count, bare)
  const floorMs = await timeOf(floor.server, count, bare)
  return { kb, usedMs: ours === null || floorMs === null ? null : { ours, floor: floorMs } }
}

/** Measures each kind of request on the built apps, and the resident memory of the payments process afterwards. */
export const measureUsage = (): Promise<{ readonly usages: ReadonlyMap<Kind, Usage>; readonly residentMb: number }> =>
  inDirectory((directory) =>
    inDirectory(async (other) => {
      const [payments, estate] = [probeIn(directory), probeIn(other)]
      const agency = await startAgency(other, FEW, estate.env)
      try {
        return await onStage(async ({ ours, floor, token }) => {
          const callers = { payments: { url: ours.server.url, token }, estate: { ...agency, url: agency.server.url } }
          const usages = new Map<Kind, Usage>()
          for (const [kind, prepared] of await requestsOf(callers)) {
            const isOurs = prepared.url === ours.server.url
            const [server, probe] = isOurs ? [ours.server, payments] : [agency.server, estate]
            usages.set(kind, await usageOf(kind, prepared, { server, probe, floor }))
          }
          return { usages, residentMb: residentMb(ours.server) }
        }, payments.env)
      } finally {
        await agency.server.stop()
      }
    }),
  )
