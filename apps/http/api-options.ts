import type { Log } from './telemetry/log.ts'
import type { Metrics } from './telemetry/metrics.ts'

/** How an API answers, wherever it is mounted. */
export interface ApiOptions {
  /** What is told of requests and of what failed; lines of JSON on stdout by default. */
  readonly log?: Log
  /** Origins that may call from a browser: `https://app.example.com`; none by default. */
  readonly corsOrigins?: readonly string[]
  /** Whether the last address of `X-Forwarded-For` is the caller's; `false` by default. */
  readonly trustProxy?: boolean
  /** Requests a minute and address, over all processes of the store; null and by default without limit. */
  readonly ratePerMinute?: number | null
  /** Requests in hand at once, of which callers have fair shares; further ones are 503. 2,000 by default. */
  readonly maxInFlight?: number
  /** Names the ignored body fields in the answers of writes, in `X-Ignored-Fields`; `true` by default. */
  readonly ignoredFields?: boolean
  /** Where requests are counted, and what `/metrics` shows; without it there is no such route. */
  readonly metrics?: Metrics
  /** Rejects where `/health` is to be 503; by default where the store cannot be read. */
  readonly health?: () => Promise<void>
}
