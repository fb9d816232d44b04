import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Figure } from '../table.ts'
import { measure } from './charges.ts'
import { rested, startApp } from './servers.ts'
import { CHARGES, inDirectory, issueMany, merchant, ourSide, type Side, type Stage } from './stage.ts'

/** A collector that takes everything and looks at nothing. */
const discarding = async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Does something with the app that traces as the variables say. */
const traced = <A>(env: Readonly<Record<string, string>>, act: (side: Side) => Promise<A>): Promise<A> =>
  inDirectory(async (directory) => {
    const app = await startApp(directory, 'payments', env)
    try {
      const token = await merchant(app.url)
      await issueMany(app.url, token, CHARGES)
      await rested(app)
      return await act(ourSide(app, token))
    } finally {
      await app.stop()
    }
  })

/** Charges issued and shown with tracing, each beside the same app without: all traces sent, and none sampled. */
export const tracingFigures = async ({ ours }: Pick<Stage, 'ours'>): Promise<readonly Figure[]> => {
  const collector = await discarding()
  const figures: Figure[] = []
  try {
    for (const [name, sampler] of [
      ['tracing on', 'always_on'],
      ['tracing on, nothing sampled', 'always_off'],
    ] as const) {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: sampler }
      await traced(env, async (side) => {
        for (const [kind, what] of [
          ['show', 'GET of a charge'],
          ['issue', 'POST of a charge'],
        ] as const) {
          const { perSecond, usedMs } = await measure(side, ours, kind)
          const of = 'tracing off'
          figures.push({ name: `${what}, ${name}`, unit: '/s', ...perSecond, of, aim: null })
          if (usedMs) figures.push({ name: `${what}, ${name}, processor time`, unit: 'ms', ...usedMs, of, aim: null })
        }
      })
    }
  } finally {
    collector.close()
  }
  return figures
}
