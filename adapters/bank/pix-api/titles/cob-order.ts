import { addDays, type Day, type Instant, nextBusinessDay, startOfDay } from '../../../../core/kernel/values/day.ts'
import { normalizeTaxId, taxIdKind } from '../../../../core/kernel/values/tax-id.ts'
import type { Payer, TitleOrder } from '../../../../core/ports/bank.ts'
import { reaisText } from '../client/json.ts'

/** What the bank is asked to make: a cob, to be paid until a moment, or a cobv, which asks otherwise on other days. */
export interface CobOrder {
  readonly path: 'cob' | 'cobv'
  readonly body: object
}

const MAX_NAME_CHARS = 200
/** What the API counts seconds with. */
const MAX_SECONDS = 2_147_483_647

/** The same terms as every other place counts by. Source: BCB, Manual de Padrões para Iniciação do Pix, Anexo III. */
const PERCENT_A_MONTH = 3
const REAIS_A_DAY = 1
const DISCOUNT = { ABSOLUTE: 1, PERCENTAGE: 2 } as const
/** The payer chooses no other amount. */
const FIXED = 0

/**
 * The order as the bank accepts it; a text if it accepts none. The order has the amount of the due day: a discount that lasts
 * until then is included, and the bank computes only one that ends before. The code ends with its due day, moved to the next
 * business day, and asks for no interest until then, so a payer without a document gets a plain cob. The bank moves
 * `dataDeVencimento` to a business day by itself (BCB, API Pix, `validadeAposVencimento`).
 */
export const cobOrder = (order: TitleOrder, pixKey: string, now: Instant): CobOrder | string => {
  const debtor = order.payer && debtorOf(order.payer)
  const discount = discountOf(order)
  const interest = interestOf(order)
  const valor = { original: reaisText(order.valueCents) }
  if (!discount && (!interest || !debtor)) {
    const expiracao = secondsUntilOver(order.dueDate, now)
    const body = { calendario: { expiracao }, valor: { ...valor, modalidadeAlteracao: FIXED }, chave: pixKey }
    return { path: 'cob', body: debtor ? { ...body, devedor: debtor } : body }
  }
  if (!debtor) return 'O banco só dá desconto a quem paga com CPF ou CNPJ.'
  return {
    path: 'cobv',
    body: {
      calendario: { dataDeVencimento: order.dueDate, validadeAposVencimento: 0 },
      devedor: debtor,
      valor: { ...valor, ...(interest && { juros: interest }), ...(discount && { desconto: discount }) },
      chave: pixKey,
    },
  }
}

/** The seconds from an instant to the end of the due day, moved to a business day; at least one. */
export const secondsUntilOver = (dueDate: Day, now: Instant): number => {
  const seconds = Math.ceil((Date.parse(startOfDay(addDays(nextBusinessDay(dueDate), 1))) - Date.parse(now)) / 1_000)
  return Math.min(Math.max(1, seconds), MAX_SECONDS)
}

const debtorOf = ({ name, document }: Payer) => {
  const normal = normalizeTaxId(document ?? '')
  const kind = taxIdKind(normal)
  if (kind === null) return null
  const nome = [...name].slice(0, MAX_NAME_CHARS).join('')
  return kind === 'CPF' ? { cpf: normal, nome } : { cnpj: normal, nome }
}

const interestOf = ({ amountRateHundredths, typeRate }: TitleOrder) => {
  if (amountRateHundredths === null || amountRateHundredths === 0 || typeRate === null) return null
  const modalidade = typeRate === 'ABSOLUTE' ? REAIS_A_DAY : PERCENT_A_MONTH
  return { modalidade, valorPerc: reaisText(amountRateHundredths) }
}

const discountOf = ({ discountHundredths, typeDiscount, daysDiscount, dueDate }: TitleOrder) => {
  const days = daysDiscount ?? 0
  if (discountHundredths === null || discountHundredths === 0 || typeDiscount === null || days <= 0) return null
  const fixed = { data: addDays(dueDate, -days), valorPerc: reaisText(discountHundredths) }
  return { modalidade: DISCOUNT[typeDiscount], descontoDataFixa: [fixed] }
}
