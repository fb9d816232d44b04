import { right } from '../../fp.ts'
import { required } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { notBefore } from '../../kernel/input/rules.ts'
import { id, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { all, eq, gte, isIn, lte } from '../../kernel/records/where.ts'
import { scanNewestFirst } from '../../kernel/running/slices.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { groupOf, type Store } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { bankById } from '../banks.ts'
import { CHARGE_STATUSES, type Charge, chargeStatusView, charges, PAYMENT_METHODS } from '../charges/charge.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** Source: 02-billing.md, Utility routes. */
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

type Asked = DecodedOf<typeof bankTally>
type Field = keyof Charge & string

const METHODS = { PIX: 'pix', BOLETO: 'boleto', BOLEPIX: 'bolepix', CREDIT_CARD: 'cartao' } as const

/** How many charges of one status and method there are. */
export interface BankTallyRow {
  readonly status: (typeof CHARGE_STATUSES)[number]
  readonly method: (typeof METHODS)[keyof typeof METHODS]
  readonly total: number
}

/**
 * Charges of all accounts at a bank that are due in a range of days, by status and method: counts alone, since anybody may ask.
 * Fails: `fields`. Source: 02-billing.md, Utility routes; decisions.md §9, Others.
 */
export const tallyByBank = (ports: PaymentsPorts) => (given: BankTally) =>
  withValidInput(ports, bankTally, given, (asked) => tallyOf(ports.store, asked))

const tallyOf =
  (store: Store, asked: Asked): UseCase<readonly BankTallyRow[], never> =>
  async () => {
    const code = bankById(asked.bankId)?.code ?? null
    if (code === null) return right([])
    const within = [gte<Field>('dueDate', asked.from), lte<Field>('dueDate', asked.to)]
    const totals = new Map<string, number>()
    // An account that moves to another bank takes all of its charges with it: whose they are is asked now, not kept with each.
    for await (const atBank of scanNewestFirst(store, { from: accounts, where: eq('bankCode', code) })) {
      const ofThem = isIn<Field>(
        'accountId',
        atBank.map(({ id: accountId }) => accountId),
      )
      const where = all(ofThem, ...within)
      for (const { by, count } of await store.group(
        groupOf(charges, { where, by: ['status', 'paymentMethod'], sum: [] }),
      )) {
        const key = `${by.status} ${by.paymentMethod}`
        totals.set(key, (totals.get(key) ?? 0) + count)
      }
    }
    return right(
      CHARGE_STATUSES.flatMap((status) =>
        PAYMENT_METHODS.flatMap((method) => {
          const total = totals.get(`${status} ${method}`)
          return total === undefined ? [] : [{ status, method: METHODS[method], total }]
        }),
      ),
    )
  }

/** Source: 02-billing.md, Utility routes. */
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
