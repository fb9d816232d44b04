import { aesCipher } from '../../adapters/crypto/cipher.ts'
import { appMetrics } from '../../adapters/metrics/app-metrics.ts'
import { measuredStore } from '../../adapters/metrics/measured-store.ts'
import type { Host, Running } from '../host/host.ts'
import { VERSION } from '../host/version.ts'
import { mount } from '../http/mount.ts'
import { messagesOf } from '../http/replies/messages.ts'
import { serve, urlAt } from '../http/serve.ts'
import { pinoLog } from '../http/telemetry/log.ts'
import { dialects } from './dialects.ts'

/** Starts the real-estate API, which has no routes of its own yet. Rejects with `CannotListen`. */
export const startRealEstate = async ({
  settings,
  secrets,
  clock,
  random,
  digest,
  ...host
}: Host): Promise<Running> => {
  const { HOST, REAL_ESTATE_PORT, PUBLIC_URL, LOG_LEVEL } = settings
  const metrics = appMetrics('real-estate')
  const store = measuredStore(host.store, metrics.commit)
  const app = mount({
    name: 'real-estate',
    title: 'Portico: imobiliária',
    introduction: 'A API da imobiliária.',
    version: VERSION,
    core: null,
    authSchemes: {},
    rows: [],
    dialects,
    defaultDialect: 'estate',
    messages: messagesOf({ failures: {}, issues: {} }),
    store,
    digest,
    cipher: aesCipher(secrets.dataKey),
    clock,
    random,
    log: pinoLog('real-estate', LOG_LEVEL),
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    metrics,
    publicUrl: PUBLIC_URL ?? urlAt(HOST, REAL_ESTATE_PORT),
    // A store that cannot be read, or takes no commits, makes the app unhealthy.
    health: async () => {
      await host.store.health()
      return {}
    },
  })
  const serving = await serve(app, { host: HOST, port: REAL_ESTATE_PORT })
  return { url: serving.url, stop: () => serving.stop().then(app.unclaim) }
}
