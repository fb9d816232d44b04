import { DECLINED_CARD, PENDING_CARD } from '../../../adapters/bank/fake/acquirer.ts'
import { type FAULT_MODES, OPERATIONS } from '../../../adapters/bank/fake/books.ts'
import { KEY_LEASE_SECONDS, KEY_LIFE_SECONDS, MAX_KEY_CHARS } from '../../../core/office/idempotency-keys.ts'
import {
  FIXED_RETENTION,
  RETENTION_KINDS,
  type RetentionKind,
  SET_RETENTION,
} from '../../../core/payments/retention.ts'
import { CONSUMER_FINE_PERCENT } from '../../../core/payments/terms.ts'
import { RETRY_STEPS_SECONDS } from '../../../core/payments/webhooks/deliver.ts'
import { fillPlaceholders } from '../../http/pages/placeholders.ts'
import { webhookEvents } from '../webhooks.ts'
import AUTHENTICATION from './authentication.md'
import ERRORS from './errors.md'
import FIRST_CHARGE from './first-charge.md'
import FIRST_WITHDRAWAL from './first-withdrawal.md'
import GETTING_STARTED from './getting-started.md'
import IDEMPOTENCY from './idempotency.md'
import LATE_PAYMENT from './late-payment.md'
import PAGINATION from './pagination.md'
import PARTIAL_PAYMENT from './partial-payment.md'
import PERSONAL_DATA from './personal-data.md'
import PRODUCTION from './production.md'
import SECOND_FACTOR from './second-factor.md'
import SPLITS from './splits.md'
import TESTING from './testing.md'
import WEBHOOKS from './webhooks.md'

/** The variable of a kind: `RETENTION_DAYS_API_KEYS` of `apiKeys`. */
const variableOf = (kind: RetentionKind): string =>
  `RETENTION_DAYS_${kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

const NO_END = 'sem prazo'

const SET_ROWS = RETENTION_KINDS.map((kind) => {
  const { about, since, days, least, greatest, reason } = SET_RETENTION[kind]
  const term = days === null ? NO_END : `${days} dias`
  return `| ${about} | ${term} | \`${variableOf(kind)}\`: ${least} a ${greatest}, desde ${since} | ${reason} |`
})

const FIXED_ROWS = FIXED_RETENTION.map(
  ({ about, term, reason }) => `| ${about} | ${term ?? NO_END} | fixo | ${reason} |`,
)

/** The effect of each way in which the simulated bank fails. */
const FAULTS: Readonly<Record<(typeof FAULT_MODES)[number], string>> = {
  refuse: 'o banco recusa',
  unavailable: 'o banco não atende',
  timeout: 'o banco faz e não responde',
  timeout_lost: 'o banco não faz e não responde',
}

const retryStep = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`
}

const VALUES = {
  CONSUMER_FINE_PERCENT,
  DECLINED_CARD,
  PENDING_CARD,
  BANK_OPERATIONS: OPERATIONS.map((operation) => `\`${operation}\``).join(', '),
  BANK_FAULTS: Object.entries(FAULTS)
    .map(([mode, effect]) => `\`${mode}\` (${effect})`)
    .join(', '),
  KEY_MAX_CHARS: MAX_KEY_CHARS,
  KEY_LIFE_HOURS: KEY_LIFE_SECONDS / 3_600,
  KEY_LEASE_MINUTES: KEY_LEASE_SECONDS / 60,
  RETENTION_ROWS: [...SET_ROWS, ...FIXED_ROWS].join('\n'),
  WEBHOOK_EVENT_ROWS: webhookEvents.map(({ event, summary }) => `| \`${event}\` | ${summary} |`).join('\n'),
  WEBHOOK_RETRIES: new Intl.ListFormat('pt-BR').format(RETRY_STEPS_SECONDS.map(retryStep)),
}

const GUIDES = [
  GETTING_STARTED,
  AUTHENTICATION,
  FIRST_CHARGE,
  IDEMPOTENCY,
  ERRORS,
  PAGINATION,
  LATE_PAYMENT,
  WEBHOOKS,
  TESTING,
  FIRST_WITHDRAWAL,
  PARTIAL_PAYMENT,
  SECOND_FACTOR,
  PERSONAL_DATA,
  SPLITS,
  PRODUCTION,
].join('\n')

/**
 * Returns the guides of the payments API in Markdown, in the order of an integration, each below a first-level heading.
 * Their commands run in this order in one shell, against the server at `url`.
 */
export const guidesOf = (url: string): string => fillPlaceholders(GUIDES, { ...VALUES, URL: url })
