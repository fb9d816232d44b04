/** Where money is raced for, in, between and out, by its room in `tests/apps/payments`. */
const MONEY = {
  charges: ['confirmations', 'refunds'],
  transfers: ['races'],
  withdrawals: ['money'],
}

/** What moves money too, by ways that those above and the rows go as well: the long run has time for it. */
const MORE = {
  bank: ['fake-bank', 'pix-api', 'reconciliation'],
  charges: [
    ...['boletos', 'cards', 'changes', 'charge-keys', 'charges', 'late-titles', 'plan-charges'],
    'simulated-payments',
  ],
  checkout: ['faults', 'pay-by-card', 'pay-link'],
  'instant-pix': ['open-code'],
  statements: ['card-sales', 'consolidation'],
  transfers: ['crash', 'transfers'],
  withdrawals: ['cases', 'every-door', 'windows'],
}

/** What an agency is owed and what two may make at once, in `tests/apps/real-estate`. */
const AGENCY = {
  condominiums: ['expense-split'],
  contracts: ['contract-races'],
  proposals: ['convert'],
  rents: ['charge', 'payments', 'run-rent'],
}

/** What else of it there is a table of cases for. */
const MORE_OF_AGENCY = {
  access: ['register'],
  brokers: ['brokers'],
  clients: ['clients'],
  commissions: ['commissions'],
  condominiums: ['condominiums'],
  contracts: ['contract-terms', 'contracts'],
  dashboard: ['dashboard'],
  notifications: ['check-alerts', 'notifications', 'stream'],
  owners: ['owner-statement'],
  imports: ['imports'],
  properties: ['moves', 'properties'],
  proposals: ['proposals'],
  renames: ['renames'],
  rents: ['charge-cancelled', 'charge-faults'],
  visits: ['visits'],
}

const filesOf = (app: string, rooms: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(rooms).flatMap(([room, files]) => files.map((file) => `tests/apps/${app}/${room}/${file}.test.ts`))

/** What every row answers: some of them each time, all in the long run. */
const ROWS = ['payments', 'real-estate'].map((app) => `tests/apps/${app}/rows/success.test.ts`)

/** What `npm run test:mongodb` runs. */
export const USUAL_ON_MONGODB = [
  ...filesOf('payments', MONEY),
  ...filesOf('real-estate', AGENCY),
  ...ROWS,
  'tests/apps/host/data-key.test.ts',
]

/** What `npm run test:long -- mongodb` runs besides. */
export const MORE_ON_MONGODB = [...filesOf('payments', MORE), ...filesOf('real-estate', MORE_OF_AGENCY), ...ROWS]
