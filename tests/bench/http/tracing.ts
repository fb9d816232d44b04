import { createServer } from 'node:http'
import { listening } from '../../listening.ts'
import type { Figure } from '../table.ts'
import { measure } from './charges.ts'
import { startApp } from './servers.ts'
import { CHARGES, inDirectory, issueMany, merchant, ourSide, type Stage } from './stage.ts'

/** A collector that takes everything and looks at nothing. */
const discarding = async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  const { port, close } = await listening(server)
  return { url: `http://127.0.0.1:${port}`, close }
}

/** Charges issued and shown with tracing, each beside the same app without: all traces sent, and none sampled. */
export const tracingFigures = async ({ ours }: Pick<Stage, 'ours'>): Promise<readonly Figure[]> => {
  const collector = await discarding()
  const figures: Figure[] = []
  const measureWith = async (name: string, sampler: string): Promise<void> =>
    inDirectory(async (directory) => {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: sampler }
      const app = await startApp(directory, 'payments', env)
      const token = await merchant(app.url)
      await issueMany(app.url, token, CHARGES)
      for (const [kind, what] of [
        ['show', 'GET of a charge'],
        ['issue', 'POST of a charge'],
      ] as const) {
        const taken = await measure(ourSide(app, token), ours, kind)
        figures.push({ name: `${what}, ${name}`, unit: '/s', ...taken, of: 'tracing off', aim: null })
      }
      await app.stop()
    })
  await measureWith('tracing on', 'always_on')
  await measureWith('tracing on, nothing sampled', 'always_off')
  await collector.close()
  return figures
}
