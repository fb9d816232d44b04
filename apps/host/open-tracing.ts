import type { Tracing } from '../../adapters/tracing/otlp.ts'
import type { Warn } from './data-directory.ts'
import { CannotStart, type PorticoSettings } from './environment.ts'
import { VERSION } from './version.ts'

/** The packages that tracing needs, in releases that run on Node 20. */
const PACKAGES = [
  '@opentelemetry/api@1.9',
  '@opentelemetry/exporter-trace-otlp-http@0.223',
  '@opentelemetry/resources@2',
  '@opentelemetry/sdk-trace-node@2',
]

const otlp = async () => {
  try {
    return await import('../../adapters/tracing/otlp.ts')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && `${error.code}`.endsWith('MODULE_NOT_FOUND')
    if (!isMissing) throw error
    throw new CannotStart(
      `OTEL_EXPORTER_OTLP_ENDPOINT: tracing needs packages that are not installed: npm install ${PACKAGES.join(' ')}`,
    )
  }
}

/**
 * Opens tracing if the settings name a collector; else null, and nothing of OpenTelemetry is loaded. Throws `CannotStart`
 * if its packages are not installed.
 */
export const openTracing = async (settings: PorticoSettings, warn: Warn): Promise<Tracing | null> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings
  const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint === null ? null : `${endpoint}/v1/traces`)
  if (url === null || settings.OTEL_SDK_DISABLED) return null
  const { otlpTracing } = await otlp()
  return otlpTracing({
    url,
    ...(headers === null ? {} : { headers }),
    version: VERSION,
    report: (line) => warn(`OTEL_EXPORTER_OTLP_ENDPOINT: ${line}`),
  })
}
