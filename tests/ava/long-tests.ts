/** Test files by the folder that they are in, below `tests/`. */
type ByFolder = Readonly<Record<string, readonly string[]>>

const filesOf = (folders: ByFolder): readonly string[] =>
  Object.entries(folders).flatMap(([folder, names]) => names.map((name) => `tests/${folder}/${name}.test.ts`))

/** They kill processes at random, wait for real time or for a state that passes, load the machine, measure time, or take too long. */
const LONG: ByFolder = {
  'adapters/mongodb': ['releases'],
  'adapters/sqlite': ['background', 'crash'],
  'apps/crash': ['mongodb', 'sqlite'],
  'apps/host': ['leaks', 'stop'],
  'apps/http/bodies': ['multipart-growth'],
  'apps/http/fields': ['image-growth'],
  'apps/mongodb': ['faults', 'hot-account', 'processes'],
  'apps/payments/exports': ['killed'],
  'apps/payments': ['generated-client'],
  'apps/payments/rows': ['growth', 'slow'],
  'apps/payments/transfers': ['crash'],
  'apps/real-estate/rows': ['growth'],
  'apps/releases/next': ['mongodb', 'sqlite'],
  'core/kernel/input': ['growth'],
  package: ['installed'],
}

/** What of them is small runs in `npm test`; what is drawn by chance, and what takes long, in the long run. */
const IN_BOTH: ByFolder = {
  'adapters/crypto': ['cipher', 'digest'],
  'adapters/mail': ['outbox-mailer'],
  'adapters/mongodb': ['commits', 'doubtful-money', 'lists', 'money-model', 'statements'],
  'adapters/pdf': ['pdf-invoice-renderer'],
  'adapters/sheets': ['sheet-reader'],
  'adapters/sqlite': ['answer-cache', 'contract', 'reader'],
  'adapters/turns': ['waiters'],
  'adapters/webhooks': ['public-address', 'retry-after'],
  'apps/audit': ['reconcile'],
  'apps/client': ['webhook'],
  'apps/faults': ['bank', 'sick-store'],
  'apps/host': ['start'],
  'apps/http/pipeline': ['turns'],
  'apps/http/rates': ['rates'],
  'apps/mongodb': ['takeover'],
  apps: ['openapi-lint'],
  'apps/payments/bank': ['pix-api'],
  'apps/payments/charges': ['charge-keys'],
  'apps/payments/checkout': ['pay-by-card'],
  'apps/payments/rows': [
    'auth',
    'hostile-requests',
    'hostile-values',
    'invalid',
    'replies-first',
    'success',
    'tenants',
  ],
  'apps/payments/transfers': ['races'],
  'apps/payments/withdrawals': ['money'],
  'apps/real-estate/panel': ['event-lines', 'live-seen', 'panel-seen', 'sign-in-seen'],
  'apps/real-estate/rows': ['auth', 'hostile-requests', 'hostile-values', 'invalid', 'success', 'tenants'],
  'apps/releases': ['mongodb', 'sqlite'],
  'core/kernel/input': ['field', 'grammar', 'input', 'query'],
  'core/kernel/planner': ['moments'],
  'core/kernel/records': ['apply', 'key-collisions', 'matches', 'stored-shape'],
  'core/kernel/running': ['concurrency', 'jobs'],
  'core/kernel/values': ['day', 'encoding', 'money', 'page', 'tax-id', 'text'],
  'core/payments/boleto': ['digits'],
  'core/payments/charges': ['list-plans', 'payment-notice'],
  'core/payments/ledger': ['payments', 'post'],
  'core/payments/money-out': ['doubtful-bank', 'money-model'],
  'core/payments/pix': ['br-code-reader', 'br-code', 'end-to-end-id', 'pix-grammar', 'pix-key'],
  'core/payments/statements/cards': ['card-sales'],
  'core/payments/statements': ['list-transactions', 'statements-by-pencil'],
  'core/payments/terms': ['amount-due'],
  'core/payments/webhooks': ['signature'],
  'core/real-estate/condominiums': ['expense-shares'],
  'core/real-estate/counters': ['counters'],
  'core/real-estate/feed': ['vrsync'],
  'core/real-estate/lists': ['many-own'],
  package: ['package'],
  simulation: ['every-crash', 'simulation'],
}

/** The test files of `npm run test:long` alone. `npm test` runs all others. */
export const LONG_TESTS = filesOf(LONG)

/** The test files of `npm test` that `npm run test:long` runs in full, and with chance drawn anew. */
export const FULL_TESTS = filesOf(IN_BOTH)
