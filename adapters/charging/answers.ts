import type { Failure } from '../../core/mod.ts'
import type { BankAnswer } from '../../core/ports/bank.ts'

export const done = <T>(value: T): BankAnswer<T> => ({ outcome: 'done', value })
export const refused = (reason: string): BankAnswer<never> => ({ outcome: 'refused', reason })
export const UNKNOWN: BankAnswer<never> = { outcome: 'unknown' }

export const NO_KEY = 'A chave de API não abre a conta de pagamentos.'
export const NO_ACCOUNT = 'A conta de pagamentos não existe mais.'
export const ALREADY_PAID = 'A cobrança já foi paga.'

/** Reasons for failures of the payments core, by their code. */
const REASONS: Readonly<Record<string, string>> = {
  'account.unknown': NO_ACCOUNT,
  'organization.inactive': 'A conta de pagamentos não aceita cobranças agora.',
  'bank.unsupported': 'O banco da conta de pagamentos não emite esta forma de cobrança.',
}

/** Reasons for invalid orders, by the first wrong field. */
const FIELDS: Readonly<Record<string, string>> = {
  valueCents: 'O valor não cabe nos limites ou no saldo da conta de pagamentos.',
  dueDate: 'O vencimento já passou.',
  discountHundredths: 'O desconto não deixa nada a pagar, ou é alto demais.',
  amountRateHundredths: 'Os juros são altos demais.',
}

const REFUSED = 'A conta de pagamentos recusou a operação.'

/** Codes of failures after which the charge may have been issued. */
const UNCERTAIN: readonly string[] = ['charge.busy', 'key.conflict']

/** Converts a failure of the payments core to an answer. */
export const failureAnswer = (failure: Failure): BankAnswer<never> => {
  const { tag, code } = failure
  if (code === 'bank.unavailable') return { outcome: 'unavailable' }
  if (tag === 'unavailable' || UNCERTAIN.includes(code)) return UNKNOWN
  if ('reason' in failure && failure.reason !== undefined) return refused(failure.reason)
  const [wrong] = tag === 'invalid' ? failure.issues : []
  return refused((wrong && FIELDS[wrong.path]) ?? REASONS[code] ?? REFUSED)
}
