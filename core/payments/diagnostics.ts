import { right } from '../failure.ts'
import { type InputOf, id, input, inQuery, notBefore, oneOf, output, required, view } from '../kernel/input/mod.ts'
import { all, eq, gte, insert, isIn, lte, patch } from '../kernel/records/record.ts'
import { type Job, type JobRow, ONCE } from '../kernel/running/jobs.ts'
import { scanNewestFirst } from '../kernel/running/slices.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import type { Day } from '../kernel/values/day.ts'
import { byId, groupOf, type Store } from '../ports/store.ts'
import { accounts } from './accounts/account.ts'
import { bankById } from './banks.ts'
import { CHARGE_STATUSES, type ChargeStatus, chargeStatusView, charges, PAYMENT_METHODS } from './charges/charge.ts'
import { jobs } from './office.ts'
import type { PaymentsModule, PaymentsPorts } from './payments-ports.ts'

export const bankTally = input(
  'BankTally',
  {
    from: required(inQuery.day({ wire: 'dataInicio', about: 'Vencimento, desde' })),
    to: required(inQuery.day({ wire: 'dataFim', about: 'Vencimento, até' })),
    bankId: required(inQuery.integer({ min: 1, wire: 'bankId', about: 'Banco da conta, por seu id em /enums/banks' })),
  },
  notBefore('to', 'from'),
)
export type BankTally = InputOf<typeof bankTally>

const METHODS = { PIX: 'pix', BOLETO: 'boleto', BOLEPIX: 'bolepix', CREDIT_CARD: 'cartao' } as const

/** The number of charges of one status and method. */
export interface BankTallyRow {
  readonly status: ChargeStatus
  readonly method: (typeof METHODS)[keyof typeof METHODS]
  readonly total: number
}

/** Returns only counts, since every caller may read them. */
const tallyByBank = (ports: PaymentsPorts) => (submitted: BankTally) =>
  withValidInput(ports, bankTally, submitted, ({ bankId, from, to }) =>
    useCaseOf<readonly BankTallyRow[]>()(async () => {
      const code = bankById(bankId)?.code ?? null
      const totals = code === null ? new Map<string, number>() : await countCharges(ports.store, code, from, to)
      return right(
        CHARGE_STATUSES.flatMap((status) =>
          PAYMENT_METHODS.flatMap((method) => {
            const total = totals.get(`${status} ${method}`)
            return total === undefined ? [] : [{ status, method: METHODS[method], total }]
          }),
        ),
      )
    }),
  )

/** Counts charges by `status method`. */
const countCharges = async (store: Store, bankCode: string, from: Day, to: Day): Promise<Map<string, number>> => {
  const totals = new Map<string, number>()
  // The charges of an account move with it to another bank, so a charge stores no bank and the accounts are read here.
  for await (const atBank of scanNewestFirst(store, { from: accounts, where: eq('bankCode', bankCode) })) {
    const accountIds = atBank.map(({ id: accountId }) => accountId)
    const where = all(isIn('accountId', accountIds), gte('dueDate', from), lte('dueDate', to))
    const groups = await store.group(groupOf(charges, { where, by: ['status', 'paymentMethod'], sum: [] }))
    for (const { by, count } of groups) {
      const key = `${by.status} ${by.paymentMethod}`
      totals.set(key, (totals.get(key) ?? 0) + count)
    }
  }
  return totals
}

export const bankTallyRowView = view(
  'BankTallyRow',
  {
    statusId: id({ about: 'Identificador da situação' }),
    method: oneOf(Object.values(METHODS), { about: 'Meio de pagamento' }),
    total: output.count({ about: 'Quantas cobranças' }),
    status: output.view(chargeStatusView, { about: 'Situação' }),
  },
  (row: BankTallyRow) => ({ ...row, statusId: CHARGE_STATUSES.indexOf(row.status) + 1 }),
)

/** Checks for the operator of an installation. */
export const diagnostics = {
  jobs: () => [testJob],
  useCases: (ports: PaymentsPorts) => ({
    /** Enqueues a job that does nothing, unless one is waiting already. */
    queueTestJob: queueTestJob(ports),
    /**
     * Counts the charges of all accounts at a bank that are due in a range of days, by status and method.
     * Fails: `fields`.
     */
    tallyByBank: tallyByBank(ports),
  }),
} satisfies PaymentsModule

const TEST_JOB = 'test-job'

/** A job that does nothing. Its run shows that a worker is active. */
const testJob: JobRow = { name: TEST_JOB, schedule: ONCE, run: async () => null }

const queueTestJob = (ports: PaymentsPorts) => () =>
  useCase<Job | null, null, never>(
    ports,
    (store) => store.find(byId(jobs, TEST_JOB)),
    (job, { steady }) => {
      if (!job) {
        const first = { id: TEST_JOB, dueAt: steady, attempts: 0, lastRunAt: null, place: null }
        return accept(null, insert(jobs, first))
      }
      if (job.dueAt !== null) return accept(null)
      return accept(null, patch(jobs, TEST_JOB, { set: { dueAt: steady }, when: eq('dueAt', null) }))
    },
  )
