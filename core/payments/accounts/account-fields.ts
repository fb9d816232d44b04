import { nullIfAbsent } from '../../kernel/input/field.ts'
import { hundredths, id, money, oneOf } from '../../kernel/input/scalars.ts'
import { digits, email, guid, line, taxId, url } from '../../kernel/input/texts.ts'

export const ORGANIZATION_STATUSES = [
  'ACTIVE',
  'INACTIVE',
  'SUSPENDED',
  'DISABLED',
  'DISQUALIFIED',
  'SOFT_DELETED',
  'DELETED',
] as const

/** What is known of an account and its organization. Source: 01-access.md, v1 organization and Account. */
export const accountFields = {
  id: id({ about: 'Identificador' }),
  uuid: guid({ about: 'Identificador público' }),
  name: line({ max: 255, about: 'Nome' }),
  email: nullIfAbsent(email({ max: 255, about: 'E-mail' })),
  document: taxId({ about: 'CPF ou CNPJ, guardado sem pontuação' }),
  status: oneOf(ORGANIZATION_STATUSES, { about: 'Situação' }),
  webhookUrl: nullIfAbsent(url({ about: 'Endereço que recebe os webhooks' })),
}

/** What an operation costs. Source: decisions.md §8. */
export const feeFields = {
  pixInCents: money({ wire: 'pix_in', about: 'Tarifa de um Pix recebido' }),
  pixOutCents: money({ wire: 'pix_out', about: 'Tarifa de um Pix enviado' }),
  boletoInCents: money({ wire: 'boleto_in', about: 'Tarifa de um boleto pago' }),
  boletoCents: money({ wire: 'boleto', about: 'Tarifa de emissão de um boleto' }),
  bolepixCents: money({ wire: 'bolepix', about: 'Tarifa de emissão de um boleto com Pix' }),
  /** The percentage of a card sale. */
  feeHundredths: hundredths({ min: 0, max: 100, wire: 'fee', about: 'Percentual de uma venda no cartão' }),
}

/** What an operation may come to; null is no limit. */
export const limitFields = {
  pixOutPerTransactionCents: nullIfAbsent(
    money({ wire: 'pix_out_per_transaction', about: 'Máximo de um Pix enviado' }),
  ),
  pixOutDailyCents: nullIfAbsent(money({ wire: 'pix_out_daily', about: 'Máximo de Pix enviados de dia' })),
  pixOutNightlyCents: nullIfAbsent(money({ wire: 'pix_out_nightly', about: 'Máximo de Pix enviados à noite' })),
  chargeMinCents: nullIfAbsent(money({ wire: 'charge_min', about: 'Valor mínimo de uma cobrança' })),
  chargeMaxCents: nullIfAbsent(money({ wire: 'charge_max', about: 'Valor máximo de uma cobrança' })),
}

const PIN_DIGITS = 6

/** A PIN, which is never shown. Source: decisions.md §1. */
export const pinFields = {
  pin: digits({ length: PIN_DIGITS, about: 'PIN, de 6 dígitos' }),
  newPin: digits({ length: PIN_DIGITS, about: 'Novo PIN, de 6 dígitos' }),
}
